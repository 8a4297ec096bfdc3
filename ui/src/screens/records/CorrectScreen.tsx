// A correction of an item that was handed in: its own form, filled in with what holds now. Where the station offers none,
// it says why. What is typed stays when that changes meanwhile: the station decides when it is handed in.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { ItemView } from '../../api/generated/wire'
import { ProblemSummary } from '../../components/ProblemSummary'
import { Empty, ErrorState, Loading, NoticeLine } from '../../components/states'
import { FormFields } from '../../forms/FormFields'
import { useFilling } from '../../forms/useFilling'
import { useProblems } from '../../forms/useProblems'
import { InFrame } from '../../frame/InFrame'
import { go } from '../../frame/routes'
import { useBackend } from '../../frame/StandingContext'
import { receiptAddress } from '../intake/addresses'
import { DraftStanding, useNotSavedSaid } from '../intake/DraftStanding'
import { IntakeActions } from '../intake/IntakeActions'
import { RefusalNotice } from '../intake/RefusalNotice'
import { useAccepting } from '../intake/useAccepting'
import { useDiscard } from '../intake/useDiscard'
import type { Parts } from '../screens'
import { documentOf, type Opened, opened, problemsInForm } from './correction'
import { useWhat } from './itemWords'
import { useOfferSentence } from './offeredWords'

const SKELETON_ROWS = 8

export function CorrectScreen({ parts: [id = ''] }: Parts) {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const item = useQuery({ queryKey: ['item', id], queryFn: () => backend.item(id) })
  // Read once: what is being typed is not taken away by what becomes of the item.
  const form = useQuery({
    queryKey: ['correction', id],
    queryFn: () => opened(backend, client, id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (item.error instanceof Refusal && item.error.code === 'not_found')
    return <Empty action={{ word: t('receipt.find'), act: () => go('find') }}>{t('receipt.unknown')}</Empty>
  if (item.isError || form.isError)
    return (
      <ErrorState
        what={t('correct.failed')}
        safe={t('intake.failed_safe')}
        code="HF-314"
        onAgain={() => {
          void item.refetch()
          void form.refetch()
        }}
      />
    )
  if (!item.data || form.data === undefined)
    return <Loading rows={SKELETON_ROWS} label={t('correct.opening')} />
  if (form.data === null) return <NotOffered item={item.data} />
  return <Correcting key={id} item={item.data} {...form.data} />
}

function NotOffered({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const sentence = useOfferSentence()
  const why = item.offered ? sentence('correct', item.offered.correct) : t('offered.why.no_form')
  const back = { word: t('correct.to_receipt'), act: () => go(receiptAddress(item.operation_id)) }
  return (
    <>
      <InFrame title={useTitle(item)} />
      <Empty action={back}>{why}</Empty>
    </>
  )
}

function Correcting({ item, correcting, form, draft, begins }: { item: ItemView } & Opened) {
  const { t } = useTranslation()
  const filling = useFilling(form, draft, begins)
  const accepting = useAccepting(form, draft, filling, {
    payload: (typed) => documentOf(correcting, form, typed),
    problems: (found) => problemsInForm(correcting, found),
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const { outcome } = accepting
  const refused = outcome?.why === 'problems' ? outcome.problems : null
  const problems = useProblems(form, filling.shown, refused)
  const about = item.address ?? item.receipt_no
  const after = receiptAddress(item.operation_id)
  const discard = useDiscard({ draft, about, at: filling.kept.at, end: filling.end, after })
  useNotSavedSaid(filling.kept)
  const word = t('correct.accept')
  return (
    <>
      <InFrame
        title={useTitle(item)}
        problems={problems.length}
        aside={<DraftStanding kept={filling.kept} onDiscard={discard.ask} />}
        actions={<IntakeActions form={form} filling={filling} accepting={accepting} word={word} />}
      />
      {discard.failed && <NoticeLine tone="attention">{t('intake.discard_failed')}</NoticeLine>}
      {outcome && outcome.why !== 'problems' && (
        <RefusalNotice
          outcome={outcome}
          attempt={accepting.attempt}
          saved={filling.kept.is === 'kept'}
          act={word}
        />
      )}
      {refused && <ProblemSummary problems={problems} heading={heading} attempt={accepting.attempt} />}
      <Follows item={item} />
      <FormFields form={form} label={word} filling={filling} />
      {discard.dialog}
    </>
  )
}

/** What comes of it, as the item stands now. */
function Follows({ item: { offered } }: { item: ItemView }) {
  const sentence = useOfferSentence()
  if (!offered) return null
  const refused = offered.correct.offer === 'refused'
  const words = sentence('correct', offered.correct)
  return refused ? <NoticeLine tone="attention">{words}</NoticeLine> : <p className="list-above">{words}</p>
}

function useTitle(item: ItemView): string {
  const { t } = useTranslation()
  const what = useWhat()
  return t('correct.title', { what: what(item), number: item.receipt_no })
}
