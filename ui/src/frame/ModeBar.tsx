// The banner: always there, one height, the gravest cause in words, and how many more. It never pushes what is below.

import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../components/Button'
import { Landmark } from '../components/Landmark'
import { Icon } from '../look/Icon'
import { useReading } from '../settings/SettingsProvider'
import { useDismissals } from './dismissals'
import { ranked, type Told, told } from './mode'
import { useStanding } from './StandingContext'
import './modebar.css'

export function ModeBar({ onDetails }: { onDetails: () => void }) {
  const { t } = useTranslation()
  const { house } = useStanding()
  const [first, ...more] = useTold()
  const bar = useRef<HTMLDivElement>(null)
  const dismiss = useDismissOutage()
  if (!first) return null
  const putAway = () => {
    dismiss()
    // What is left of the bar, since the pressed button goes away.
    ;[...(bar.current?.querySelectorAll('button') ?? [])].at(-1)?.focus()
  }
  return (
    <Landmark role="region" label={t('mode.label')} className="mode">
      <div
        ref={bar}
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
        {first.cause === 'outage_over' && (
          <Button kind="quiet" icon="close" onPress={putAway}>
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

function useDismissOutage(): () => void {
  const { standing } = useStanding()
  const { dismiss } = useDismissals()
  return () => {
    for (const cause of standing.causes) if (cause.cause === 'outage_over') dismiss(cause)
  }
}

/** Everything that holds and was not put away, gravest first, in words. */
export function useTold(): Told[] {
  const { t } = useTranslation()
  const { house, standing, lostSince, now } = useStanding()
  const { left } = useDismissals()
  const reading = useReading(now)
  return ranked(left(standing.causes), lostSince, standing.status.backlog.count).map((fact) =>
    told(fact, t, reading, house),
  )
}
