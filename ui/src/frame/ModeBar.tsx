// The banner: always there, one height, the gravest cause in words, and how many more. It never pushes what is below.

import { useTranslation } from 'react-i18next'
import { Button } from '../components/Button'
import { Landmark } from '../components/Landmark'
import { Icon } from '../look/Icon'
import { useReading } from '../settings/SettingsProvider'
import { ranked, type Told, told } from './mode'
import { useStanding } from './StandingContext'
import './modebar.css'

export function ModeBar({ onDetails, onDismiss }: { onDetails: () => void; onDismiss?: () => void }) {
  const { t } = useTranslation()
  const { house } = useStanding()
  const [first, ...more] = useTold()
  if (!first) return null
  return (
    <Landmark role="region" label={t('mode.label')} className="mode">
      <div
        className="mode-inner"
        data-tone={first.tone}
        data-shape={first.tone === 'person' || first.cause === 'lost_contact' ? 'solid' : 'bar'}
      >
        {house.rehearsal !== 'none' && <Rehearsing kind={house.rehearsal} />}
        <Icon name={first.icon} />
        <p className="mode-words">
          <strong>{first.lead}</strong> <span className="mode-rest">{first.rest}</span>
        </p>
        {first.tally && <span className="mode-tally">{first.tally}</span>}
        {more.length > 0 && <span className="mode-more">{t('mode.more', { count: more.length })}</span>}
        {first.cause === 'outage_over' && onDismiss && (
          <Button kind="quiet" icon="close" onPress={onDismiss}>
            {t('action.close')}
          </Button>
        )}
        <Button keyId="details" onPress={onDetails}>
          {t('frame.details')}
        </Button>
      </div>
    </Landmark>
  )
}

function Rehearsing({ kind }: { kind: 'drill' | 'demo' }) {
  const { t } = useTranslation()
  return (
    <strong className="mode-rehearsal" data-tone="person" data-shape="solid">
      <Icon name="science" />
      <span>
        {t(`rehearsal.${kind}.lead`)}
        <span className="mode-rest">{t(`rehearsal.${kind}.rest`)}</span>
      </span>
    </strong>
  )
}

/** Everything that holds, gravest first, in words. */
export function useTold(): Told[] {
  const { t } = useTranslation()
  const { house, standing, lostSince, now } = useStanding()
  const reading = useReading(now)
  return ranked(standing.causes, lostSince, standing.status.backlog.count).map((fact) =>
    told(fact, t, reading, house),
  )
}
