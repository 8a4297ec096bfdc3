// Asks for the reason of a step that needs one. Whether the reason is good enough is the station's to say; what it finds
// stands beside the field.

import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MoveView } from '../../api/generated/wire'
import { PageDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { Form } from '../../components/Form'
import { TextArea } from '../../components/TextField'
import { useMoveWord } from './moveWords'
import type { Moved } from './useMove'

const REASON_CHARACTERS_MAX = 2_000

type Props = {
  move: MoveView
  place: string
  pending: boolean
  onWish: (to: string, reason: string) => Promise<Moved | null>
  onClose: () => void
}

export function ReasonDialog({ move, place, pending, onWish, onClose }: Props) {
  const { t } = useTranslation()
  const word = useMoveWord()(move.to)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLDivElement>(null)
  const enter = () => field.current?.querySelector('textarea')?.focus()
  useEffect(enter, [])
  const act = async () => {
    const moved = await onWish(move.to, reason)
    if (moved?.moved !== 'refused') return
    const found = moved.problems.find(({ pointer }) => pointer === '/payload/reason')
    if (!found) return
    const empty = reason.trim() === ''
    setProblem(t(empty ? 'move.reason_missing' : 'move.reason_wrong'))
    enter()
  }
  const change = (text: string) => {
    setReason(text)
    setProblem(null)
  }
  return (
    <PageDialog open title={t('move.ask', { move: word, place })} onClose={onClose}>
      <Form label={word}>
        <div ref={field}>
          <TextArea
            label={t('move.reason')}
            hint={t('move.reason_hint')}
            value={reason}
            onChange={change}
            limit={REASON_CHARACTERS_MAX}
            problem={problem}
          />
        </div>
      </Form>
      <div className="button-row dialog-actions">
        <Button onPress={onClose}>{t('move.stay')}</Button>
        <Button
          kind="primary"
          keyId="primary"
          pending={pending}
          pendingWord={t('move.moving')}
          onPress={() => void act()}
        >
          {word}
        </Button>
      </div>
    </PageDialog>
  )
}
