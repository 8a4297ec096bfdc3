// A correction as it is filled in and handed in: where its form begins, its draft, and the document that is made of it. It
// carries the whole payload: what the form has no field for stays as it was. Judges nothing.

import type { QueryClient } from '@tanstack/react-query'
import type { Backend } from '../../api/backend'
import type {
  CorrectingView,
  DraftView,
  FormField,
  FormView,
  ItemView,
  ProblemView,
} from '../../api/generated/wire'
import { type Payload, valuesOf } from '../../forms/payload'
import { type Begins, draftKey } from '../../forms/useFilling'
import { fieldsOf, type Values } from '../../forms/values'

export function correctAddress(operationId: string): string {
  return `correct/${encodeURIComponent(operationId)}`
}

export const CORRECTION = 'correction'

/** What says in a draft which item it corrects: an application can have several. No form has such a field. */
const CORRECTS = 'corrects'

/** Several of one application are read one after the other; there are rarely two. */
const DRAFTS_OF_ONE_MAX = 20

/** What the screen needs before anything can be typed. */
export type Opened = { correcting: CorrectingView; form: FormView; draft: DraftView; begins: Begins }

/** None where the station offers no correction. */
export async function opened(backend: Backend, client: QueryClient, id: string): Promise<Opened | null> {
  const item = await backend.item(id)
  const correcting = item.offered?.correcting
  if (!correcting || item.offered?.correct.offer === 'refused') return null
  const form = await backend.form(correcting.kind)
  const earlier = await draftOf(backend, item)
  const draft = earlier ?? (await begun(backend, item, valuesIn(form, correcting.payload)))
  // What this window typed is newer than what it last saved.
  const here = client.getQueryData<DraftView>(draftKey(draft.operation_id))
  client.setQueryData(draftKey(draft.operation_id), here ?? draft)
  return { correcting, form, draft: here ?? draft, begins: earlier ? 'kept' : 'filled_in' }
}

async function draftOf(backend: Backend, item: ItemView): Promise<DraftView | null> {
  const near = (await backend.drafts()).filter(
    (draft) => draft.kind === CORRECTION && draft.application_id === item.application_id,
  )
  for (const { operation_id } of near.slice(0, DRAFTS_OF_ONE_MAX)) {
    const draft = await backend.draft(operation_id)
    if (draft.values[CORRECTS] === item.operation_id) return draft
  }
  return null
}

async function begun(backend: Backend, item: ItemView, values: Values): Promise<DraftView> {
  const draft = await backend.openDraft({ kind: CORRECTION, application_id: item.application_id })
  return { ...draft, values: { ...values, [CORRECTS]: item.operation_id } }
}

function valuesIn(form: FormView, payload: Payload): Values {
  return valuesOf(
    form,
    payload,
    form.groups.map(({ id }) => id),
  )
}

/** The document: what was typed, with what no field is for, inside of what it corrects, from the last to the first. */
export function documentOf({ of, payload }: CorrectingView, form: FormView, typed: Payload): Payload {
  const named = new Set(fieldsOf(form).flatMap(namesOf))
  const rest = Object.entries(payload).filter(([name, value]) => !named.has(name) && value !== null)
  const whole: Payload = { ...Object.fromEntries(rest), ...typed }
  return of.reduceRight<Payload>((inside, one) => ({ of: one, payload: inside }), whole)
}

function namesOf({ name, control }: FormField): string[] {
  return control.control === 'parcels' ? [name, control.reason_name] : [name]
}

/** Problems point into the document; the form has what is inside. */
export function problemsInForm({ of }: CorrectingView, problems: readonly ProblemView[]): ProblemView[] {
  const around = '/payload'.repeat(of.length + 1)
  return problems.map((problem) => ({
    ...problem,
    pointer: problem.pointer.startsWith(`${around}/`)
      ? `/payload${problem.pointer.slice(around.length)}`
      : problem.pointer,
  }))
}
