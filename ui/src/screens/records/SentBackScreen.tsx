// What I accepted and a supervisor must decide: why it came back, who decides, whom to ask. Nothing is decided here.

import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemRow } from '../../api/generated/wire'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, ErrorState, Loading } from '../../components/states'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { AcceptedAt, Typed, What, Why } from './Cells'
import { useTextInAddress } from './useTextInAddress'
import { useWhole } from './useWhole'
import './records.css'

const SKELETON_ROWS = 4

export function SentBackScreen() {
  const { t } = useTranslation()
  const { house } = useStanding()
  const backend = useBackend()
  const [text, setText] = useTextInAddress()
  const list = useWhole({
    key: ['items', 'sent_back', text],
    page: (skip, rows) => backend.items({ of: 'sent_back', text, order: 'oldest_first', skip, rows }),
  })
  const columns = useColumns()
  if (list.failed)
    return (
      <ErrorState
        what={t('waiting.failed')}
        safe={t('waiting.failed_safe')}
        code="HF-302"
        onAgain={list.again}
      />
    )
  if (!list.last) return <Loading rows={SKELETON_ROWS} label={t('waiting.loading')} />
  const some = list.last.all > 0
  return (
    <>
      {some && <p className="list-above">{t('sent_back.who', { contact: house.contact })}</p>}
      <DataTable
        label={t('sent_back.label')}
        columns={columns}
        rows={list.rows}
        keyOf={(row) => row.operation_id}
        request={list.request}
        pages={list.pages}
        total={list.last.all}
        matching={list.last.matching}
        settled={list.settled}
        onOpen={(id) => go(`receipt/${id}`)}
        menu={(row) => [{ id: 'lane', word: t('waiting.lane'), act: () => go(`app/${row.application_id}`) }]}
        filter={some ? { value: text, onChange: setText } : undefined}
        onAgain={list.again}
        empty={<Empty>{some ? t('sent_back.none_match') : t('sent_back.empty')}</Empty>}
      />
    </>
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
      { id: 'address', head: t('waiting.address'), cell: (row) => <Typed>{row.address}</Typed>, share: 2 },
      { id: 'accepted', head: t('sent_back.since'), cell: (row) => <AcceptedAt row={row} /> },
      { id: 'why', head: t('sent_back.why'), cell: (row) => <Why row={row} />, share: 3 },
    ],
    [t],
  )
}
