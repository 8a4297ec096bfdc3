// A form being filled in: what is typed, whether it is kept, and which problems the station found. The draft's keeper
// and the checks live as long as the form is open; the keeper goes on until what was typed is saved.

import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backend } from '../api/backend'
import type { DraftView, FormField, FormView, ProblemView, RecordView } from '../api/generated/wire'
import { useAnnounce } from '../frame/Announcer'
import { useBackend } from '../frame/StandingContext'
import { useSettings } from '../settings/SettingsProvider'
import { checkFields, type Shown } from './checking'
import { type Kept, keepDraft } from './keeping'
import { payloadOf, typedOf } from './payload'
import { pointersOf } from './placing'
import { sayProblem } from './problemWords'
import { TAKEN_IN_HERE } from './useParcelSource'
import { fieldsOf, isEmpty, parcelsOf, type Values } from './values'

export const draftKey = (operationId: string) => ['draft', operationId] as const

export type Filling = {
  values: Values
  /** The newest, also before the page has shown them. */
  latest: () => Values
  put: (name: string, value: unknown) => void
  left: (field: FormField) => void
  fromRecord: (record: RecordView) => void
  kept: Kept
  saveNow: () => void
  /** The draft is no more: accepted or discarded. */
  end: () => void
  shown: Shown
  refused: (problems: readonly ProblemView[]) => void
}

/** Whether the station has what a draft begins with; what the page itself filled in it has not. */
export type Begins = 'kept' | 'filled_in'

/** For one draft: a caller that turns to another one has to be keyed by it. */
export function useFilling(form: FormView, draft: DraftView, begins: Begins = 'kept'): Filling {
  const backend = useBackend()
  const [values, setValues] = useState<Values>(draft.values)
  const newest = useRef<Values>(draft.values)
  const latest = useCallback(() => newest.current, [])
  const keeper = useKeeper(backend, draft, latest, begins)
  const checks = useChecks(backend, form, latest)
  const put = useCallback(
    (name: string, value: unknown) => {
      newest.current = { ...newest.current, [name]: value }
      setValues(newest.current)
      keeper.keeping.changed()
      const field = fieldsOf(form).find((one) => one.name === name)
      if (field) checks.checking.typed(field)
    },
    [form, keeper.keeping, checks.checking],
  )
  const left = useCallback(
    (field: FormField) => {
      keeper.keeping.now()
      checks.checking.left(field)
    },
    [keeper.keeping, checks.checking],
  )
  const fromRecord = useCallback(
    (record: RecordView) => {
      const filled = parcelsFrom(form, latest(), record)
      if (filled) put(filled.name, filled.value)
    },
    [form, latest, put],
  )
  useLeaving(draft, latest, keeper.keeping)
  return {
    values,
    latest,
    put,
    left,
    fromRecord,
    kept: keeper.kept,
    saveNow: keeper.keeping.now,
    end: keeper.keeping.end,
    shown: checks.shown,
    refused: checks.checking.refused,
  }
}

function useKeeper(
  backend: Backend,
  { operation_id, values, saved_at }: DraftView,
  latest: () => Values,
  begins: Begins,
) {
  const at = begins === 'kept' && Object.keys(values).length > 0 ? saved_at : null
  const [kept, setKept] = useState<Kept>({ is: 'kept', at })
  const [keeping] = useState(() =>
    keepDraft({
      save: async () => (await backend.keepDraft({ operation_id, values: { ...latest() } })).saved_at,
      at,
      told: setKept,
    }),
  )
  return { kept, keeping }
}

function useChecks(backend: Backend, form: FormView, latest: () => Values) {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const announce = useAnnounce()
  const [shown, setShown] = useState<Shown>({})
  const said = useRef(0)
  const current = useRef(form)
  const found = useRef<(field: FormField, problems: readonly ProblemView[]) => void>(() => {})
  useEffect(() => {
    current.current = form
    found.current = (field, [problem]) => {
      if (!problem) return
      said.current += 1
      const text = sayProblem({ t, locale: settings.language, form }, problem, field)
      announce({ key: `problem ${field.name} ${said.current}`, text, politeness: 'polite' })
    }
  })
  const [checking] = useState(() =>
    checkFields({
      form: () => current.current,
      values: latest,
      ask: async (field) => {
        const payload = payloadOf(current.current, latest())
        const request = { kind: form.kind, payload, pointers: pointersOf(field) }
        return (await backend.check(request)).problems
      },
      told: setShown,
      found: (field, problems) => found.current(field, problems),
    }),
  )
  useEffect(() => () => checking.end(), [checking])
  return { shown, checking }
}

/**
 * What was typed is saved when the window loses the focus and when the screen is left, and stays at hand for coming
 * back at once. A draft that holds nothing is not left behind.
 */
function useLeaving(draft: DraftView, latest: () => Values, keeping: ReturnType<typeof keepDraft>) {
  const client = useQueryClient()
  const here = useRef(false)
  useEffect(() => {
    const save = () => keeping.now()
    window.addEventListener('blur', save)
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('blur', save)
      window.removeEventListener('pagehide', save)
    }
  }, [keeping])
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
      keeping.now()
      // Development mounts twice; only a screen that does not come back at once was left.
      setTimeout(() => {
        if (here.current || !client.getQueryData(draftKey(draft.operation_id))) return
        // A blank one too: the station gives an untouched draft to the next new form, so nothing is thrown away here.
        client.setQueryData(draftKey(draft.operation_id), { ...draft, values: { ...latest() } })
      }, 0)
    }
  }, [client, draft, latest, keeping])
}

/** Parcels are filled from a record unless a person typed some. */
function parcelsFrom(form: FormView, values: Values, record: RecordView) {
  const field = fieldsOf(form).find(({ control }) => control.control === 'parcels')
  if (!field) return null
  const before = parcelsOf(values[field.name])
  if (!isEmpty(field.control, before) && !before.from) return null
  const value = parcelsOf(typedOf(field, record.payload))
  if (isEmpty(field.control, value)) return null
  return { name: field.name, value: { ...value, from: record.copied_at ?? TAKEN_IN_HERE } }
}
