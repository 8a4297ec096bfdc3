// Asks whether an item shall be taken back, and why. Whether the reason is good enough is the station's to say; what it
// finds stands beside the field.

import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemView, OfferView } from '../../api/generated/wire'
import { PageDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { Form } from '../../components/Form'
import { TextArea } from '../../components/TextField'
import { useOfferSentence } from './offeredWords'
import type { Came } from './useHandingIn'

const REASON_CHARACTERS_MAX = 2_000

type Props = {
  item: ItemView
  offer: OfferView
  pending: boolean
  onWish: (reason: string) => Promise<Came | null>
  onClose: () => void
}

export function TakeBackDialog({ item, offer, pending, onWish, onClose }: Props) {
  const { t } = useTranslation()
  const sentence = useOfferSentence()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLDivElement>(null)
  const enter = () => field.current?.querySelector('textarea')?.focus()
  useEffect(enter, [])
  const act = async () => {
    const came = await onWish(reason)
    if (!came || !reasonRefused(came)) return
    setProblem(t(reason.trim() === '' ? 'move.reason_missing' : 'move.reason_wrong'))
    enter()
  }
  const change = (text: string) => {
    setReason(text)
    setProblem(null)
  }
  const waits = offer.offer === 'takes_place'
  return (
    <PageDialog open title={t('offered.ask', { number: item.receipt_no })} onClose={onClose}>
      <p>{sentence('take_back', offer)}</p>
      <p>{t(waits ? 'offered.ask_final' : 'offered.ask_void')}</p>
      {waits && item.followers > 0 && <p>{t('decide.followers', { count: item.followers })}</p>}
      <Form label={t('offered.take_back')}>
        <div ref={field}>
          <TextArea
            label={t('move.reason')}
            hint={t('offered.reason_hint')}
            value={reason}
            onChange={change}
            limit={REASON_CHARACTERS_MAX}
            problem={problem}
          />
        </div>
      </Form>
      <div className="button-row dialog-actions">
        <Button onPress={onClose}>{t('decide.keep')}</Button>
        <Button kind="grave" pending={pending} pendingWord={t('move.moving')} onPress={() => void act()}>
          {t('offered.take_back_it')}
        </Button>
      </div>
    </PageDialog>
  )
}

/** Told beside the field of the reason, not in the notice line. */
export function reasonRefused(came: Came): boolean {
  return came.came === 'refused' && came.problems.some(({ pointer }) => pointer === '/payload/reason')
}
