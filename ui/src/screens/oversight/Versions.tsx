// Two versions of a record side by side, with what was shown before either. Who changed a field is said by a word and an
// icon beside it; which version holds is chosen elsewhere, and field by field only where both changed one.

import { useTranslation } from 'react-i18next'
import type { ConflictRow, ConflictView, ItemView } from '../../api/generated/wire'
import { Choice } from '../../components/Choice'
import { NoticeLine } from '../../components/states'
import { moment } from '../../format/format'
import { belongs } from '../../forms/placing'
import { inLocale } from '../../forms/words'
import { useStanding } from '../../frame/StandingContext'
import { Icon, type IconName } from '../../look/Icon'
import { useReading, useSettings } from '../../settings/SettingsProvider'
import { useFactWords } from '../records/factWords'
import { useStageWord } from '../records/itemWords'
import { fieldsIn, useForm } from '../records/optionWords'
import type { Choosing } from './choosing'

const changes = {
  nobody: 'check',
  by_us: 'edit',
  by_them: 'update',
  by_both_alike: 'check_circle_outline',
  by_both_differently: 'warning',
} as const satisfies Record<string, IconName>

type Changed = keyof typeof changes

type Props = { item: ItemView; conflict: ConflictView; choosing: Choosing }

export function Versions({ item, conflict, choosing }: Props) {
  const { t } = useTranslation()
  const touched = conflict.rows.filter(({ changed }) => changed !== 'nobody')
  const untouched = conflict.rows.filter(({ changed }) => changed === 'nobody')
  return (
    <section className="block">
      <h2>{t('conflict.heading')}</h2>
      <Meeting conflict={conflict} />
      <Rows label={t('conflict.changed_rows')} rows={touched} {...{ item, conflict, choosing }} />
      {untouched.length > 0 && (
        <details>
          <summary>{t('conflict.same', { count: untouched.length })}</summary>
          <Rows label={t('conflict.same_rows')} rows={untouched} {...{ item, conflict, choosing }} />
        </details>
      )}
    </section>
  )
}

function Meeting({ conflict }: { conflict: ConflictView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  if (!conflict.theirs) return <NoticeLine tone="attention">{t('conflict.theirs_unknown')}</NoticeLine>
  const at = (text: string) => moment(reading, text)
  return (
    <>
      <p>{t(`conflict.meeting.${meetingOf(conflict.meeting)}`)}</p>
      <p className="versions-known">
        {t('conflict.fetched', {
          changed: at(conflict.theirs.updated_at),
          fetched: at(conflict.theirs.fetched_at),
        })}
      </p>
    </>
  )
}

const meetings = ['apart', 'clash', 'held_back', 'base_unknown'] as const

function meetingOf(word: string | null): (typeof meetings)[number] {
  return meetings.find((known) => known === word) ?? 'base_unknown'
}

function Rows({ label, rows, item, conflict, choosing }: Props & { label: string; rows: ConflictRow[] }) {
  const { t } = useTranslation()
  const words = useRowWords(item)
  return (
    <div className="versions-place">
      <table className="versions" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('conflict.field')}</th>
            <th scope="col">{t('conflict.before')}</th>
            <th scope="col">{t('conflict.ours')}</th>
            <th scope="col">{t('conflict.theirs')}</th>
            <th scope="col">{t('conflict.who')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.pointer} data-changed={row.changed}>
              <th scope="row">{words.label(row.pointer)}</th>
              <Value text={words.value(row.pointer, row.base)} />
              <Value text={words.value(row.pointer, row.ours)} />
              <Value
                text={conflict.theirs ? words.value(row.pointer, row.theirs) : t('conflict.not_known')}
              />
              <td>
                <Who changed={row.changed} />
                <ByField {...{ row, conflict, choosing }} label={words.label(row.pointer)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value({ text }: { text: string }) {
  return <td>{text === '' ? '–' : <bdi dir="auto">{text}</bdi>}</td>
}

function Who({ changed }: { changed: string }) {
  const { t } = useTranslation()
  const known = isChanged(changed) ? changed : 'by_both_differently'
  return (
    <span className="versions-who">
      <Icon name={changes[known]} />
      {t(`conflict.by.${known}`)}
    </span>
  )
}

function isChanged(word: string): word is Changed {
  return word in changes
}

/** Only what both changed, and only while both shall hold. */
function ByField({
  row,
  conflict,
  choosing,
  label,
}: Pick<Props, 'conflict' | 'choosing'> & { row: ConflictRow; label: string }) {
  const { t } = useTranslation()
  const is_open = choosing.holds === 'both' && conflict.by_field && row.changed === 'by_both_differently'
  if (!is_open || !row.pointer.startsWith('/payload/')) return null
  return (
    <Choice
      id={`holds-${row.pointer}`}
      label={t('conflict.which_field', { field: label })}
      options={[
        { code: 'ours', word: t('conflict.ours') },
        { code: 'theirs', word: t('conflict.theirs') },
      ]}
      value={choosing.fields[row.pointer] ?? null}
      onChange={(side) => choosing.chooseField(row.pointer, side === 'theirs' ? 'theirs' : 'ours')}
    />
  )
}

/** A field's name and its value as people read them; what has no word is shown as it is. */
function useRowWords(item: ItemView) {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const stage = useStageWord()
  const words = useFactWords()
  const hold = useHoldWords()
  const application = fieldsIn(useForm('application'))
  const own = fieldsIn(useForm(item.kind))
  const field = (pointer: string) => {
    const inside = pointer.replace(/^\/[^/]+/, '')
    return (pointer.startsWith('/payload/') ? application : own).find((one) => belongs(one, inside))
  }
  return {
    label(pointer: string): string {
      if (pointer === '/stage') return t('conflict.stage')
      if (pointer.startsWith('/holds/')) return t('conflict.hold')
      if (pointer.startsWith('/notes/')) return t('conflict.note')
      const known = field(pointer)
      return known ? inLocale(settings.language, known.label) : lastStep(pointer)
    },
    value(pointer: string, value: unknown): string {
      if (pointer === '/stage') return typeof value === 'string' ? stage(value) : ''
      if (pointer.startsWith('/holds/')) return isHold(value) ? hold(value) : ''
      if (pointer.startsWith('/notes/')) return words(isNote(value) ? value.payload.text : value)
      return words(value, field(pointer)?.control)
    },
  }
}

type Note = { payload: { text?: string } }

function isNote(value: unknown): value is Note {
  return typeof value === 'object' && value !== null && 'payload' in value
}

type Hold = { type?: string; reason?: string }

function isHold(value: unknown): value is Hold {
  return typeof value === 'object' && value !== null
}

function useHoldWords(): (hold: Hold) => string {
  const { t } = useTranslation()
  return ({ type, reason }) => {
    const kind = holdKinds.find((known) => known === type)
    const word = kind ? t(`conflict.hold_type.${kind}`) : type
    return [word, reason].filter(Boolean).join(': ')
  }
}

const holdKinds = ['stop-work', 'hold', 'notice'] as const

function lastStep(pointer: string): string {
  return (pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
}
