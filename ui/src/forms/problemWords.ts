// The sentence for a problem that the station found: what is missing, or what the field must be. By code and by the
// numbers of the rule, in the reader's language; the same beside the field and in the summary. A code that this window
// does not know is said as a code: never silence, never English from elsewhere.

import type { TFunction } from 'i18next'
import type { FormField, FormView, ProblemView } from '../api/generated/wire'
import type { Locale } from '../format/format'
import { withArticle } from './article'
import { REASON } from './placing'
import { fieldsOf } from './values'
import { inLocale } from './words'

export type Speaking = { t: TFunction; locale: Locale; form: FormView }

type Said = Speaking & {
  field: FormField | null
  row: number | null
  label: string
  params: Record<string, string>
}

export function sayProblem(
  speaking: Speaking,
  problem: ProblemView,
  field: FormField | null,
  row: number | null = null,
): string {
  const label = field ? labelOf(speaking, field, row) : speaking.t('problem.whole')
  const said = { ...speaking, field, row, label, params: problem.params ?? {} }
  const sentence = sentences[problem.code]
  return sentence ? sentence(said) : said.t('problem.unknown', { label, code: problem.code })
}

function labelOf({ t, locale }: Speaking, field: FormField, row: number | null): string {
  if (row === REASON) return t('form.no_parcel_reason')
  if (row !== null && field.control.control === 'parcels') return t('form.parcel', { n: row + 1 })
  const label = inLocale(locale, field.label)
  return row === null ? label : t('problem.row', { label, n: row + 1 })
}

const rule = (key: Rule) => (said: Said) => said.t(`problem.${key}`, { label: said.label })
const limited = (key: Limited) => (said: Said) =>
  said.t(`problem.${key}`, {
    label: said.label,
    limit: said.params.limit ?? '',
    count: Number(said.params.limit),
  })

type Rule =
  | 'doubled'
  | 'unknown_field'
  | 'not_allowed'
  | 'no_choice_fits'
  | 'unknown_application'
  | 'base_missing'
  | 'changed'
  | 'in_doubt'
  | 'not_waiting'
  | 'unknown_operation'
  | 'other_application'
  | 'voided'
  | 'not_a_conflict'
  | 'theirs_unknown'
  | 'there_already'
  | 'seen_another'
  | 'undecided'
  | 'would_be_lost'
  | 'unknown_column'
  | 'doubled_column'
  | 'no_header'
  | 'encoding'
  | 'unreadable'
  | 'cut_off'
type Limited = 'too_long' | 'too_short' | 'too_many' | 'too_few'

const sentences: Record<string, (said: Said) => string> = {
  'unknown-kind': ({ t, params }) => t('problem.unknown_kind', { kind: params.kind ?? '' }),
  missing: missing,
  'unknown-field': rule('unknown_field'),
  'wrong-type': (said) => mustLook(said) ?? mustBe(said, typeWord(said)),
  'number-too-large': bounded,
  'out-of-range': bounded,
  'too-long': limited('too_long'),
  'too-short': (said) => (said.params.limit === '1' ? missing(said) : limited('too_short')(said)),
  'too-many': limited('too_many'),
  'too-few': (said) => (said.params.limit === '1' ? missing(said) : limited('too_few')(said)),
  doubled: rule('doubled'),
  format: (said) => mustLook(said) ?? formatted(said),
  pattern: (said) => mustLook(said) ?? mustBe(said, shapeWords(said)),
  'not-in-vocabulary': (said) =>
    chosen(said)
      ? missing(said)
      : said.t('problem.not_in_vocabulary', { label: said.label, allowed: said.params.allowed ?? '' }),
  'exclusive-choice': (said) => said.t('problem.exclusive', { label: said.label, other: otherLabel(said) }),
  'no-choice-fits': rule('no_choice_fits'),
  'not-allowed': rule('not_allowed'),
  forbidden: ({ t, params }) => t('problem.forbidden', { role: params.role ?? '' }),
  'step-not-allowed': ({ t, params }) =>
    t('problem.step_not_allowed', { from: params.from ?? '', to: params.to ?? '' }),
  'unknown-application': rule('unknown_application'),
  'base-missing': rule('base_missing'),
  changed: rule('changed'),
  'in-doubt': rule('in_doubt'),
  'not-waiting': rule('not_waiting'),
  'unknown-operation': rule('unknown_operation'),
  'other-application': rule('other_application'),
  voided: rule('voided'),
  'not-a-conflict': rule('not_a_conflict'),
  'theirs-unknown': rule('theirs_unknown'),
  'there-already': rule('there_already'),
  'seen-another': rule('seen_another'),
  undecided: rule('undecided'),
  'would-be-lost': rule('would_be_lost'),
  'unknown-column': rule('unknown_column'),
  'doubled-column': rule('doubled_column'),
  'no-header': rule('no_header'),
  'row-length': ({ t, params }) =>
    t('problem.row_length', { found: params.found ?? '', expected: params.expected ?? '' }),
  encoding: rule('encoding'),
  unreadable: rule('unreadable'),
  'cut-off': rule('cut_off'),
}

