// One parcel in words, with the age of what is said; or why nothing can be said.

import { useTranslation } from 'react-i18next'
import type { ParcelView } from '../api/generated/wire'
import { moment } from '../format/format'
import { useStanding } from '../frame/StandingContext'
import { useAge } from '../frame/useAge'
import { useReading } from '../settings/SettingsProvider'

export function useParcelWords(): (parcel: ParcelView) => string {
  const { t } = useTranslation()
  const reading = useReading(useStanding().now)
  const age = useAge()
  return (parcel) => {
    const { seen, address, zoning, overlays, as_of } = parcel
    if (as_of === null) return t('parcels.never_copied')
    const when = { at: moment(reading, as_of), age: age(as_of) }
    switch (seen) {
      case 'known':
        return t('parcels.known', {
          what: [address, zoning, ...overlays].filter(Boolean).join(' · '),
          ...when,
        })
      case 'unknown':
        return t('parcels.unknown', when)
      default:
        return t('parcels.too_old', when)
    }
  }
}
