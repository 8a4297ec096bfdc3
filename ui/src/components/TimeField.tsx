// A time of day by segments, in the reader's clock. The value is HH:MM or null; a draft's text that is no time is shown as none.

import { parseTime, type Time } from '@internationalized/date'
import { DateInput, DateSegment, TimeField as Field } from 'react-aria-components'
import { useSettings } from '../settings/SettingsProvider'
import { Above, type FieldProps } from './Labelled'

type Props = FieldProps & { value: string | null; onChange: (time: string | null) => void }

export function TimeField({ value, onChange, ...props }: Props) {
  const { settings } = useSettings()
  return (
    <Field
      className="field"
      id={props.id}
      value={readTime(value)}
      onChange={(time) => onChange(time ? time.toString().slice(0, 5) : null)}
      hourCycle={settings.clock === 'system' ? undefined : settings.clock === '12' ? 12 : 24}
      isInvalid={Boolean(props.problem)}
      validationBehavior="aria"
    >
      <Above {...props} />
      <DateInput className="control date-input">
        {(segment) => <DateSegment className="date-segment" segment={segment} />}
      </DateInput>
    </Field>
  )
}

function readTime(value: string | null): Time | null {
  if (!value || !/^\d{2}:\d{2}$/.test(value)) return null
  try {
    return parseTime(value)
  } catch {
    return null
  }
}
