// The decision about a conflict: which version holds, and why. What is never sent again is asked for once more. While it
// is not known what the permit system has, it can be asked for, and nothing else can be signed.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConflictView } from '../../api/generated/wire'
import { AskDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { Choice } from '../../components/Choice'
import { Form } from '../../components/Form'
import { ProblemSummary } from '../../components/ProblemSummary'
import { NoticeLine } from '../../components/states'
import { TextArea } from '../../components/TextField'
import { InFrame } from '../../frame/InFrame'
import { useBackend } from '../../frame/StandingContext'
import { useKey } from '../../keys/Keys'
import { type Choosing, decisionOf, type Holds, useChoosing } from './choosing'
import { type DecisionProps, REASON_CHARACTERS_MAX, REASON_FIELD, useDecide } from './DecisionForm'
import { Versions } from './Versions'

const CHOICE_FIELD = 'conflict-holds'

type Asked = 'void' | 'theirs' | null

export function ConflictForm({ item, next, frame, conflict }: DecisionProps & { conflict: ConflictView }) {
  const { t } = useTranslation()
  const choosing = useChoosing(conflict)
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState<Asked>(null)
  const [unsaid, setUnsaid] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const { decide, attempt, problem, refused, pending } = useDecide(item, next)
  const choice = unsaid > 0 && choosing.holds === null ? t('conflict.choose_problem') : null
  const problems = [
    ...(choice ? [{ fieldId: CHOICE_FIELD, text: choice }] : []),
    ...(problem ? [{ fieldId: REASON_FIELD, text: problem }] : []),
  ]
  const sign = () => {
    const decision = decisionOf(choosing, conflict)
    if (decision === null) setUnsaid((before) => before + 1)
    else if (choosing.holds === 'theirs') setAsked('theirs')
    else decide(decision, reason)
  }
  const confirmed = () => {
    setAsked(null)
    const decision = asked === 'void' ? 'void' : decisionOf(choosing, conflict)
    if (decision !== null) decide(decision, reason)
  }
  return (
    <>
      <InFrame
        {...frame}
        problems={problems.length}
        actions={<Acts {...{ item, conflict, pending }} onSign={sign} onVoid={() => setAsked('void')} />}
      />
      <ProblemSummary problems={problems} heading={heading} attempt={attempt + unsaid} />
      {refused && <NoticeLine tone="attention">{refused}</NoticeLine>}
      <Versions item={item} conflict={conflict} choosing={choosing} />
      <Form label={t('decide.form')}>
        {conflict.theirs && <Which conflict={conflict} choosing={choosing} problem={choice} />}
        <TextArea
          id={REASON_FIELD}
          label={t('decide.reason')}
          hint={t('decide.reason_hint')}
          value={reason}
          onChange={setReason}
          limit={REASON_CHARACTERS_MAX}
          problem={problem}
        />
      </Form>
      <AskDialog
        open={asked !== null}
        question={t(asked === 'void' ? 'decide.ask' : 'conflict.ask', { number: item.receipt_no })}
        act={t(asked === 'void' ? 'decide.void_it' : 'conflict.take_theirs')}
        stay={t('decide.keep')}
        onAct={confirmed}
        onStay={() => setAsked(null)}
      >
        <p>{t(asked === 'void' ? 'decide.ask_text' : 'conflict.ask_text')}</p>
        {item.followers > 0 && <p>{t('decide.followers', { count: item.followers })}</p>}
      </AskDialog>
    </>
  )
}

function Which({
  conflict,
  choosing,
  problem,
}: {
  conflict: ConflictView
  choosing: Choosing
  problem: string | null
}) {
  const { t } = useTranslation()
  const sides: Holds[] = conflict.by_field ? ['ours', 'theirs', 'both'] : ['ours', 'theirs']
  useKey('all_from_counter', () => choosing.choose('ours'))
  useKey('all_from_system', () => choosing.choose('theirs'))
  return (
    <Choice
      id={CHOICE_FIELD}
      label={t('conflict.which')}
      hint={conflict.by_field ? t('conflict.which_hint') : undefined}
      options={sides.map((side) => ({ code: side, word: t(`conflict.holds.${side}`) }))}
      value={choosing.holds}
      onChange={(code) => {
        const side = sides.find((one) => one === code)
        if (side) choosing.choose(side)
      }}
      problem={problem}
    />
  )
}

function Acts({
  item,
  conflict,
  pending,
  onSign,
  onVoid,
}: Pick<DecisionProps, 'item'> & {
  conflict: ConflictView
  pending: boolean
  onSign: () => void
  onVoid: () => void
}) {
  const { t } = useTranslation()
  const fetching = useFetchTheirs(item.idempotency_key)
  const known = conflict.theirs !== null
  return (
    <>
      <Button kind="grave" onPress={onVoid}>
        {t('decide.void')}
      </Button>
      <Button
        kind={known ? undefined : 'primary'}
        keyId={known ? undefined : 'primary'}
        pending={fetching.isPending}
        pendingWord={t('conflict.fetching')}
        onPress={() => fetching.mutate()}
      >
        {t('conflict.fetch')}
      </Button>
      {known && (
        <Button
          kind="primary"
          keyId="primary"
          pending={pending}
          pendingWord={t('decide.deciding')}
          onPress={onSign}
        >
          {t('conflict.sign')}
        </Button>
      )}
    </>
  )
}

/** What comes back is on the screen like any other news of the item. */
function useFetchTheirs(key: string) {
  const backend = useBackend()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => backend.fetchTheirs(key),
    onSettled: () => client.invalidateQueries({ queryKey: ['item'] }),
  })
}
