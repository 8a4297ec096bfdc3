// An application that looks like another one: which, how long apart, and that both can be kept. Whether two look alike, and
// who may say that both are right, the station says.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { LikeView } from '../../api/generated/wire'
import { PageDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { Form } from '../../components/Form'
import { NoticeLine } from '../../components/states'
import { TextArea } from '../../components/TextField'
import { moment } from '../../format/format'
import { addressOf } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'

const REASON_CHARACTERS_MAX = 1_000

type Props = { likes: readonly LikeView[] | undefined; applicationId: string }

export function LooksLike({ likes = [], applicationId }: Props) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  if (likes.length === 0) return null
  return (
    <section className="looks-like" aria-label={t('likeness.title')}>
      <NoticeLine tone="attention">
        {likes.map((like) => (
          <Other key={like.application_id} like={like} />
        ))}
        {t('likeness.both_kept')}
      </NoticeLine>
      <Button onPress={() => setAsked(true)}>{t('likeness.keep')}</Button>
      {asked && <KeepDialog applicationId={applicationId} onClose={() => setAsked(false)} />}
    </section>
  )
}

/** The mark in a list: in words, since a list has no room for which. */
export function LooksLikeMark({ likes = [] }: { likes: readonly LikeView[] | undefined }) {
  const { t } = useTranslation()
  const first = likes[0]
  if (!first) return null
  return <span className="looks-like-mark">{t('likeness.mark', { number: numberOf(first) })}</span>
}

function Other({ like }: { like: LikeView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const at = moment(useReading(now), like.filed_at)
  const number = numberOf(like)
  return (
    <span className="looks-like-other">
      {t('likeness.looks_like', { number, at })}{' '}
      <a href={addressOf(`app/${like.application_id}`)}>{t('likeness.open', { number })}</a>{' '}
    </span>
  )
}

/** The number that a person has in hand. */
function numberOf(like: LikeView): string {
  return like.receipt_no ?? like.permit_num ?? like.application_id
}

function KeepDialog({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const backend = useBackend()
  const [reason, setReason] = useState('')
  const keep = useMutation({
    mutationFn: () => backend.keepLikeness({ of: applicationId, reason }),
    onSuccess: onClose,
  })
  const code = keep.error instanceof Refusal ? keep.error.code : 'other'
  const problems = keep.error instanceof Refusal ? keep.error.problems : []
  const isReason = problems.some(({ pointer }) => pointer === '/reason')
  return (
    <PageDialog open title={t('likeness.ask')} onClose={onClose}>
      {keep.isError && !isReason && <NoticeLine tone="attention">{t(refusedKey(code))}</NoticeLine>}
      <Form label={t('likeness.ask')}>
        <TextArea
          label={t('likeness.reason')}
          hint={t('likeness.reason_hint')}
          value={reason}
          onChange={setReason}
          limit={REASON_CHARACTERS_MAX}
          problem={isReason ? t('likeness.reason_missing') : null}
        />
      </Form>
      <div className="button-row dialog-actions">
        <Button onPress={onClose}>{t('likeness.not_now')}</Button>
        <Button
          kind="primary"
          keyId="primary"
          pending={keep.isPending}
          pendingWord={t('likeness.keeping')}
          onPress={() => keep.mutate()}
        >
          {t('likeness.keep_act')}
        </Button>
      </div>
    </PageDialog>
  )
}

function refusedKey(code: string) {
  switch (code) {
    case 'not_permitted':
    case 'not_signed_in':
      return 'likeness.refused.not_permitted'
    case 'refused':
      return 'likeness.refused.meanwhile'
    default:
      return 'likeness.refused.other'
  }
}
