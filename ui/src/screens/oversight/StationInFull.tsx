// What waits at one computer, as it told the board last: by numbers, times and who handed it in. Nothing of the forms is
// known here.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { StationItem, StationRow } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, ErrorState, Loading } from '../../components/states'
import { count, moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { useKindWord, useWhyWord } from '../records/itemWords'

const SKELETON_ROWS = 3

export function StationInFull({ id }: { id: string }) {
  const { t } = useTranslation()
  const backend = useBackend()
  const { now } = useStanding()
  const reading = useReading(now)
  const columns = useColumns()
  const told = useQuery({ queryKey: ['stations', id], queryFn: () => backend.station(id) })
  const again = () => void told.refetch()
  if (told.isError)
    return <ErrorState what={t('stations.failed')} safe={t('stations.safe')} code="HF-507" onAgain={again} />
  if (!told.data) return <Loading rows={SKELETON_ROWS} label={t('stations.loading')} />
  const { station, waiting, left_out } = told.data
  return (
    <section className="block">
      <h2>{t('stations.title', { name: id })}</h2>
      {station && <Standing row={station} />}
      <DataTable
        label={t('stations.waiting_label', { name: id })}
        columns={columns}
        rows={waiting}
        keyOf={(item) => item.receipt_no}
        total={waiting.length}
        empty={<Empty>{t('stations.nothing_waits')}</Empty>}
      />
      {left_out > 0 && <p>{t('stations.left_out', { count: left_out, n: count(reading, left_out) })}</p>}
    </section>
  )
}

function Standing({ row: { since, contract, head } }: { row: StationRow }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const rules = contract && t(`stations.rules_${contract.valid ? 'valid' : 'stale'}`, { n: contract.version })
  return (
    <>
      <p>
        {since && `${t('stations.since', { at: moment(reading, since) })} `}
        {rules ?? t('stations.no_rules')}
      </p>
      <details className="technical">
        <summary>{t('stations.technical')}</summary>
        <p>
          {t('stations.head', { seq: head.seq, at: moment(reading, head.at) })} <code>{head.hash}</code>
        </p>
      </details>
    </>
  )
}

function useColumns(): ColumnOf<StationItem>[] {
  const { t } = useTranslation()
  const kind = useKindWord()
  const why = useWhyWord()
  const { now } = useStanding()
  const reading = useReading(now)
  const waits = ({ state, reason }: StationItem) =>
    state === 'quarantined'
      ? why(reason)
      : t(`stations.state.${state === 'in_flight' ? 'sending' : 'waiting'}`)
  return [
    { id: 'receipt', head: t('stations.receipt'), cell: (item) => item.receipt_no, isRowHeader: true },
    { id: 'number', head: t('stations.number'), cell: (item) => item.permit_num ?? '–' },
    { id: 'kind', head: t('stations.kind'), cell: (item) => kind(item.kind) },
    { id: 'accepted', head: t('stations.accepted'), cell: (item) => moment(reading, item.accepted_at) },
    { id: 'who', head: t('stations.who'), cell: (item) => item.actor ?? '–' },
    { id: 'state', head: t('stations.state_head'), cell: waits },
  ]
}
