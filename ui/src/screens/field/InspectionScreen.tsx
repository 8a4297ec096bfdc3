// One visit: what the copy says of it, and its result on the same page, so that a person at a site needs one screen.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { InspectionView, ReceiptView } from '../../api/generated/wire'
import { Empty, ErrorState, Loading } from '../../components/states'
import { go } from '../../frame/routes'
import { useBackend } from '../../frame/StandingContext'
import { useInspectionTypeWord } from '../records/itemWords'
import { useOptionWords } from '../records/optionWords'
import type { Parts } from '../screens'
import { useCopyWords } from './Copy'
import { ResultForm } from './ResultForm'
import { ResultShown } from './ResultShown'
import { Overdue } from './TodayScreen'
import { useVisitTime } from './words'
import './field.css'

const SKELETON_ROWS = 6

export function InspectionScreen({ parts }: Parts) {
  const [id = ''] = parts
  return <Opened key={id} id={id} />
}

function Opened({ id }: { id: string }) {
  const { t } = useTranslation()
  const backend = useBackend()
  const view = useQuery({ queryKey: ['inspection', id], queryFn: () => backend.inspection(id) })
  if (view.error instanceof Refusal && view.error.code === 'not_found')
    return (
      <Empty action={{ word: t('inspection.to_today'), act: () => go('field/today') }}>
        {t('inspection.not_found')}
      </Empty>
    )
  if (view.isError)
    return (
      <ErrorState
        what={t('inspection.failed')}
        safe={t('field.failed_safe')}
        code="HF-402"
        onAgain={() => void view.refetch()}
      />
    )
  if (!view.data) return <Loading rows={SKELETON_ROWS} label={t('inspection.loading')} />
  return <Inspection view={view.data} />
}

function Inspection({ view }: { view: InspectionView }) {
  const { t } = useTranslation()
  const type = useInspectionTypeWord()
  const [saved, setSaved] = useState<{ receipt: ReceiptView; result: string } | null>(null)
  const place = view.address ?? view.permit_num ?? view.inspection_id
  const frame = {
    title: t('inspection.title', { type: type(view.insp_type), place }),
    side: { label: t('inspection.facts'), content: <Facts view={view} /> },
  }
  return (
    <>
      <Visit view={view} />
      {view.result || saved ? (
        <ResultShown here={view.result ?? resultOf(saved)} justSaved={saved !== null} frame={frame} />
      ) : (
        <ResultForm view={view} frame={frame} onSaved={(receipt, result) => setSaved({ receipt, result })} />
      )}
    </>
  )
}

/** Until the list of visits knows it, what the receipt says. */
function resultOf(saved: { receipt: ReceiptView; result: string } | null) {
  if (!saved) return null
  const { operation_id, receipt_no, accepted_at, state } = saved.receipt
  return { operation_id, receipt_no, accepted_at, state, result: saved.result, reinspection_due_at: null }
}

/** What one looks for at the door: also where there is no room for a side panel. */
function Visit({ view }: { view: InspectionView }) {
  const { t } = useTranslation()
  const time = useVisitTime()
  return (
    <div className="visit">
      <strong>{view.permit_num ?? t('field.number_follows')}</strong>
      <span>{t('inspection.scheduled', { at: time(view) })}</span>
      {view.overdue_days > 0 && <Overdue days={view.overdue_days} />}
    </div>
  )
}

function Facts({ view }: { view: InspectionView }) {
  const { t } = useTranslation()
  const copy = useCopyWords()
  const permitType = useOptionWords('application', 'PermitTypeMapped')
  const { permit_type, applicant } = view.record
  const pairs = [
    [t('inspection.permit_type'), permit_type && permitType(permit_type)],
    [t('inspection.applicant'), applicant],
    ...news.map((name) => [t(`inspection.planned.${name}`), view.planned[name]]),
    [t('inspection.copy'), copy(view.copied_at)],
  ]
  return (
    <dl className="visit-facts">
      {pairs
        .filter(([, value]) => typeof value === 'string' && value !== '')
        .map(([name, value]) => (
          <div key={String(name)}>
            <dt>{String(name)}</dt>
            <dd dir="auto">{String(value)}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Of what was planned, what stands nowhere else on the page. */
const news = ['Description', 'Inspector'] as const
