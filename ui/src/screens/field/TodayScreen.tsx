// The visits of the day, in the order in which they are made, overdue ones first: from the copy, whose age is on top.
// Order, ages and what is too old to show are the station's.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { InspectionRow, InspectionsView } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Pill, StatePill } from '../../components/StatePill'
import { Empty, ErrorState, Loading } from '../../components/states'
import { moment } from '../../format/format'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { useInspectionTypeWord } from '../records/itemWords'
import { Copy } from './Copy'
import { stateOf, useResultWord, useVisitTime } from './words'

const SKELETON_ROWS = 6

export function TodayScreen() {
  const { t } = useTranslation()
  const backend = useBackend()
  const view = useQuery({ queryKey: ['inspections'], queryFn: () => backend.inspections() })
  if (view.isError)
    return (
      <ErrorState
        what={t('today.failed')}
        safe={t('field.failed_safe')}
        code="HF-401"
        onAgain={() => void view.refetch()}
      />
    )
  if (!view.data) return <Loading rows={SKELETON_ROWS} label={t('today.loading')} />
  return (
    <>
      <Copy copiedAt={view.data.copied_at} />
      <Visits view={view.data} />
    </>
  )
}

function Visits({ view }: { view: InspectionsView }) {
  const { t } = useTranslation()
  const columns = useColumns()
  return (
    <DataTable
      label={t('today.label')}
      columns={columns}
      rows={view.rows}
      keyOf={(row) => row.inspection_id}
      total={view.rows.length}
      onOpen={(id) => go(`inspection/${encodeURIComponent(id)}`)}
      empty={<NoVisits view={view} />}
    />
  )
}

function NoVisits({ view }: { view: InspectionsView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const at = view.copied_at ? moment(reading, view.copied_at) : ''
  const why = view.copied_at === null ? 'none' : view.age
  return <Empty>{t(`today.empty.${why}`, { at })}</Empty>
}

function useColumns(): ColumnOf<InspectionRow>[] {
  const { t } = useTranslation()
  const time = useVisitTime()
  const type = useInspectionTypeWord()
  return [
    { id: 'address', head: t('today.address'), cell: (row) => row.address ?? '–', isRowHeader: true },
    { id: 'inspection', head: t('today.inspection'), cell: (row) => type(row.insp_type) },
    { id: 'when', head: t('today.when'), cell: time },
    { id: 'permit', head: t('today.permit'), cell: (row) => row.permit_num ?? t('field.number_follows') },
    { id: 'state', head: t('today.state'), cell: (row) => <HowItStands row={row} /> },
  ]
}

function HowItStands({ row }: { row: InspectionRow }) {
  const { t } = useTranslation()
  const word = useResultWord()
  if (row.result)
    return (
      <span className="visit-result">
        <strong>{word(row.result.result)}</strong>
        <StatePill state={stateOf(row.result)} />
      </span>
    )
  return row.overdue_days > 0 ? <Overdue days={row.overdue_days} /> : t('today.to_visit')
}

export function Overdue({ days }: { days: number }) {
  const { t } = useTranslation()
  return <Pill icon="warning" tone="stop" shape="outline" word={t('field.overdue', { count: days })} />
}
