// What waits, by the hour in which it was accepted: one sentence, bars for the eye, and the same figures as a table.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { BacklogHour, BacklogHours } from '../../api/generated/wire'
import { count, moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useAge } from '../../frame/useAge'
import { useReading } from '../../settings/SettingsProvider'
import { BacklogBars } from './BacklogBars'

export function Backlog() {
  const { t } = useTranslation()
  const backend = useBackend()
  const summary = useSummary()
  const hours = useQuery({ queryKey: ['backlog-hours'], queryFn: () => backend.backlogHours() }).data
  const some = hours?.hours.some(({ waiting }) => waiting > 0)
  return (
    <section className="block">
      <h2>{t('sync.backlog')}</h2>
      <p>{summary(hours)}</p>
      {hours && some && <BacklogBars backlog={hours} />}
      {hours && some && <Figures hours={hours} />}
    </section>
  )
}

/** "12 items wait, the oldest since 8:05 AM (2 h). Most of them, 7, are from the hour of 9 AM." */
function useSummary(): (hours: BacklogHours | undefined) => string {
  const { t } = useTranslation()
  const { standing, now } = useStanding()
  const reading = useReading(now)
  const age = useAge()
  const { count: waiting, oldest_accepted_at: oldest } = standing.status.backlog
  return (hours) => {
    if (waiting === 0 || oldest === null) return t('sync.nothing_waits')
    const all = t('sync.waits', {
      count: waiting,
      n: count(reading, waiting),
      oldest: moment(reading, oldest),
      age: age(oldest),
    })
    const most = hours?.hours.reduce<BacklogHour | null>(
      (best, hour) => (hour.waiting > (best?.waiting ?? 0) ? hour : best),
      null,
    )
    if (!most) return all
    const at = moment(reading, most.from)
    if (most.waiting === waiting) return `${all} ${t('sync.most_all', { count: waiting, at })}`
    return `${all} ${t('sync.most', { count: most.waiting, n: count(reading, most.waiting), at })}`
  }
}

function Figures({ hours: { hours, earlier } }: { hours: BacklogHours }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const rows = [
    ...(earlier > 0 ? [{ id: 'earlier', when: t('sync.earlier'), waiting: earlier }] : []),
    ...hours.map(({ from, waiting }) => ({ id: from, when: moment(reading, from), waiting })),
  ]
  return (
    <details className="technical">
      <summary>{t('sync.as_table')}</summary>
      <table className="figures-table">
        <thead>
          <tr>
            <th scope="col">{t('sync.hour')}</th>
            <th scope="col" className="number">
              {t('sync.waiting')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, when, waiting }) => (
            <tr key={id}>
              <th scope="row">{when}</th>
              <td className="number">{count(reading, waiting)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
