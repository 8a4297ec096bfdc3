// "12 min", "3 h", "just now". While the station is not heard no age looks alive: it says as of when.

import { useTranslation } from 'react-i18next'
import { age, count, moment } from '../format/format'
import { useReading } from '../settings/SettingsProvider'
import { useStanding } from './StandingContext'

export function useAge(): (time: string) => string {
  const { t } = useTranslation()
  const { lostSince, now } = useStanding()
  const reading = useReading(now)
  return (time) => {
    const length = age(now, time)
    const words =
      length.unit === 'now'
        ? t('age.now')
        : t(`age.${length.unit}`, { count: length.n, n: count(reading, length.n) })
    return lostSince === null ? words : t('age.as_of', { age: words, at: moment(reading, lostSince) })
  }
}
