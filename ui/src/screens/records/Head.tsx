// The head of an application: its number, its place, who applies, what waits first of it, and its stage.

import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { StageStepper } from '../../components/StageStepper'
import { ItemPill } from './ItemPill'
import { useStageWord } from './itemWords'

export function Head({ record }: { record: RecordView }) {
  const { t } = useTranslation()
  const stage = useStageWord()
  const number = record.permit_num ?? record.receipt_no
  const open = record.items.findLast(({ state }) => state !== 'committed' && state !== 'voided')
  const shown = open ?? record.items[0]
  const between = record.stages.every((step) => step.reached !== 'now')
  return (
    <section className="application-head">
      <p className="application-line">
        <Numbers record={record} />
        {number && <CopyNumber number={number} />}
        {shown && <ItemPill item={shown} />}
        {between && <strong>{stage(record.stage)}</strong>}
      </p>
      <p className="application-line">
        <bdi className="application-place" dir="auto">
          {record.address}
        </bdi>
        <bdi dir="auto">{record.applicant}</bdi>
        {record.waiting > 0 && <span>{t('application.waiting', { count: record.waiting })}</span>}
      </p>
      <StageStepper steps={record.stages} />
    </section>
  )
}

function Numbers({ record }: { record: RecordView }) {
  const { t } = useTranslation()
  if (record.permit_num !== null) return <strong className="figures">{record.permit_num}</strong>
  if (record.receipt_no === null) return <span>{t('application.no_number')}</span>
  return <span>{t('application.number_follows', { receipt: record.receipt_no })}</span>
}

const COPIED_SHOWN_MS = 3_000

function CopyNumber({ number }: { number: string }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    void navigator.clipboard?.writeText(number).then(() => setCopied(true))
  }
  return (
    <Button kind="quiet" icon={copied ? 'check' : 'content_copy'} onPress={copy}>
      {copied ? t('action.copied') : t('action.copy_number')}
    </Button>
  )
}
