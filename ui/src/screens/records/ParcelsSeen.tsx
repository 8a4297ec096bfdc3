// The parcels of an application as they were seen when it was accepted, each with the time of the copy that said so.

import { useTranslation } from 'react-i18next'
import type { ParcelView } from '../../api/generated/wire'
import { useParcelWords } from '../../forms/parcelWords'

export function ParcelsSeen({ parcels = [] }: { parcels: readonly ParcelView[] | undefined }) {
  const { t } = useTranslation()
  const words = useParcelWords()
  if (parcels.length === 0) return null
  return (
    <section className="block">
      <h2>{t('parcels.title')}</h2>
      <dl className="pairs">
        {parcels.map((parcel) => (
          <div key={parcel.pin} className="pair">
            <dt>
              <bdi>{parcel.pin}</bdi>
            </dt>
            <dd>
              <bdi dir="auto" className="fact-text">
                {words(parcel)}
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
