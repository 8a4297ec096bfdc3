// Which problems are shown beside the fields, and when the station is asked about them. A field is asked about when it
// is left, changed and not empty; one that shows a problem, half a second after typing stops. An answer about an older
// value is dropped. While the station is slow there is no verdict: the hand-in decides. Nothing is judged here.

import type { FormField, FormView, ProblemView } from '../api/generated/wire'
import { belongs } from './placing'
import { isEmpty, type Values } from './values'

/** What one field shows; none is an empty list. */
export type Shown = Readonly<Record<string, readonly ProblemView[]>>

/** Asks the station about one field with all values as they are now. */
export type Ask = (field: FormField) => Promise<readonly ProblemView[]>

export type Checking = {
  typed: (field: FormField) => void
  left: (field: FormField) => void
  /** The station refused: these are all problems there are. */
  refused: (problems: readonly ProblemView[]) => void
  end: () => void
}

type Of = {
  /** The rules may change while the form is open. */
  form: () => FormView
  values: () => Values
  ask: Ask
  told: (shown: Shown) => void
  /** A field that was left has a problem now. */
  found: (field: FormField, problems: readonly ProblemView[]) => void
}

export const TYPING_STOPPED_MS = 500

export function checkFields({ form, values, ask, told, found }: Of): Checking {
  let shown: Shown = {}
  const asked: Record<string, string> = startingFrom(form(), values())
  const version: Record<string, number> = {}
  const timers: Record<string, ReturnType<typeof setTimeout>> = {}
  const typedIn = ({ name }: FormField) => JSON.stringify(values()[name] ?? null)
  const show = (next: Shown) => {
    shown = next
    told(shown)
  }
  async function about(field: FormField, onFound?: typeof found) {
    clearTimeout(timers[field.name])
    const value = typedIn(field)
    asked[field.name] = value
    version[field.name] = (version[field.name] ?? 0) + 1
    const own = version[field.name]
    const problems = await ask(field).catch(() => null)
    if (problems === null || own !== version[field.name] || value !== typedIn(field)) return
    const ofField = problems.filter(({ pointer }) => belongs(field, pointer))
    show({ ...shown, [field.name]: ofField })
    if (ofField.length > 0) onFound?.(field, ofField)
  }
  return {
    typed(field) {
      clearTimeout(timers[field.name])
      if ((shown[field.name] ?? []).length > 0)
        timers[field.name] = setTimeout(() => void about(field), TYPING_STOPPED_MS)
    },
    left(field) {
      if (isEmpty(field.control, values()[field.name]) || asked[field.name] === typedIn(field)) return
      void about(field, found)
    },
    refused(problems) {
      for (const group of form().groups)
        for (const field of group.fields) {
          asked[field.name] = typedIn(field)
          version[field.name] = (version[field.name] ?? 0) + 1
        }
      show(byField(form(), problems))
    },
    end() {
      for (const timer of Object.values(timers)) clearTimeout(timer)
    },
  }
}

/** What a draft holds already is not asked about until it is changed. */
function startingFrom(form: FormView, values: Values): Record<string, string> {
  const fields = form.groups.flatMap((group) => group.fields)
  return Object.fromEntries(fields.map(({ name }) => [name, JSON.stringify(values[name] ?? null)]))
}

function byField(form: FormView, problems: readonly ProblemView[]): Shown {
  const fields = form.groups.flatMap((group) => group.fields)
  const lists = fields.map((field) => [field.name, problems.filter(({ pointer }) => belongs(field, pointer))])
  return Object.fromEntries(lists)
}
