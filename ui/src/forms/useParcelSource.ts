// Where parcel numbers come from that nobody typed, in words.

import { useTranslation } from 'react-i18next'
import { moment } from '../format/format'
import { useStanding } from '../frame/StandingContext'
import { useReading } from '../settings/SettingsProvider'

/** In place of a time, when the record was taken in here and never copied. */
export const TAKEN_IN_HERE = 'here'

export function useParcelSource(from: string | null | undefined): string | null {
  const { t } = useTranslation()
  const reading = useReading(useStanding().now)
  if (!from) return null
  return from === TAKEN_IN_HERE ? t('fill.from_record') : t('fill.from_copy', { at: moment(reading, from) })
}
