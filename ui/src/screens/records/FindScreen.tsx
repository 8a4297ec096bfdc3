// Any record that this computer knows, whether it was copied from the permit system or taken in here. Each row says how
// old its copy is.

import { useTranslation } from 'react-i18next'
import type { RecordRow } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, ErrorState, Loading } from '../../components/states'
import { count, moment } from '../../format/format'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { Typed } from './Cells'
import { CopyAge } from './CopyAge'
import { useStageWord } from './itemWords'
import { useTextInAddress } from './useTextInAddress'
import { ROWS_MAX, useWhole } from './useWhole'
import './records.css'

const RECENT_ROWS = 20
const SKELETON_ROWS = 12

export function FindScreen() {
  const { t } = useTranslation()
  const backend = useBackend()
  const [text, setText] = useTextInAddress()
  const typed = text.trim() !== ''
  const list = useWhole({
    key: ['find', text],
    page: (skip, rows) => backend.find({ text, skip, rows }),
    rowsMax: typed ? ROWS_MAX : RECENT_ROWS,
  })
  const columns = useColumns()
  if (list.failed)
    return (
      <ErrorState
        what={t('find.failed')}
        safe={t('waiting.failed_safe')}
        code="HF-303"
        onAgain={list.again}
      />
    )
  if (!list.last) return <Loading rows={SKELETON_ROWS} label={t('find.loading')} />
  const { known, matching, copied_at } = list.last
  return (
    <>
      {!typed && known > 0 && <p className="list-above">{t('find.recent')}</p>}
      <DataTable
        label={t('find.table')}
        columns={columns}
        rows={list.rows}
        keyOf={(row) => row.application_id}
        request={list.request}
        pages={list.pages}
        total={known}
        matching={typed ? matching : list.rows.length}
        settled={list.settled}
        onOpen={(id) => go(`app/${id}`)}
        filter={{ value: text, onChange: setText, label: t('find.search') }}
        onAgain={list.again}
        empty={<NoMatch text={text} copiedAt={copied_at} />}
      />
    </>
  )
}

function NoMatch({ text, copiedAt }: { text: string; copiedAt: string | null }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  if (text.trim() === '') return <Empty>{t('find.no_records')}</Empty>
  const address = new URLSearchParams({ address: text.trim() })
  return (
    <Empty action={{ word: t('find.new_here'), act: () => go(`counter/new?${address}`) }}>
      {copiedAt === null ? t('find.no_match_no_copy') : t('find.no_match', { at: moment(reading, copiedAt) })}
    </Empty>
  )
}

function useColumns(): ColumnOf<RecordRow>[] {
  const { t } = useTranslation()
  const stage = useStageWord()
  const { now } = useStanding()
  const reading = useReading(now)
  return [
    {
      id: 'number',
      head: t('find.number'),
      cell: (row) => row.permit_num ?? row.receipt_no,
      isRowHeader: true,
      share: 1.4,
    },
    { id: 'address', head: t('find.address'), cell: (row) => <Typed>{row.address}</Typed>, share: 2 },
    { id: 'applicant', head: t('find.applicant'), cell: (row) => <Typed>{row.applicant}</Typed>, share: 2 },
    { id: 'stage', head: t('find.stage'), cell: (row) => stage(row.stage), share: 1.5 },
    {
      id: 'waiting',
      head: t('find.waiting'),
      cell: (row) => (row.waiting > 0 ? count(reading, row.waiting) : ''),
      numeric: true,
    },
    { id: 'copy', head: t('find.copy'), cell: (row) => <CopyAge copiedAt={row.copied_at} />, share: 1.5 },
  ]
}
