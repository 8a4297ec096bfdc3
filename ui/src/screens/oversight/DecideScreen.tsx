// What waits for a person, oldest first; each opens on a page of its own.

import { useTranslation } from 'react-i18next'
import type { ItemRow } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, ErrorState, Loading } from '../../components/states'
import { go } from '../../frame/routes'
import { AcceptedAt, Typed, What, Why } from '../records/Cells'
import { DecidedLine, useDecided } from './decided'
import { useUndecided } from './useUndecided'
import '../records/records.css'

const SKELETON_ROWS = 6

export function DecideScreen() {
  const { t } = useTranslation()
  const list = useUndecided()
  const columns = useColumns()
  const { putAway } = useDecided()
  const open = (id: string) => {
    putAway()
    go(`decision/${id}`)
  }
  if (list.isError)
    return (
      <ErrorState
        what={t('decide.failed')}
        safe={t('decide.failed_safe')}
        code="HF-501"
        onAgain={() => void list.refetch()}
      />
    )
  if (!list.data) return <Loading rows={SKELETON_ROWS} label={t('decide.loading')} />
  return (
    <>
      <DecidedLine />
      <DataTable
        label={t('decide.label')}
        columns={columns}
        rows={list.data.rows}
        keyOf={(row) => row.operation_id}
        total={list.data.all}
        matching={list.data.matching}
        onOpen={open}
        onAgain={() => void list.refetch()}
        empty={<Empty>{t('decide.empty')}</Empty>}
      />
    </>
  )
}

function useColumns(): ColumnOf<ItemRow>[] {
  const { t } = useTranslation()
  return [
    { id: 'receipt', head: t('waiting.receipt'), cell: (row) => row.receipt_no, isRowHeader: true },
    { id: 'what', head: t('waiting.what'), cell: (row) => <What row={row} /> },
    { id: 'address', head: t('waiting.address'), cell: (row) => <Typed>{row.address}</Typed> },
    { id: 'why', head: t('sent_back.why'), cell: (row) => <Why row={row} /> },
    { id: 'accepted', head: t('waiting.accepted'), cell: (row) => <AcceptedAt row={row} /> },
    { id: 'by', head: t('decide.by'), cell: (row) => <bdi>{row.actor}</bdi> },
  ]
}
