// The head of an application, under its number: its place, who applies, what waits first of it, and its stage.

import { useTranslation } from 'react-i18next'
import type { RecordView } from '../../api/generated/wire'
import { StageStepper } from '../../components/StageStepper'
import { ItemPill } from './ItemPill'
import { useStageWord } from './itemWords'

export function Head({ record }: { record: RecordView }) {
  const { t } = useTranslation()
  const stage = useStageWord()
  const open = record.items.findLast(({ state }) => state !== 'committed' && state !== 'voided')
  const shown = open ?? record.items[0]
  const between = record.stages.every((step) => step.reached !== 'now')
  return (
    <section className="application-head">
      <p className="application-line">
        <bdi className="application-place" dir="auto">
          {record.address}
        </bdi>
        <bdi dir="auto">{record.applicant}</bdi>
        {shown && <ItemPill item={shown} />}
        {between && <strong>{stage(record.stage)}</strong>}
        {record.waiting > 0 && <span>{t('application.waiting', { count: record.waiting })}</span>}
        {record.permit_num === null && (
          <span>{t(record.receipt_no ? 'application.number_follows' : 'application.no_number')}</span>
        )}
      </p>
      <StageStepper steps={record.stages} />
    </section>
  )
}
