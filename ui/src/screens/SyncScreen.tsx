// The systems that this computer speaks with, its books, and what waits, in the terms of the person who answers for it.

import { useTranslation } from 'react-i18next'
import { Pill } from '../components/StatePill'
import { count, moment } from '../format/format'
import { Books } from '../frame/Details'
import { useStanding } from '../frame/StandingContext'
import { doings, nameOf, useDoing } from '../frame/Strip'
import { useReading } from '../settings/SettingsProvider'
import './screens.css'

export function SyncScreen() {
  const { t } = useTranslation()
  const { standing } = useStanding()
  const words = useDoing()
  return (
    <>
      <section className="block">
        <h2>{t('sync.endpoints')}</h2>
        <dl className="pairs">
          {standing.endpoints.map((endpoint) => (
            <div key={endpoint.name} className="pair">
              <dt>{t(`endpoint.name.${nameOf(endpoint.name)}`, { name: endpoint.name })}</dt>
              <dd>
                <Pill {...doings[endpoint.doing.doing]} shape="outline" word={words(endpoint.doing)} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Backlog />
      <Books />
    </>
  )
}

function Backlog() {
  const { t } = useTranslation()
  const { standing, now } = useStanding()
  const reading = useReading(now)
  const { backlog, contract } = standing.status
  const rules = contract.version !== null && contract.valid_as_of !== null
  return (
    <dl className="pairs">
      <div className="pair">
        <dt>{t('sync.backlog')}</dt>
        <dd>{count(reading, backlog.count)}</dd>
      </div>
      {backlog.oldest_accepted_at && (
        <div className="pair">
          <dt>{t('sync.oldest')}</dt>
          <dd>{moment(reading, backlog.oldest_accepted_at)}</dd>
        </div>
      )}
      <div className="pair">
        <dt>{t('sync.rules')}</dt>
        <dd>
          {rules
            ? t('sync.rules_version', {
                version: contract.version,
                at: moment(reading, contract.valid_as_of ?? ''),
              })
            : t('sync.no_rules')}
        </dd>
      </div>
    </dl>
  )
}
