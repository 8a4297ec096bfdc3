// The systems that this computer speaks with, its books, and what waits, in the terms of the person who answers for it.
// The breaker's own words are under Technical details only.

import { useTranslation } from 'react-i18next'
import type { EndpointView, ModeCause } from '../../api/generated/wire'
import { Pill } from '../../components/StatePill'
import { moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { doings, nameOf, useDoing } from '../../frame/Strip'
import { useAge } from '../../frame/useAge'
import { useReading } from '../../settings/SettingsProvider'
import { Backlog } from './Backlog'
import { BooksSum } from './BooksSum'
import { Missing } from './Missing'
import { StopSending } from './StopSending'
import { Technical } from './Technical'
import '../screens.css'
import './oversight.css'

export function SyncScreen() {
  const { t } = useTranslation()
  const { standing } = useStanding()
  return (
    <>
      <Missing />
      <BooksSum books={standing.status.books} />
      <section className="block">
        <h2>{t('sync.endpoints')}</h2>
        <ul className="endpoints">
          {standing.endpoints.map((endpoint) => (
            <Endpoint key={endpoint.name} endpoint={endpoint} />
          ))}
        </ul>
        <Technical />
      </section>
      <Backlog />
      <Rules />
    </>
  )
}

function Endpoint({ endpoint }: { endpoint: EndpointView }) {
  const { t } = useTranslation()
  const words = useDoing()
  const why = useWhy()
  const called = t(`endpoint.name.${nameOf(endpoint.name)}`, { name: endpoint.name })
  return (
    <li className="endpoint">
      <strong>{called}</strong>
      <Pill {...doings[endpoint.doing.doing]} shape="outline" word={words(endpoint.doing)} />
      <span className="endpoint-why">{why(endpoint)}</span>
      {endpoint.name === PRIMARY && <StopSending endpoint={endpoint} called={called} />}
    </li>
  )
}

/** The endpoint that the causes are about. */
const PRIMARY = 'primary'

/** Since when, or who and why: from the causes, which are about the permit system. */
function useWhy(): (endpoint: EndpointView) => string {
  const { t } = useTranslation()
  const { standing, now } = useStanding()
  const reading = useReading(now)
  const age = useAge()
  return ({ name, doing }) => {
    const cause = (wanted: ModeCause['cause']) => standing.causes.find((one) => one.cause === wanted)
    if (doing.doing === 'stopped') {
      const stopped = cause('sending_stopped')
      if (stopped?.cause !== 'sending_stopped') return ''
      return t('sync.why.stopped', { until: moment(reading, stopped.until), reason: stopped.reason })
    }
    // Each try that fails begins anew for the breaker; for a person it is one outage, as the mode bar says.
    const away = name === PRIMARY ? cause('not_answering') : undefined
    const since =
      away?.cause === 'not_answering'
        ? away.since
        : standing.status.breakers.find(({ endpoint }) => endpoint === name)?.since
    if (since === undefined) return ''
    const figures = { since: moment(reading, since), age: age(since) }
    return doing.doing === 'answering' ? t('sync.why.answering', figures) : t('sync.why.since', figures)
  }
}

function Rules() {
  const { t } = useTranslation()
  const { standing, now } = useStanding()
  const reading = useReading(now)
  const { contract } = standing.status
  const pairs = [
    [
      t('sync.rules'),
      contract.version === null ? t('sync.no_rules') : t('sync.version', { n: contract.version }),
    ],
    [t('sync.as_of'), contract.valid_as_of === null ? '–' : moment(reading, contract.valid_as_of)],
    [
      t('sync.until'),
      standing.rules_until === null ? t('strip.rules_not_good') : moment(reading, standing.rules_until),
    ],
  ]
  return (
    <section className="block">
      <h2>{t('sync.rules_title')}</h2>
      <dl className="pairs">
        {pairs.map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
