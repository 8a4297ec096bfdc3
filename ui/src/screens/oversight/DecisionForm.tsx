// The decision itself: a reason, and one of two acts, as far as the station offers them. What can't be undone is asked for
// once more. Whether the reason is enough, and whether the item still waits, the station says.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { Decision, DecisionOffer, DecisionWord, FormView, ItemView } from '../../api/generated/wire'
import { AskDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { Form } from '../../components/Form'
import { ProblemSummary } from '../../components/ProblemSummary'
import { NoticeLine } from '../../components/states'
import { TextArea } from '../../components/TextField'
import { sayProblem } from '../../forms/problemWords'
import { InFrame } from '../../frame/InFrame'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useLost } from '../../frame/useLost'
import { useSettings } from '../../settings/SettingsProvider'
import { useDecided } from './decided'
import { isOffered } from './looking'

export const REASON_FIELD = 'decision-reason'
export const REASON_CHARACTERS_MAX = 2_000

/** What the station says to a decision is about the item, not about a field. */
const NO_FORM: FormView = { kind: '', contract_version: 0, groups: [] }

export type DecisionProps = { item: ItemView; next: string | null; frame: Parameters<typeof InFrame>[0] }

export function DecisionForm({ item, next, frame }: DecisionProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { decide, attempt, problem, refused, pending } = useDecide(item, next)
  const problems = problem ? [{ fieldId: REASON_FIELD, text: problem }] : []
  return (
    <>
      <InFrame
        {...frame}
        problems={problems.length}
        actions={
          <Acts
            offers={item.offered?.decisions}
            pending={pending}
            onSendAgain={() => decide('requeue', reason)}
            onVoid={() => setAsked(true)}
          />
        }
      />
      <ProblemSummary problems={problems} heading={heading} attempt={attempt} />
      {refused && <NoticeLine tone="attention">{refused}</NoticeLine>}
      <NotPossible offers={item.offered?.decisions ?? []} />
      <Form label={t('decide.form')}>
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
        open={asked}
        question={t('decide.ask', { number: item.receipt_no })}
        act={t('decide.void_it')}
        stay={t('decide.keep')}
        onAct={() => {
          setAsked(false)
          decide('void', reason)
        }}
        onStay={() => setAsked(false)}
      >
        <p>{t('decide.ask_text')}</p>
        {item.followers > 0 && <p>{t('decide.ask_followers', { count: item.followers })}</p>}
      </AskDialog>
    </>
  )
}

/** What cannot be decided, and why. */
function NotPossible({ offers }: { offers: readonly DecisionOffer[] }) {
  const { t } = useTranslation()
  const sentences = offers.flatMap(({ decision, refused }) =>
    refused === null || (decision !== 'void' && decision !== 'requeue')
      ? []
      : [t(`decide.not.${decision}`, { why: t(`decide.why_not.${refused}`) })],
  )
  return sentences.length > 0 && <p className="list-above">{sentences.join(' ')}</p>
}

function Acts({
  offers,
  pending,
  onSendAgain,
  onVoid,
}: {
  offers: readonly DecisionOffer[] | undefined
  pending: boolean
  onSendAgain: () => void
  onVoid: () => void
}) {
  const { t } = useTranslation()
  const can = (word: DecisionWord) => offers === undefined || isOffered(offers, word)
  return (
    <>
      {can('void') ? (
        <Button kind="grave" onPress={onVoid}>
          {t('decide.void')}
        </Button>
      ) : (
        <span />
      )}
      {can('requeue') && (
        <Button
          kind="primary"
          keyId="primary"
          pending={pending}
          pendingWord={t('decide.deciding')}
          onPress={onSendAgain}
        >
          {t('decide.send_again')}
        </Button>
      )}
    </>
  )
}

type Wish = { decision: Decision; reason: string }

export function useDecide(item: ItemView, next: string | null) {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const lost = useLost()
  const { tell, putAway } = useDecided()
  const [attempt, setAttempt] = useState(0)
  const [lostAsked, setLostAsked] = useState(false)
  const act = useMutation({
    mutationFn: ({ decision, reason }: Wish) =>
      backend.decide({ key: item.idempotency_key, decision, reason }),
    onSuccess: (decided) => {
      tell(decided)
      go(next ? `decision/${next}` : 'oversight/decide')
      return client.invalidateQueries({ queryKey: ['items'] })
    },
    onError: async (error) => {
      setAttempt((before) => before + 1)
      if (error instanceof Refusal) await client.invalidateQueries({ queryKey: ['item'] })
    },
  })
  const problems = act.error instanceof Refusal ? act.error.problems : []
  const reasonMissing = problems.some(({ pointer }) => pointer.endsWith('/reason'))
  const record = problems.some(({ pointer }) => pointer === '/decision/record')
  const words = useRefusal(reasonMissing || record ? null : act.error)
  return {
    attempt: reasonMissing || record ? attempt : 0,
    record: record ? t('looked.record_problem') : null,
    problem: reasonMissing ? t('decide.reason_problem') : null,
    refused: lost && lostAsked ? lost : words,
    pending: act.isPending,
    decide: (decision: Decision, reason: string) => {
      putAway()
      setLostAsked(lost !== null)
      if (lost === null) act.mutate({ decision, reason })
    },
  }
}

function useRefusal(error: Error | null): string | null {
  const { t } = useTranslation()
  const { house } = useStanding()
  const { settings } = useSettings()
  if (!error) return null
  const speaking = { t, locale: settings.language, form: NO_FORM }
  if (error instanceof Refusal && error.problems.length > 0)
    return error.problems.map((problem) => sayProblem(speaking, problem, null)).join(' ')
  const code = error instanceof Refusal ? error.code : 'other'
  switch (code) {
    case 'not_permitted':
    case 'not_signed_in':
    case 'not_found':
    case 'busy':
      return t(`decide.refused.${code}`, { contact: house.contact })
    default:
      return t('decide.refused.other', { contact: house.contact, code: `HF-504 ${code}` })
  }
}
