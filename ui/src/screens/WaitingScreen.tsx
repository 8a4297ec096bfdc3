// What the permit system has not confirmed, as the station lists it: oldest first.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { QueueRow } from '../api/generated/wire'
import { type ColumnOf, DataTable } from '../components/DataTable'
import { itemState } from '../components/operationStates'
import { StatePill } from '../components/StatePill'
import { Empty, ErrorState, Loading } from '../components/states'
import { moment } from '../format/format'
import { useBackend, useStanding } from '../frame/StandingContext'
import { useKey } from '../keys/Keys'
import { useReading } from '../settings/SettingsProvider'

const ROWS_MAX = 1_000
const SKELETON_ROWS = 8

export function WaitingScreen() {
  const { t } = useTranslation()
  const backend = useBackend()
  const list = useQuery({
    queryKey: ['items', 'waiting'],
    queryFn: () => backend.items({ of: 'waiting', text: '', order: 'oldest_first', skip: 0, rows: ROWS_MAX }),
  })
  const columns = useColumns()
  const again = () => void list.refetch()
  useKey('fetch_again', again)
  if (list.isError)
    return (
      <ErrorState what={t('waiting.failed')} safe={t('waiting.failed_safe')} code="HF-301" onAgain={again} />
    )
  if (!list.data) return <Loading rows={SKELETON_ROWS} label={t('waiting.loading')} />
  return (
    <DataTable
      label={t('waiting.label')}
      columns={columns}
      rows={list.data.rows}
      keyOf={(row) => row.idempotency_key}
      total={list.data.matching}
      empty={<Empty>{t('waiting.empty')}</Empty>}
    />
  )
}

const kinds = [
  'application',
  'stage',
  'inspection',
  'correction',
  'void',
  'hold',
  'notice',
  'fee',
  'note',
  'tag',
  'attachment',
] as const

function useColumns(): ColumnOf<QueueRow>[] {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const kind = (row: QueueRow) =>
    t(`kind.${kinds.find((known) => known === row.kind) ?? 'other'}`, { kind: row.kind })
  return [
    { id: 'receipt', head: t('waiting.receipt'), cell: (row) => row.receipt_no, isRowHeader: true },
    { id: 'kind', head: t('waiting.kind'), cell: kind },
    { id: 'accepted', head: t('waiting.accepted'), cell: (row) => moment(reading, row.accepted_at) },
    {
      id: 'state',
      head: t('waiting.state'),
      cell: (row) => (
        <StatePill state={itemState(row)} time={row.waits_until ? moment(reading, row.waits_until) : ''} />
      ),
    },
    { id: 'attempts', head: t('waiting.attempts'), cell: (row) => row.attempts, numeric: true },
  ]
}
