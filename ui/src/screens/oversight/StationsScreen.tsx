// What every computer of the office told the board last: who is heard, and how much waits where. A board that does not
// answer leaves its last word standing, with its age. What is known here is shown at once; the board is asked beside it.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StationRow, StationsView } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Pill } from '../../components/StatePill'
import { Empty, ErrorState, Loading, NoticeLine } from '../../components/states'
import { age, count, moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useAge } from '../../frame/useAge'
import { useReading } from '../../settings/SettingsProvider'
import { StationInFull } from './StationInFull'
import { useAskBoard } from './useAskBoard'

const SKELETON_ROWS = 4

export function StationsScreen() {
  const { t } = useTranslation()
  const backend = useBackend()
  const known = useQuery({ queryKey: ['stations'], queryFn: () => backend.stations() })
  const { said, ask, asking } = useAskBoard()
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useColumns()
  const again = () => {
    void known.refetch()
    ask()
  }
  if (known.isError)
    return <ErrorState what={t('stations.failed')} safe={t('stations.safe')} code="HF-506" onAgain={again} />
  if (!known.data || (asking && known.data.as_of === null))
    return <Loading rows={SKELETON_ROWS} label={t('stations.loading')} />
  const view = { ...known.data, board: said ?? known.data.board }
  if (view.board.said === 'no_board') return <Empty>{t('stations.no_board')}</Empty>
  return (
    <>
      <AsOf view={view} />
      <DataTable
        label={t('stations.label')}
        columns={columns}
        rows={view.stations}
        keyOf={(row) => row.station_id}
        total={view.stations.length}
        onOpen={setOpened}
        onAgain={again}
        empty={<Empty>{t(view.as_of === null ? 'stations.never' : 'stations.empty')}</Empty>}
      />
      {opened && <StationInFull key={opened} id={opened} />}
    </>
  )
}

/** As of when, and why it is not of now. */
function AsOf({ view: { board, as_of } }: { view: StationsView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const old = useAge()
  const words = as_of === null ? null : { at: moment(reading, as_of), age: old(as_of) }
  switch (board.said) {
    case 'answered':
    case 'not_asked':
    case 'no_board':
      return words && <p>{t('stations.as_of', words)}</p>
    case 'not_answering':
    case 'refused':
    case 'wrong_system':
      return (
        <NoticeLine tone="attention">
          {t(`stations.said.${board.said}`)}{' '}
          {t(words ? 'stations.last_word' : 'stations.no_word', words ?? {})}
        </NoticeLine>
      )
  }
}

function useColumns(): ColumnOf<StationRow>[] {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const at = (time: string | null) => (time ? moment(reading, time) : '–')
  return [
    {
      id: 'station',
      head: t('stations.station'),
      cell: (row) => t(`stations.name.${row.whose}`, { name: row.station_id }),
      isRowHeader: true,
    },
    { id: 'heard', head: t('stations.heard'), cell: (row) => <Heard row={row} /> },
    {
      id: 'waiting',
      head: t('stations.waiting'),
      cell: (row) => count(reading, row.books.pending + row.books.in_flight),
      numeric: true,
    },
    {
      id: 'decide',
      head: t('stations.decide'),
      cell: (row) => count(reading, row.books.quarantined),
      numeric: true,
    },
    { id: 'oldest', head: t('stations.oldest'), cell: (row) => at(row.oldest_accepted_at) },
    { id: 'mode', head: t('stations.mode_head'), cell: (row) => t(`stations.mode.${modeOf(row.mode)}`) },
    { id: 'program', head: t('stations.program'), cell: (row) => row.program },
  ]
}

/** One that is silent is never called well. */
function Heard({ row }: { row: StationRow }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const ago = useAge()
  switch (row.hearing) {
    case 'heard':
      return (
        <Pill
          icon="check_circle_outline"
          tone="quiet"
          shape="outline"
          word={t(`stations.heard_${age(now, row.heard_at).unit === 'now' ? 'now' : 'ago'}`, {
            age: ago(row.heard_at),
          })}
        />
      )
    case 'silent':
      return (
        <Pill
          icon="help_outline"
          tone="attention"
          shape="outline"
          word={t('stations.silent', { at: moment(reading, row.heard_at), age: ago(row.heard_at) })}
        />
      )
  }
}

const modes = ['intake_paused', 'held', 'degraded', 'recovering', 'normal'] as const

function modeOf(mode: string): (typeof modes)[number] | 'other' {
  return modes.find((known) => known === mode) ?? 'other'
}
