// One outage in full: why it began, who stopped sending in it, and every try that is kept, with what came of it.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { HeldView, OutageRow, TryView } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, ErrorState, Loading } from '../../components/states'
import { count, moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'

const SKELETON_ROWS = 3

export function OutageInFull({ id }: { id: string }) {
  const { t } = useTranslation()
  const backend = useBackend()
  const { now } = useStanding()
  const reading = useReading(now)
  const columns = useColumns()
  const outage = useQuery({ queryKey: ['outages', id], queryFn: () => backend.outage(id) })
  const again = () => void outage.refetch()
  if (outage.isError)
    return <ErrorState what={t('outages.failed')} safe={t('outages.safe')} code="HF-503" onAgain={again} />
  if (!outage.data) return <Loading rows={SKELETON_ROWS} label={t('outages.loading')} />
  const { tries, left_out, holds, outage: row } = outage.data
  return (
    <section className="block">
      <h2>{t('outages.title', { at: moment(reading, row.first_failure_at) })}</h2>
      <Why row={row} />
      {holds.map((held) => (
        <Held key={held.held_at} held={held} />
      ))}
      <details className="technical" open>
        <summary>{t('outages.tries_of', { count: row.tries, n: count(reading, row.tries) })}</summary>
        {left_out > 0 && <p>{t('outages.left_out', { count: left_out, n: count(reading, left_out) })}</p>}
        <DataTable
          label={t('outages.tries_label')}
          columns={columns}
          rows={tries}
          keyOf={(tried) => String(tried.n)}
          total={tries.length}
          empty={<Empty>{t('outages.not_tried')}</Empty>}
        />
      </details>
    </section>
  )
}

function Why({ row }: { row: OutageRow }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const cause = useCause()
  return (
    <p>
      {cause(row)}
      {row.announced_until && ` ${t('outages.announced', { until: moment(reading, row.announced_until) })}`}
    </p>
  )
}

function Held({ held }: { held: HeldView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const words = {
    from: moment(reading, held.held_at),
    until: moment(reading, held.ended_at ?? held.until),
    by: held.by,
    reason: held.reason,
  }
  return <p>{t('outages.held', words)}</p>
}

/** Why it began, in a sentence. */
export function useCause(): (row: OutageRow) => string {
  const { t } = useTranslation()
  return ({ cause }) => {
    switch (cause) {
      case 'failures':
      case 'announced':
      case 'probes_failed':
      case 'probes_slow':
      case 'held':
        return t(`outages.cause.${cause}`)
      default:
        return t('outages.cause.unknown')
    }
  }
}

function useColumns(): ColumnOf<TryView>[] {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const what = ({ what }: TryView) =>
    what === 'operation' || what === 'look_up' || what === 'probe' ? t(`outages.what.${what}`) : what
  const outcome = ({ outcome }: TryView) =>
    outcome === 'alive' || outcome === 'committed' ? t('outages.answered') : t('outages.no_answer')
  return [
    { id: 'n', head: t('outages.n'), cell: (row) => count(reading, row.n), numeric: true },
    { id: 'at', head: t('outages.at'), cell: (row) => moment(reading, row.at), isRowHeader: true },
    { id: 'what', head: t('outages.what_head'), cell: what },
    { id: 'outcome', head: t('outages.outcome'), cell: (row) => `${outcome(row)} (${row.outcome})` },
    {
      id: 'next',
      head: t('outages.next'),
      cell: (row) => (row.next_try_at ? moment(reading, row.next_try_at) : '–'),
    },
  ]
}
