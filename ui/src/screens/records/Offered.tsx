// What can be done with an item that was handed in: correct it, take it back. What is possible is the station's to say;
// what is not possible says why. What was done is told in a line that takes the focus.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemView, OfferView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { NoticeLine } from '../../components/states'
import { go } from '../../frame/routes'
import { useLost } from '../../frame/useLost'
import { useKey } from '../../keys/Keys'
import { correctAddress } from './correction'
import { useOfferSentence } from './offeredWords'
import { reasonRefused, TakeBackDialog } from './TakeBackDialog'
import { useCameWords } from './useCameWords'
import { useHandingIn } from './useHandingIn'
import './records.css'

type Told = { tone: 'done' | 'attention'; text: string }

export function Offered({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const { offered } = item
  const lost = useLost()
  const [asked, setAsked] = useState(false)
  const { notice, place, tell } = useNotice()
  const { handIn, pending } = useHandingIn('void', item.application_id)
  const cameWords = useCameWords('HF-306')
  const correct = offered && isPossible(offered.correct) ? () => go(correctAddress(item.operation_id)) : null
  useKey('correct', correct)
  if (!offered) return null
  const takeBack = async (reason: string) => {
    const payload = { of: item.operation_id, reason }
    const came = await handIn({ what: item.operation_id, payload })
    if (!came || reasonRefused(came)) return came
    setAsked(false)
    const number = came.came === 'saved' ? came.receipt.receipt_no : ''
    const done = offered.take_back.offer === 'follows' ? 'offered.void_saved' : 'offered.taken_back'
    tell({ tone: came.came === 'saved' ? 'done' : 'attention', text: cameWords(came, t(done, { number })) })
    return came
  }
  const ask = () => (lost === null ? setAsked(true) : tell({ tone: 'attention', text: lost }))
  return (
    <section className="block">
      <h2>{t('offered.heading')}</h2>
      <div ref={place} tabIndex={-1} className="notice-place">
        {notice && <NoticeLine tone={notice.tone}>{notice.text}</NoticeLine>}
      </div>
      <dl className="offered">
        <Offer of="correct" offer={offered.correct}>
          <Button keyId="correct" onPress={() => correct?.()}>
            {t('offered.correct')}
          </Button>
        </Offer>
        <Offer of="take_back" offer={offered.take_back}>
          <Button kind="grave" pending={pending !== null} pendingWord={t('move.moving')} onPress={ask}>
            {t('offered.take_back_ask')}
          </Button>
        </Offer>
      </dl>
      {asked && (
        <TakeBackDialog
          item={item}
          offer={offered.take_back}
          pending={pending !== null}
          onWish={takeBack}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  )
}

export function isPossible(offer: OfferView): boolean {
  return offer.offer !== 'refused'
}

function Offer({
  of,
  offer,
  children,
}: {
  of: 'correct' | 'take_back'
  offer: OfferView
  children: ReactNode
}) {
  const { t } = useTranslation()
  const sentence = useOfferSentence()
  return (
    <div className="offer">
      <dt>{isPossible(offer) ? children : t('offered.not_now', { act: t(`offered.${of}`) })}</dt>
      <dd>{sentence(of, offer)}</dd>
    </div>
  )
}

/** The line that stays until the next action, and has the focus when it changes. */
function useNotice() {
  const [notice, setNotice] = useState<Told | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (notice) place.current?.focus()
  }, [notice])
  return { notice, place, tell: (told: Told) => setNotice({ ...told }) }
}
