// The line of facts at the foot of the window: each endpoint, and until when the rules are good. Silent and small; with
// lost contact it says as of when, and no figure in it looks alive.

import { useTranslation } from 'react-i18next'
import type { EndpointDoing, EndpointView } from '../api/generated/wire'
import { Landmark } from '../components/Landmark'
import type { Tone } from '../components/operationStates'
import { moment, timeOfDay } from '../format/format'
import { Icon, type IconName } from '../look/Icon'
import { useReading } from '../settings/SettingsProvider'
import { useStanding } from './StandingContext'
import './strip.css'

export const doings: Record<EndpointDoing['doing'], { icon: IconName; tone: Tone }> = {
  answering: { icon: 'check_circle_outline', tone: 'quiet' },
  not_answering: { icon: 'cancel', tone: 'attention' },
  trying_once: { icon: 'loop', tone: 'action' },
  asks_to_wait: { icon: 'hourglass_empty', tone: 'attention' },
  stopped: { icon: 'do_not_disturb', tone: 'attention' },
  wrong_system: { icon: 'report', tone: 'stop' },
  refuses_station: { icon: 'lock', tone: 'stop' },
  not_tried: { icon: 'radio_button_unchecked', tone: 'quiet' },
}

export function Strip() {
  const { t } = useTranslation()
  return (
    <Landmark role="contentinfo" label={t('strip.label')} className="strip">
      <Facts />
    </Landmark>
  )
}

/** Also shown in Details, where the narrow frame has no strip. */
export function Facts() {
  const { t } = useTranslation()
  const { standing, lostSince, now } = useStanding()
  const reading = useReading(now)
  const rules = standing.rules_until
  return (
    <ul className="facts">
      {lostSince !== null && (
        <li className="fact">
          <Icon name="link_off" />
          {t('strip.as_of', { at: moment(reading, lostSince) })}
        </li>
      )}
      {standing.endpoints.map((endpoint) => (
        <EndpointFact key={endpoint.name} endpoint={endpoint} />
      ))}
      <li className="fact">
        {rules === null
          ? t('strip.rules_not_good')
          : t('strip.rules_until', { until: moment(reading, rules) })}
      </li>
    </ul>
  )
}

function EndpointFact({ endpoint }: { endpoint: EndpointView }) {
  const { t } = useTranslation()
  const words = useDoing()
  const { icon, tone } = doings[endpoint.doing.doing]
  return (
    <li className="fact" data-tone={tone}>
      <Icon name={icon} />
      {t('strip.endpoint', {
        name: t(`endpoint.name.${nameOf(endpoint.name)}`, { name: endpoint.name }),
        doing: words(endpoint.doing),
      })}
    </li>
  )
}

export function nameOf(name: string): 'primary' | 'gis' | 'mirror' | 'board' | 'other' {
  return name === 'primary' || name === 'gis' || name === 'mirror' || name === 'board' ? name : 'other'
}

/** What an endpoint does, in words; no countdown while the station is not heard. */
export function useDoing(): (doing: EndpointDoing) => string {
  const { t } = useTranslation()
  const { lostSince, now } = useStanding()
  const reading = useReading(now)
  return (doing) => {
    switch (doing.doing) {
      case 'not_answering':
        if (doing.next_try_at === null || lostSince !== null) return t('endpoint.not_answering')
        return t('endpoint.next_try', { at: timeOfDay(reading, new Date(doing.next_try_at)) })
      case 'asks_to_wait':
        return t('endpoint.asks_to_wait', { until: moment(reading, doing.until) })
      case 'stopped':
        return t('endpoint.stopped', { by: doing.by })
      case 'answering':
      case 'trying_once':
      case 'wrong_system':
      case 'refuses_station':
      case 'not_tried':
        return t(`endpoint.${doing.doing}`)
    }
  }
}
