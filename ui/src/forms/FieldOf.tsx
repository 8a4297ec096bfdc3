// One field of a form as the station laid it out: which control takes it, and how the typed value is given to it.

import { useTranslation } from 'react-i18next'
import type { FormField, FormOption, RecordView } from '../api/generated/wire'
import { Choice } from '../components/Choice'
import { DateField } from '../components/DateField'
import { FigureField } from '../components/FigureField'
import type { FieldProps } from '../components/Labelled'
import { MoneyField } from '../components/MoneyField'
import { ParcelList } from '../components/ParcelList'
import { PhoneField } from '../components/PhoneField'
import { Several } from '../components/Several'
import { TextArea, TextField } from '../components/TextField'
import { TimeField } from '../components/TimeField'
import { isoDay, type Locale } from '../format/format'
import { useSettings } from '../settings/SettingsProvider'
import { AddressOf } from './AddressOf'
import { idOf, REASON } from './placing'
import { useParcelHints } from './useParcelHints'
import { useParcelSource } from './useParcelSource'
import { chosenOf, codesOf, parcelsOf, textOf } from './values'
import { inLocale } from './words'

/** What is wrong with the field, by row; null for the field itself. */
export type Told = readonly { row: number | null; text: string }[]

export type OneField = {
  field: FormField
  value: unknown
  put: (value: unknown) => void
  /** A record was chosen here that knows more about the same place. */
  fromRecord: (record: RecordView) => void
  told: Told
}

export function FieldOf(one: OneField) {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const { field, value, put } = one
  const { control } = field
  const props = described(settings.language, one)
  const text = { ...props, value: textOf(value), onChange: put }
  switch (control.control) {
    case 'line':
      return <TextField {...text} limit={control.limit} />
    case 'long_text':
      return <TextArea {...text} limit={control.limit} />
    case 'phone':
      return <PhoneField {...text} limit={control.limit} />
    case 'email':
      return <TextField {...text} type="email" inputMode="email" limit={control.limit} />
    case 'count':
      return <FigureField {...text} inputMode="numeric" />
    case 'money':
      return <MoneyField {...text} />
    case 'measure':
      return <FigureField {...text} inputMode="decimal" unit={inLocale(settings.language, control.unit)} />
    case 'day':
      return <DateField {...props} value={chosenOf(value)} onChange={put} today={isoDay(new Date())} />
    case 'time_of_day':
      return <TimeField {...props} value={chosenOf(value)} onChange={put} />
    case 'choice':
      return (
        <Choice
          {...props}
          options={read(settings.language, control.options)}
          value={chosenOf(value)}
          onChange={put}
        />
      )
    case 'several':
      return (
        <Several
          {...props}
          hint={props.hint ?? t('fill.several_max', { count: control.entries_max })}
          options={read(settings.language, control.options)}
          value={codesOf(value)}
          onChange={put}
        />
      )
    case 'address':
      return <AddressOf {...one} props={props} limit={control.limit} />
    case 'parcels':
      return <ParcelsOf {...one} props={props} most={control.entries_max} />
    case 'unknown':
      return (
        <TextField
          {...text}
          hint={[props.hint, t('fill.unknown_note', { widget: control.widget })].filter(Boolean).join(' ')}
          limit={control.limit}
        />
      )
    default:
      return unreachable(control)
  }
}

function ParcelsOf({ field, value, put, told, props, most }: OneField & { props: FieldProps; most: number }) {
  const parcels = parcelsOf(value)
  const source = useParcelSource(parcels.from)
  const hints = useParcelHints(parcels.none ? [] : parcels.numbers)
  const at = (row: number | null) => told.find((one) => one.row === row)?.text ?? null
  const rows = parcels.numbers.map((_, row) => ({
    problem: at(row) ?? (row === 0 ? at(null) : null),
    read: [row === 0 ? source : null, hints[row]].filter(Boolean).join('. ') || null,
  }))
  return (
    <ParcelList
      {...props}
      id={`field-${field.name}`}
      most={most}
      value={parcels}
      onChange={put}
      told={rows}
      reasonProblem={at(REASON) ?? (parcels.none ? at(null) : null)}
    />
  )
}

function described(locale: Locale, { field, told }: OneField): FieldProps {
  return {
    id: idOf(field),
    label: inLocale(locale, field.label),
    hint: field.hint ? inLocale(locale, field.hint) : undefined,
    optional: field.need === 'optional',
    problem: told[0]?.text ?? null,
    width: field.width,
  }
}

function read(locale: Locale, options: readonly FormOption[]) {
  return options.map(({ code, word }) => ({ code, word: inLocale(locale, word) }))
}

/** A control that the contract gained and the window did not: the compiler says so here. */
function unreachable(control: never): null {
  return control
}
