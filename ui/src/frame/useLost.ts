// Without the station nothing can be saved. Typing goes on; a primary action stays where it is, can be pressed, and
// answers with this sentence instead of acting.

import { useTranslation } from 'react-i18next'
import { moment } from '../format/format'
import { useReading } from '../settings/SettingsProvider'
import { useStanding } from './StandingContext'

/** Why nothing can be done now, or null while the station is heard. */
export function useLost(): string | null {
  const { t } = useTranslation()
  const { house, lostSince, now } = useStanding()
  const reading = useReading(now)
  if (lostSince === null) return null
  return t('lost.why', { at: moment(reading, lostSince), contact: house.contact })
}
