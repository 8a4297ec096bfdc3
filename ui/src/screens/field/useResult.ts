// The result of a visit while it is filled in: values, draft, handing in, and what the station said to it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { DraftView, FormView, InspectionView, ProblemView, ReceiptView } from '../../api/generated/wire'
import type { FieldProblem } from '../../components/ProblemSummary'
import { type Keeping, type Kept, keepDraft } from '../../forms/keeping'
import { idOf, placed } from '../../forms/placing'
import { sayProblem } from '../../forms/problemWords'
import { textOf } from '../../forms/values'
import { useAnnounce } from '../../frame/Announcer'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useLost } from '../../frame/useLost'
import { useSettings } from '../../settings/SettingsProvider'
import { visitOf } from './draft'

const names = ['ResultMapped', 'InspectedDate', 'InspectedTime', 'InspectionNotes'] as const
type Name = (typeof names)[number]
export type ResultValues = Record<Name, string>

type Of = {
  view: InspectionView
  form: FormView
  draft: DraftView | null
  onSaved: (receipt: ReceiptView, result: string) => void
}

export function useResult({ view, form, draft, onSaved }: Of) {
  const [values, setValues] = useState(() => valuesOf(draft, new Date()))
  const [untouched, setUntouched] = useState(true)
  const latest = useRef(values)
  const operation = useOperation(view, draft)
  const { kept, keeping } = useKeeping(operation, latest, view, draft)
  const put = (name: Name) => (value: string) => {
    latest.current = stamped({ ...latest.current, [name]: value }, name, untouched && !draft)
    setValues(latest.current)
    setUntouched(false)
    keeping.changed()
  }
  const handing = useHandingIn({ view, form, onSaved, operation, keeping, latest })
  return { values, put, kept, untouched, keepNow: keeping.now, ...handing }
}

/** The hour is that of the finding: until somebody types another, it is when the result was chosen. */
function stamped(values: ResultValues, name: Name, fresh: boolean): ResultValues {
  return name === 'ResultMapped' && fresh ? { ...values, ...momentOf(new Date()) } : values
}

function valuesOf(draft: DraftView | null, now: Date): ResultValues {
  const text = (name: Name) => textOf(draft?.values[name])
  const typed = Object.fromEntries(names.map((name) => [name, text(name)])) as ResultValues
  return draft ? typed : { ...typed, ...momentOf(now) }
}

function momentOf(now: Date) {
  const two = (n: number) => String(n).padStart(2, '0')
  return { InspectedDate: localDay(now), InspectedTime: `${two(now.getHours())}:${two(now.getMinutes())}` }
}

export function localDay(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** One id from the first key to the receipt, so that a second press counts once. */
function useOperation(view: InspectionView, draft: DraftView | null): () => Promise<string> {
  const backend = useBackend()
  const minted = useRef<Promise<string> | null>(draft ? Promise.resolve(draft.operation_id) : null)
  return () => {
    minted.current ??= backend
      .openDraft({ kind: 'inspection', application_id: view.application_id })
      .then((opened) => opened.operation_id)
      .catch((error) => {
        minted.current = null
        throw error
      })
    return minted.current
  }
}

function useKeeping(
  operation: () => Promise<string>,
  latest: { current: ResultValues },
  view: InspectionView,
  draft: DraftView | null,
) {
  const { t } = useTranslation()
  const backend = useBackend()
  const announce = useAnnounce()
  const [kept, setKept] = useState<Kept>({ is: 'kept', at: draft?.saved_at ?? null })
  const [keeping] = useState<Keeping>(() =>
    keepDraft({
      at: draft?.saved_at ?? null,
      told: setKept,
      save: async () => {
        const operation_id = await operation()
        const values = { ...visitOf(view), ...latest.current }
        return (await backend.keepDraft({ operation_id, values })).saved_at
      },
    }),
  )
  const failing = kept.is === 'not_kept'
  useEffect(() => {
    if (failing)
      announce({ key: 'draft', text: t('intake.say_not_saved'), politeness: 'assertive', important: true })
  }, [failing, announce, t])
  // What is typed and not yet kept is kept when the page is left.
  useEffect(() => () => keeping.now(), [keeping])
  return { kept, keeping }
}

function useHandingIn({
  view,
  form,
  onSaved,
  operation,
  keeping,
  latest,
}: Pick<Of, 'view' | 'form' | 'onSaved'> & {
  operation: () => Promise<string>
  keeping: Keeping
  latest: { current: ResultValues }
}) {
  const backend = useBackend()
  const client = useQueryClient()
  const lost = useLost()
  const heading = useRef<HTMLHeadingElement>(null)
  const [attempt, setAttempt] = useState(0)
  const submit = useMutation({
    mutationFn: async () => {
      const operation_id = await operation()
      const { application_id } = view
      return backend.submit({
        kind: 'inspection',
        operation_id,
        application_id,
        payload: payloadOf(view, latest.current),
      })
    },
    onSuccess: async (receipt) => {
      keeping.end()
      onSaved(receipt, latest.current.ResultMapped)
      await client.invalidateQueries()
    },
    onError: () => setAttempt((before) => before + 1),
  })
  const problems = useProblems(form, submit.error instanceof Refusal ? submit.error.problems : [])
  const [lostAsked, setLostAsked] = useState(false)
  const refusal = useRefusal(submit.error)
  return {
    heading,
    attempt,
    problems,
    pending: submit.isPending,
    refused: lost && lostAsked ? lost : problems.length > 0 ? null : refusal,
    save: () => {
      setLostAsked(lost !== null)
      if (lost === null) submit.mutate()
    },
  }
}

/** Fields that were left empty are left out. */
function payloadOf(view: InspectionView, values: ResultValues): Record<string, unknown> {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '')
  return { ...visitOf(view), ...Object.fromEntries(filled) }
}

function useProblems(form: FormView, problems: readonly ProblemView[]): FieldProblem[] {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const speaking = { t, locale: settings.language, form }
  return placed(form, problems).map(({ problem, field }) => ({
    fieldId: field ? idOf(field) : '',
    text: sayProblem(speaking, problem, field),
  }))
}

function useRefusal(error: Error | null): string | null {
  const { t } = useTranslation()
  const { house } = useStanding()
  if (!error) return null
  const code = error instanceof Refusal ? error.code : 'other'
  switch (code) {
    case 'busy':
    case 'not_signed_in':
    case 'not_permitted':
    case 'rules_out_of_date':
    case 'disk_full':
    case 'storage':
      return t(`result.refused.${code}`, { contact: house.contact })
    default:
      return t('result.refused.other', { contact: house.contact, code: `HF-403 ${code}` })
  }
}
