// What the permit system has not confirmed: oldest first, the items of one application together, with what was answered
// last in words and the next try said once.

import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemOrder, ItemRow } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, ErrorState, Loading } from '../../components/states'
import { moment, timeOfDay } from '../../format/format'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading, useSettings } from '../../settings/SettingsProvider'
import { AcceptedAt, LastAnswer, Typed, What } from './Cells'
import { ItemPill } from './ItemPill'
import { inLanes } from './lanes'
import { useTextInAddress } from './useTextInAddress'
import { useWhole } from './useWhole'
import './records.css'

const SKELETON_ROWS = 8

export function WaitingScreen() {
  const { t } = useTranslation()
  const backend = useBackend()
  const { settings, change } = useSettings()
  const [text, setText] = useTextInAddress()
  const order = settings.waitingOrder
  const list = useWhole({
    key: ['items', 'waiting', text, order],
    page: (skip, rows) => backend.items({ of: 'waiting', text, order, skip, rows }),
  })
  const rows = useMemo(() => (order === 'oldest_first' ? inLanes(list.rows) : list.rows), [list.rows, order])
  const columns = useColumns()
  if (list.failed)
    return (
      <ErrorState
        what={t('waiting.failed')}
        safe={t('waiting.failed_safe')}
        code="HF-301"
        onAgain={list.again}
      />
    )
  if (!list.last) return <Loading rows={SKELETON_ROWS} label={t('waiting.loading')} />
  return (
    <>
      {list.last.all > 0 && <NextTry />}
      <DataTable
        label={t('waiting.label')}
        columns={columns}
        rows={rows}
        keyOf={(row) => row.operation_id}
        request={list.request}
        pages={list.pages}
        total={list.last.all}
        matching={list.last.matching}
        settled={list.settled}
        onOpen={(id) => go(`receipt/${id}`)}
        menu={(row) => [{ id: 'lane', word: t('waiting.lane'), act: () => go(`app/${row.application_id}`) }]}
        filter={list.last.all > 0 ? { value: text, onChange: setText } : undefined}
        sort={{ column: 'accepted', direction: order === 'oldest_first' ? 'ascending' : 'descending' }}
        onSort={({ direction }) => change({ waitingOrder: orderOf(direction) })}
        onAgain={list.again}
        empty={<NothingWaits filtered={list.last.all > 0} lastAt={list.last.last_recorded_at} />}
      />
    </>
  )
}

function orderOf(direction: 'ascending' | 'descending'): ItemOrder {
  return direction === 'ascending' ? 'oldest_first' : 'newest_first'
}

function NothingWaits({ filtered, lastAt }: { filtered: boolean; lastAt: string | null }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  if (filtered) return <Empty>{t('waiting.none_match')}</Empty>
  if (lastAt === null) return <Empty>{t('waiting.empty')}</Empty>
  return <Empty>{t('waiting.empty_since', { at: moment(reading, lastAt) })}</Empty>
}

/** Once for the whole list; no countdown while the station is not heard. */
function NextTry() {
  const { t } = useTranslation()
  const { standing, lostSince, now } = useStanding()
  const reading = useReading(now)
  const doing = standing.endpoints.find(({ name }) => name === 'primary')?.doing
  const next = doing?.doing === 'not_answering' && lostSince === null ? doing.next_try_at : null
  return (
    <p className="list-above">
      {next !== null && `${t('waiting.next_try', { at: timeOfDay(reading, new Date(next)) })} `}
      {t('waiting.stays')}
    </p>
  )
}

function useColumns(): ColumnOf<ItemRow>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      {
        id: 'receipt',
        head: t('waiting.receipt'),
        cell: (row) => row.receipt_no,
        isRowHeader: true,
        share: 1.4,
      },
      { id: 'what', head: t('waiting.what'), cell: (row) => <What row={row} />, share: 2 },
      { id: 'address', head: t('waiting.address'), cell: (row) => <Typed>{row.address}</Typed>, share: 1.8 },
      {
        id: 'accepted',
        head: t('waiting.accepted'),
        cell: (row) => <AcceptedAt row={row} />,
        sortable: true,
        share: 1.3,
      },
      { id: 'state', head: t('waiting.state'), cell: (row) => <ItemPill item={row} />, share: 2.5 },
      { id: 'answer', head: t('waiting.answer'), cell: (row) => <LastAnswer row={row} />, share: 2 },
    ],
    [t],
  )
}
