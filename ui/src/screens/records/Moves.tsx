// What can be done next, as buttons, and what cannot, with the reason as text. Ctrl+M opens the same steps as a menu.

import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MoveRefusal, MoveView, RecordView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { NoticeLine } from '../../components/states'
import { useLost } from '../../frame/useLost'
import { AroundApplication } from './AroundApplication'
import { useStageWord } from './itemWords'
import { useMoveWord, useRefusedSentence } from './moveWords'
import { NextStep } from './NextStep'
import { ReasonDialog } from './ReasonDialog'
import { type Moved, useMove } from './useMove'

/** What is told in the notice line; each telling takes the focus there. */
type Told = { tone: 'done' | 'attention'; text: string }

export function Moves({ record }: { record: RecordView }) {
  const { t } = useTranslation()
  const { move, pending } = useMove(record.application_id)
  const { notice, place, tell } = useNotice()
  const [asked, setAsked] = useState<MoveView | null>(null)
  const tellMoved = useTellMoved(tell)
  const lost = useLost()
  const possible = record.moves.filter(({ refused }) => refused === null)
  const wish = async (to: string, reason: string | null) => {
    const moved = await move({ to, reason })
    if (moved && !reasonProblem(moved)) {
      setAsked(null)
      tellMoved(moved)
    }
    return moved
  }
  const choose = (chosen: MoveView) => {
    if (lost !== null) return tell({ tone: 'attention', text: lost })
    if (chosen.reason === 'needed') return setAsked(chosen)
    void wish(chosen.to, null)
  }
  const none = () => tell({ tone: 'attention', text: t('move.none') })
  return (
    <>
      <AroundApplication
        record={record}
        actions={<NextStep moves={possible} onChoose={choose} onNone={none} />}
      />
      <div ref={place} tabIndex={-1} className="notice-place">
        {notice && <NoticeLine tone={notice.tone}>{notice.text}</NoticeLine>}
      </div>
      <section className="moves">
        <Possible moves={possible} pending={pending} onChoose={choose} />
        <NotPossible moves={record.moves} stage={record.stage} />
      </section>
      {asked && (
        <ReasonDialog
          move={asked}
          place={record.address ?? record.permit_num ?? record.receipt_no ?? ''}
          pending={pending !== null}
          onWish={wish}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** Told beside the field of the reason, not in the notice line. */
export function reasonProblem(moved: Moved): boolean {
  return moved.moved === 'refused' && moved.problems.some(({ pointer }) => pointer === '/payload/reason')
}

function Possible({
  moves,
  pending,
  onChoose,
}: {
  moves: readonly MoveView[]
  pending: string | null
  onChoose: (move: MoveView) => void
}) {
  const { t } = useTranslation()
  const word = useMoveWord()
  if (moves.length === 0) return null
  return (
    <div className="block">
      <h2>{t('move.possible')}</h2>
      <div className="button-row">
        {moves.map((move) => (
          <Button
            key={move.to}
            pending={pending === move.to}
            pendingWord={t('move.moving')}
            onPress={() => onChoose(move)}
          >
            {word(move.to)}
          </Button>
        ))}
      </div>
    </div>
  )
}

function NotPossible({ moves, stage }: { moves: readonly MoveView[]; stage: string }) {
  const { t } = useTranslation()
  const word = useMoveWord()
  const why = useRefusedSentence(stage)
  const refused = moves.flatMap(({ to, refused: because }): [string, MoveRefusal][] =>
    because === null ? [] : [[to, because]],
  )
  if (refused.length === 0) return null
  return (
    <div className="block">
      <h2>{t('move.not_possible')}</h2>
      <ul className="not-possible">
        {refused.map(([to, because]) => (
          <li key={to}>
            <strong>{word(to)}</strong> {why(because)}
          </li>
        ))}
      </ul>
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

const told = ['refused', 'not_permitted', 'not_signed_in', 'rules_out_of_date', 'disk_full', 'busy'] as const

function useTellMoved(tell: (told: Told) => void) {
  const { t } = useTranslation()
  const stage = useStageWord()
  return (moved: Moved) => {
    switch (moved.moved) {
      case 'saved': {
        const words = { stage: stage(moved.to), number: moved.receipt.receipt_no }
        return tell({ tone: 'done', text: t('move.done', words) })
      }
      case 'refused': {
        const code = told.find((known) => known === moved.code) ?? 'other'
        return tell({ tone: 'attention', text: t(`move.refused.${code}`, { code: moved.code }) })
      }
      case 'unknown':
        return tell({ tone: 'attention', text: t('move.refused.other', { code: moved.code }) })
    }
  }
}
