// Which Holdfast this is, where it stands, and whom to call.

import { useTranslation } from 'react-i18next'
import { useStanding } from '../frame/StandingContext'
import './screens.css'

export function AboutScreen() {
  const { t } = useTranslation()
  const { house } = useStanding()
  const pairs = [
    [t('about.version'), house.version],
    [t('about.city'), house.city],
    [t('about.station'), house.station],
    [t('about.contact'), house.contact],
    [t('about.license'), t('about.license_name')],
  ]
  return (
    <dl className="pairs">
      {pairs.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
