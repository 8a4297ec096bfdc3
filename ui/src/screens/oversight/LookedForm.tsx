// The decision about what no look of a station can tell: a person has looked in the permit system, says what is there, and
// why they are sure. Which of several records stays is chosen by its number.

import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/Button'
import { Choice } from '../../components/Choice'
import { Form } from '../../components/Form'
import { ProblemSummary } from '../../components/ProblemSummary'
import { NoticeLine } from '../../components/states'
import { TextArea, TextField } from '../../components/TextField'
import { InFrame } from '../../frame/InFrame'
import { type DecisionProps, REASON_CHARACTERS_MAX, REASON_FIELD, useDecide } from './DecisionForm'
import { choicesOf, codeOf, decisionFor, type Seen } from './looking'

const SEEN_FIELD = 'looked-seen'
const RECORD_FIELD = 'looked-record'

export function LookedForm({ item, next, frame }: DecisionProps) {
  const { t } = useTranslation()
  const choices = choicesOf(item)
  const [chosen, setChosen] = useState<Seen | null>(null)
  const [record, setRecord] = useState('')
  const [reason, setReason] = useState('')
  const [unsaid, setUnsaid] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const { decide, attempt, problem, record: recordProblem, refused, pending } = useDecide(item, next)
  const choice = unsaid > 0 && chosen === null ? t('looked.choose_problem') : null
  const problems = [
    ...(choice ? [{ fieldId: SEEN_FIELD, text: choice }] : []),
    ...(recordProblem ? [{ fieldId: RECORD_FIELD, text: recordProblem }] : []),
    ...(problem ? [{ fieldId: REASON_FIELD, text: problem }] : []),
  ]
  const sign = () => {
    if (chosen === null) setUnsaid((before) => before + 1)
    else decide(decisionFor(item, chosen, record), reason)
  }
  return (
    <>
      <InFrame
        {...frame}
        problems={problems.length}
        actions={
          <>
            <span />
            <Button
              kind="primary"
              keyId="primary"
              pending={pending}
              pendingWord={t('decide.deciding')}
              onPress={sign}
            >
              {t('conflict.sign')}
            </Button>
          </>
        }
      />
      <ProblemSummary problems={problems} heading={heading} attempt={attempt + unsaid} />
      {refused && <NoticeLine tone="attention">{refused}</NoticeLine>}
      <Form label={t('decide.form')}>
        <Choice
          id={SEEN_FIELD}
          label={t('looked.seen')}
          hint={t('looked.hint')}
          options={choices.map((seen) => ({ code: codeOf(seen), word: seenWord(seen) }))}
          value={chosen && codeOf(chosen)}
          onChange={(code) => setChosen(choices.find((seen) => codeOf(seen) === code) ?? null)}
          problem={choice}
        />
        {chosen?.seen === 'there' && (
          <TextField
            id={RECORD_FIELD}
            label={t('looked.record')}
            hint={t('looked.record_hint')}
            value={record}
            onChange={setRecord}
            problem={recordProblem}
          />
        )}
        <TextArea
          id={REASON_FIELD}
          label={t('decide.reason')}
          hint={t('looked.reason_hint')}
          value={reason}
          onChange={setReason}
          limit={REASON_CHARACTERS_MAX}
          problem={problem}
        />
      </Form>
    </>
  )
  function seenWord(seen: Seen): string {
    return seen.seen === 'one' ? t('looked.one', { record: seen.record }) : t(`looked.${seen.seen}`)
  }
}
