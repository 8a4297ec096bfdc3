// What this person handed in and what became of it, newest first; each changes its state in place.

import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemRow } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, ErrorState, Loading } from '../../components/states'
import { go } from '../../frame/routes'
import { useBackend } from '../../frame/StandingContext'
import { AcceptedAt, Typed, What } from '../records/Cells'
import { ItemPill } from '../records/ItemPill'
import { useTextInAddress } from '../records/useTextInAddress'
import { useWhole } from '../records/useWhole'
import '../records/records.css'

const SKELETON_ROWS = 8
const ROWS_MAX = 1_000

export function SentScreen() {
  const { t } = useTranslation()
  const backend = useBackend()
  const [text, setText] = useTextInAddress()
  const list = useWhole({
    key: ['items', 'own', text],
    page: (skip, rows) => backend.items({ of: 'own', text, order: 'newest_first', skip, rows }),
    rowsMax: ROWS_MAX,
  })
  const columns = useColumns()
  if (list.failed)
    return (
      <ErrorState what={t('sent.failed')} safe={t('field.failed_safe')} code="HF-404" onAgain={list.again} />
    )
  if (!list.last) return <Loading rows={SKELETON_ROWS} label={t('sent.loading')} />
  const open = list.rows.filter(({ state }) => state !== 'committed' && state !== 'voided').length
  const some = list.last.all > 0
  return (
    <>
      {some && (
        <p className="list-above">{t(open === 0 ? 'sent.all_recorded' : 'sent.waits', { count: open })}</p>
      )}
      <DataTable
        label={t('sent.label')}
        columns={columns}
        rows={list.rows}
        keyOf={(row) => row.operation_id}
        pages={list.pages}
        total={list.last.all}
        matching={list.last.matching}
        settled={list.settled}
        onOpen={(id) => go(`receipt/${id}`)}
        filter={some ? { value: text, onChange: setText } : undefined}
        onAgain={list.again}
        empty={<Empty>{t(some ? 'sent.none_match' : 'sent.all_recorded')}</Empty>}
      />
    </>
  )
}

function useColumns(): ColumnOf<ItemRow>[] {
  const { t } = useTranslation()
  return useMemo(
    () => [
      { id: 'receipt', head: t('waiting.receipt'), cell: (row) => row.receipt_no, isRowHeader: true },
      { id: 'what', head: t('waiting.what'), cell: (row) => <What row={row} />, share: 2 },
      { id: 'address', head: t('waiting.address'), cell: (row) => <Typed>{row.address}</Typed>, share: 2 },
      { id: 'accepted', head: t('waiting.accepted'), cell: (row) => <AcceptedAt row={row} /> },
      { id: 'state', head: t('waiting.state'), cell: (row) => <ItemPill item={row} />, share: 2 },
    ],
    [t],
  )
}
