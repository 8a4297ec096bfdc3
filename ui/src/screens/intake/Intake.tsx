// An application being taken in: drafts of the same person above it, the problems the station found, the form, and the
// bar with what one can do. What was typed is kept by itself.

import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DraftView, FormView } from '../../api/generated/wire'
import { AskDialog } from '../../components/AskDialog'
import { ProblemSummary } from '../../components/ProblemSummary'
import { NoticeLine } from '../../components/states'
import { moment } from '../../format/format'
import { FormFields } from '../../forms/FormFields'
import { draftKey, useFilling } from '../../forms/useFilling'
import { useProblems } from '../../forms/useProblems'
import { textOf } from '../../forms/values'
import { InFrame } from '../../frame/InFrame'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useKey } from '../../keys/Keys'
import { useReading } from '../../settings/SettingsProvider'
import { AtThisAddress } from './AtThisAddress'
import { newLike } from './addresses'
import { DraftList } from './DraftList'
import { DraftStanding, useNotSavedSaid } from './DraftStanding'
import { IntakeActions } from './IntakeActions'
import { RefusalNotice } from './RefusalNotice'
import { useAccepting } from './useAccepting'

export function Intake({ draft, form }: { draft: DraftView; form: FormView }) {
  const { t } = useTranslation()
  const filling = useFilling(form, draft)
  const accepting = useAccepting(form, draft, filling)
  const heading = useRef<HTMLHeadingElement>(null)
  const refused = accepting.outcome?.why === 'problems' ? accepting.outcome.problems : null
  const problems = useProblems(form, filling.shown, refused)
  const discard = useDiscard(
    draft,
    { about: addressIn(form, filling.values), at: filling.kept.at },
    filling.end,
  )
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

/** The one thing about a draft that cannot be brought back. */
function useDiscard(draft: DraftView, typed: { about: string; at: string | null }, end: () => void) {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const reading = useReading(useStanding().now)
  const [open, setOpen] = useState(false)
  const [failed, setFailed] = useState(false)
  const discard = async () => {
    setOpen(false)
    try {
      await backend.discardDraft(draft.operation_id)
    } catch {
      return setFailed(true)
    }
    end()
    client.removeQueries({ queryKey: draftKey(draft.operation_id) })
    void client.invalidateQueries({ queryKey: ['drafts'] })
    go('counter/new')
  }
  const about = typed.about.trim() || t('intake.draft_without_address')
  const dialog = (
    <AskDialog
      open={open}
      question={t('intake.ask_discard')}
      act={t('intake.discard')}
      stay={t('intake.keep')}
      onAct={() => void discard()}
      onStay={() => setOpen(false)}
    >
      <p>
        {typed.at
          ? t('intake.ask_discard_text', { about, at: moment(reading, typed.at) })
          : t('intake.ask_discard_blank')}
      </p>
    </AskDialog>
  )
  return { ask: () => setOpen(true), failed, dialog }
}
