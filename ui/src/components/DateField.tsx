// A day by segments, by the button Today, or pasted as 2026-12-08 or, in the reader's order, 12/8/2026. The engine's own date input is broken in
// WebKitGTK, and React Aria's takes no paste. The value is an ISO day or null.

import { type CalendarDate, parseDate } from '@internationalized/date'
import { type ClipboardEvent, useState } from 'react'
import { DateInput, DateSegment, DateField as Field, Group } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { type DateRead, dayOrderOf, readPastedDate } from '../format/date'
import { useSettings } from '../settings/SettingsProvider'
import { Button } from './Button'
import { Above, type FieldProps } from './Labelled'

type Props = FieldProps & {
  value: string | null
  onChange: (day: string | null) => void
  onLeave?: () => void
  today: string
}

const PASTED_CHARACTERS_MAX = 100

export function DateField({ value, onChange, onLeave, today, ...props }: Props) {
  const { t } = useTranslation()
  const refusal = useRefusal(props.label)
  const { settings } = useSettings()
  const [refused, setRefused] = useState<DateRead | null>(null)
  const problem = props.problem ?? refusal(refused)
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    const read = readPastedDate(
      event.clipboardData.getData('text').slice(0, PASTED_CHARACTERS_MAX),
      dayOrderOf(settings.language),
    )
    setRefused(read.kind === 'refused' ? read : null)
    if (read.kind === 'read') onChange(read.day)
  }
  const choose = (day: string | null) => {
    setRefused(null)
    onChange(day)
  }
  return (
    <Field
      className="field"
      id={props.id}
      value={readDay(value)}
      onBlur={onLeave}
      isInvalid={Boolean(problem)}
      onChange={(day) => choose(day ? day.toString() : null)}
      validationBehavior="aria"
    >
      <Above {...props} problem={problem} />
      <Group className="date" onPaste={paste}>
        <DateInput className="control date-input">
          {(segment) => <DateSegment className="date-segment" segment={segment} />}
        </DateInput>
        <Button
          kind="quiet"
          onPress={() => choose(today)}
          label={t('form.today_for', { label: props.label })}
        >
          {t('form.today')}
        </Button>
      </Group>
    </Field>
  )
}

/** A draft of another version may hold a text that is no day: it is shown as none. */
function readDay(value: string | null): CalendarDate | null {
  try {
    return value ? parseDate(value) : null
  } catch {
    return null
  }
}

function useRefusal(label: string) {
  const { t } = useTranslation()
  const { settings } = useSettings()
  return (read: DateRead | null): string | null => {
    if (read === null || read.kind === 'read') return null
    if (read.why !== 'day') return t(`form.date_refused.${read.why}`, { label })
    const month = new Intl.DateTimeFormat(settings.language, { month: 'long', timeZone: 'UTC' }).format(
      Date.UTC(read.year, read.month - 1),
    )
    return t('form.date_refused.day', { month, year: String(read.year), days: read.days })
  }
}
