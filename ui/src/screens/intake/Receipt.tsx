// Proof that something was accepted: its number, when, and what became of it. What it says of the permit system changes
// in place as the station tells; the focus stays where it is.

import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { ItemView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { Empty, ErrorState, Loading } from '../../components/states'
import { moment } from '../../format/format'
import { InFrame } from '../../frame/InFrame'
import { go, useRoute } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { correctAddress } from '../records/correction'
import { ItemPill } from '../records/ItemPill'
import { LooksLike } from '../records/LooksLike'
import { isPossible, Offered } from '../records/Offered'
import { ParcelsSeen } from '../records/ParcelsSeen'
import { Said } from '../records/Said'
import type { Parts } from '../screens'
import { newLike } from './addresses'
import './intake.css'

const SKELETON_ROWS = 6

export function Receipt({ parts }: Parts) {
  const { t } = useTranslation()
  const backend = useBackend()
  const id = parts[0] ?? ''
  const item = useQuery({ queryKey: ['item', id], queryFn: () => backend.item(id) })
  if (item.data) return <ReceiptOf item={item.data} />
  if (item.error instanceof Refusal && item.error.code === 'not_found')
    return (
      <Empty action={{ word: t('intake.new'), act: () => go('counter/new') }}>{t('receipt.unknown')}</Empty>
    )
  if (item.isError)
    return (
      <ErrorState
        what={t('receipt.failed')}
        safe={t('receipt.failed_safe')}
        code="HF-313"
        onAgain={() => void item.refetch()}
      />
    )
  return <Loading rows={SKELETON_ROWS} label={t('receipt.reading')} />
}

function ReceiptOf({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const already = useRoute().query.has('already')
  const reading = useReading(useStanding().now)
  const number = item.receipt_no
  const accepted = moment(reading, item.accepted_at)
  const recorded = item.committed_at && moment(reading, item.committed_at)
  const facts = [
    [
      t('receipt.accepted_at'),
      item.clock === 'ok' ? accepted : t('receipt.clock_in_doubt', { at: accepted }),
    ],
    [t('receipt.recorded_at'), recorded ?? t('receipt.not_yet')],
    [t('receipt.permit'), item.permit_num ?? t('receipt.follows')],
    [t('receipt.address'), item.address ?? t('receipt.not_yet')],
    ...(item.replaces ? [[t('receipt.replaces'), item.replaces] as const] : []),
  ] as const
  return (
    <div className="receipt">
      <InFrame
        title={already ? t('receipt.already', { number, at: accepted }) : t('receipt.title', { number })}
        actions={<Actions item={item} />}
      />
      <p className="receipt-number">
        <span className="receipt-number-name">{t('receipt.number')}</span>
        <strong>{number}</strong>
      </p>
      <div className="receipt-state">
        <ItemPill item={item} />
        <p>{sentence(t, item)}</p>
      </div>
      <LooksLike likes={item.looks_like} applicationId={item.application_id} />
      <dl className="pairs">
        {facts.map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <ParcelsSeen parcels={item.parcels} />
      <Said item={item} />
      <Offered item={item} />
    </div>
  )
}

function sentence(t: TFunction, item: ItemView): string {
  switch (item.state) {
    case 'pending':
    case 'in_flight':
      return t('receipt.saved')
    case 'committed':
      return t('receipt.recorded')
    case 'quarantined':
      return t('receipt.decide')
    case 'voided':
      return t('receipt.voided')
    default:
      return t('receipt.unreadable')
  }
}

function Actions({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const { offered } = item
  // What came back is mended first.
  const mend = item.state === 'quarantined' && offered !== undefined && isPossible(offered.correct)
  return (
    <>
      <Button onPress={() => go(`app/${encodeURIComponent(item.application_id)}/facts`)}>
        {t('receipt.open')}
      </Button>
      <div className="button-row">
        <Button keyId="new_same_applicant" onPress={() => go(newLike(item.operation_id))}>
          {t('intake.new_same')}
        </Button>
        <Button kind={mend ? undefined : 'primary'} keyId="new" onPress={() => go('counter/new')}>
          {t('intake.new')}
        </Button>
        {mend && (
          <Button kind="primary" keyId="primary" onPress={() => go(correctAddress(item.operation_id))}>
            {t('offered.correct_and_send')}
          </Button>
        )}
      </div>
    </>
  )
}