/** Every code that has a sentence of its own. */
export const saidCodes = Object.keys(sentences)

function missing(said: Said): string {
  const { t, locale, field, row, params } = said
  if (field?.control.control === 'parcels' && params.or && row === null) return t('problem.missing_parcel')
  const what = withArticle(locale, said.label)
  return chosen(said) ? t('problem.choose', { what }) : t('problem.enter', { what })
}

function chosen({ field }: Said): boolean {
  return field?.control.control === 'choice' || field?.control.control === 'several'
}

/** On which side of its limit a number has to be. */
function bounded({ t, label, params }: Said): string {
  const bound = bounds.find((known) => known === params.bound) ?? 'within'
  return t(`problem.bound.${bound}`, { label, limit: params.limit ?? '' })
}

const bounds = ['at_most', 'at_least', 'below', 'above'] as const

/** "{Label} must look like {example}": the rules' own example, or the one of its kind. */
function mustLook({ t, label, field, row }: Said): string | null {
  const example = row === null ? (field?.example ?? exampleOf(t, field)) : null
  return example && t('problem.must_look_like', { label, example })
}

/** Where every reader writes alike, or each language in its own way. */
function exampleOf(t: TFunction, field: FormField | null): string | null {
  switch (field?.control.control) {
    case 'money':
    case 'count':
    case 'measure':
    case 'phone':
    case 'email':
    case 'day':
    case 'time_of_day':
      return t(`problem.like.${field.control.control}`)
    case 'line':
    case 'long_text':
    case 'choice':
    case 'several':
    case 'address':
    case 'parcels':
    case 'unknown':
    case undefined:
      return null
  }
}

/** Names of JSON Schema formats, where no control has said it better. */
function formatted(said: Said): string {
  const named = formats.find((format) => format === said.params.format)
  if (!named) return mustBe(said, said.params.format ?? '')
  return said.t('problem.must_look_like', { label: said.label, example: said.t(`problem.format.${named}`) })
}

const formats = ['email', 'date', 'time', 'date-time', 'uri'] as const
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const

function typeWord({ t, params }: Said): string {
  const known = types.find((type) => type === params.expected)
  return known ? t(`problem.type.${known}`) : (params.expected ?? '')
}

/** Shapes that the rules describe in English and that we know; any other is quoted as the rules have it. */
const shapes = {
  'one line of text': 'one_line',
  'text without control characters': 'no_control',
  'printable ASCII': 'ascii',
} as const

function shapeWords({ t, params }: Said): string {
  const shape = params.shape ?? ''
  const known = shapes[shape as keyof typeof shapes]
  return known ? t(`problem.shape.${known}`) : shape
}

function mustBe({ t, label }: Said, what: string): string {
  return t('problem.must_be', { label, what })
}

function otherLabel({ t, locale, form, params }: Said): string {
  const name = params.with ?? ''
  const other = fieldsOf(form).find((field) => field.name === name)
  if (other) return inLocale(locale, other.label)
  const reason = fieldsOf(form).some(
    ({ control }) => control.control === 'parcels' && control.reason_name === name,
  )
  return reason ? t('form.no_parcel_reason') : name
}
