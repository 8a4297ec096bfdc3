// The breakers in their own words and with exact moments: for whoever is called, not for the counter.

import { useTranslation } from 'react-i18next'
import { useStanding } from '../../frame/StandingContext'

export function Technical() {
  const { t } = useTranslation()
  const { standing } = useStanding()
  return (
    <details className="technical">
      <summary>{t('sync.technical')}</summary>
      <ul className="technical-list">
        {standing.status.breakers.map(({ endpoint, state, since, next_try_at }) => (
          <li key={endpoint}>
            <code>
              {[endpoint, state, `since ${since}`, next_try_at && `next ${next_try_at}`]
                .filter(Boolean)
                .join(', ')}
            </code>
          </li>
        ))}
        <li>
          <code>{`mode ${standing.status.mode}, failed ${standing.status.counts.failed}`}</code>
        </li>
      </ul>
    </details>
  )
}
