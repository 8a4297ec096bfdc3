// The outage register: what happened, latest first. One that goes on has no end yet, and its figures are so far.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OutageRow } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Pill } from '../../components/StatePill'
import { Empty, ErrorState, Loading } from '../../components/states'
import { age, count, moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { nameOf } from '../../frame/Strip'
import { useAge } from '../../frame/useAge'
import { useReading } from '../../settings/SettingsProvider'
import { OutageInFull, useCause } from './OutageInFull'

const ROWS_MAX = 500
const SKELETON_ROWS = 6

export function OutagesScreen() {
  const { t } = useTranslation()
  const backend = useBackend()
  const list = useQuery({
    queryKey: ['outages'],
    queryFn: () => backend.outages({ skip: 0, rows: ROWS_MAX }),
  })
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useColumns()
  const again = () => void list.refetch()
  if (list.isError)
    return <ErrorState what={t('outages.failed')} safe={t('outages.safe')} code="HF-502" onAgain={again} />
  if (!list.data) return <Loading rows={SKELETON_ROWS} label={t('outages.loading')} />
  return (
    <>
      <DataTable
        label={t('outages.label')}
        columns={columns}
        rows={list.data.rows}
        keyOf={(row) => row.outage_id}
        total={list.data.all}
        onOpen={setOpened}
        onAgain={again}
        empty={<Empty>{t('outages.empty')}</Empty>}
      />
      {opened && <OutageInFull key={opened} id={opened} />}
    </>
  )
}

function useColumns(): ColumnOf<OutageRow>[] {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const length = useLength()
  const cause = useCause()
  const at = (time: string) => moment(reading, time)
  const figure = (row: OutageRow, n: number) =>
    row.closed_at === null ? t('outages.so_far', { n: count(reading, n) }) : count(reading, n)
  return [
    {
      id: 'endpoint',
      head: t('outages.endpoint'),
      cell: (row) => t(`endpoint.name.${nameOf(row.endpoint)}`, { name: row.endpoint }),
      isRowHeader: true,
    },
    { id: 'cause', head: t('outages.why'), cell: cause },
    { id: 'first', head: t('outages.first'), cell: (row) => at(row.first_failure_at) },
    { id: 'tripped', head: t('outages.tripped'), cell: (row) => at(row.tripped_at) },
    { id: 'closed', head: t('outages.closed'), cell: (row) => (row.closed_at ? at(row.closed_at) : '–') },
    { id: 'length', head: t('outages.length'), cell: (row) => <Length row={row} words={length(row)} /> },
    { id: 'tries', head: t('outages.tries'), cell: (row) => figure(row, row.tries), numeric: true },
    {
      id: 'accepted',
      head: t('outages.accepted'),
      cell: (row) => figure(row, row.books.accepted),
      numeric: true,
    },
    {
      id: 'recorded',
      head: t('outages.recorded'),
      cell: (row) => figure(row, row.books.committed),
      numeric: true,
    },
    {
      id: 'decide',
      head: t('outages.decide'),
      cell: (row) => figure(row, row.books.quarantined),
      numeric: true,
    },
  ]
}

function Length({ row, words }: { row: OutageRow; words: string }) {
  const { t } = useTranslation()
  if (row.closed_at !== null) return words
  return (
    <Pill icon="cancel" tone="attention" shape="outline" word={t('outages.going_on', { length: words })} />
  )
}

/** From the first failure to the end, or to now. */
function useLength(): (row: OutageRow) => string {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const soFar = useAge()
  return ({ first_failure_at, closed_at }) => {
    if (closed_at === null) return soFar(first_failure_at)
    const length = age(new Date(closed_at), first_failure_at)
    if (length.unit === 'now') return t('outages.under_a_minute')
    return t(`age.${length.unit}`, { count: length.n, n: count(reading, length.n) })
  }
}
