// An application being taken in: drafts of the same person above it, the problems the station found, the form, and the
// bar with what one can do. What was typed is kept by itself.

import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DraftView, FormView } from '../../api/generated/wire'
import { ProblemSummary } from '../../components/ProblemSummary'
import { NoticeLine } from '../../components/states'
import { FormFields } from '../../forms/FormFields'
import { draftKey, useFilling } from '../../forms/useFilling'
import { useProblems } from '../../forms/useProblems'
import { textOf } from '../../forms/values'
import { InFrame } from '../../frame/InFrame'
import { go } from '../../frame/routes'
import { useKey } from '../../keys/Keys'
import { AtThisAddress } from './AtThisAddress'
import { newLike } from './addresses'
import { DraftList } from './DraftList'
import { DraftStanding, useNotSavedSaid } from './DraftStanding'
import { IntakeActions } from './IntakeActions'
import { RefusalNotice } from './RefusalNotice'
import { useAccepting } from './useAccepting'
import { useDiscard } from './useDiscard'

export function Intake({ draft, form }: { draft: DraftView; form: FormView }) {
  const { t } = useTranslation()
  const filling = useFilling(form, draft)
  const accepting = useAccepting(form, draft, filling)
  const heading = useRef<HTMLHeadingElement>(null)
  const refused = accepting.outcome?.why === 'problems' ? accepting.outcome.problems : null
  const problems = useProblems(form, filling.shown, refused)
  const discard = useDiscard({
    draft,
    about: addressIn(form, filling.values),
    at: filling.kept.at,
    end: filling.end,
    after: 'counter/new',
  })
  const client = useQueryClient()
  useNotSavedSaid(filling.kept)
  useKey('new', () => go('counter/new'))
  useKey('new_same_applicant', () => {
    filling.saveNow()
    client.setQueryData(draftKey(draft.operation_id), { ...draft, values: filling.latest() })
    go(newLike(draft.operation_id))
  })
  return (
    <>
      <InFrame
        problems={problems.length}
        aside={<DraftStanding kept={filling.kept} onDiscard={discard.ask} />}
        side={{
          label: t('intake.side'),
          content: <AtThisAddress address={addressIn(form, filling.values)} />,
        }}
        actions={<IntakeActions form={form} filling={filling} accepting={accepting} />}
      />
      <DraftList except={draft.operation_id} />
      {discard.failed && <NoticeLine tone="attention">{t('intake.discard_failed')}</NoticeLine>}
      {accepting.outcome && accepting.outcome.why !== 'problems' && (
        <RefusalNotice
          outcome={accepting.outcome}
          attempt={accepting.attempt}
          saved={filling.kept.is === 'kept'}
        />
      )}
      {refused && <ProblemSummary problems={problems} heading={heading} attempt={accepting.attempt} />}
      <FormFields form={form} label={t('screen.new')} filling={filling} />
      {discard.dialog}
    </>
  )
}

function addressIn(form: FormView, values: Readonly<Record<string, unknown>>): string {
  const fields = form.groups.flatMap((group) => group.fields)
  const address = fields.find(({ control }) => control.control === 'address')
  return address ? textOf(values[address.name]) : ''
}
