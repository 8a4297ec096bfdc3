// Where a problem of the station belongs in a form: which field, which row of it, and in which order all of them stand.

import type { FormField, FormView, ProblemView } from '../api/generated/wire'
import { fieldsOf } from './values'

/** A problem and its field; none where the form has no such field. `row` counts the rows of a list from 0. */
export type Placed = { problem: ProblemView; field: FormField | null; row: number | null }

/** In the order of the form; what has no place in it comes last. */
export function placed(form: FormView, problems: readonly ProblemView[]): Placed[] {
  const fields = fieldsOf(form)
  const places = problems.map((problem) => place(fields, problem))
  const order = ({ field, row }: Placed) =>
    [field ? fields.indexOf(field) : fields.length, row ?? -1] as const
  return places.toSorted((a, b) => {
    const [[fieldA, rowA], [fieldB, rowB]] = [order(a), order(b)]
    return fieldA - fieldB || rowA - rowB
  })
}

/** Whether a pointer is the field's own, lies under it, or is that of the reason beside it. */
export function belongs(field: FormField, pointer: string): boolean {
  return pointersOf(field).some((own) => pointer === own || pointer.startsWith(`${own}/`))
}

/** What the station is asked about when a field is left. */
export function pointersOf({ control, pointer }: FormField): string[] {
  return control.control === 'parcels' ? [pointer, control.reason_pointer] : [pointer]
}

/** The id of the control that has to be mended. */
export function idOf(field: FormField, row: number | null = null): string {
  const id = `field-${field.name}`
  if (field.control.control !== 'parcels') return id
  return row === REASON ? `${id}-reason` : `${id}-${row ?? 0}`
}

/** The row of a problem with the reason that stands in place of a list. */
export const REASON = Number.MAX_SAFE_INTEGER

function place(fields: readonly FormField[], problem: ProblemView): Placed {
  const field = fields.find((one) => belongs(one, problem.pointer)) ?? null
  return { problem, field, row: field && rowOf(field, problem.pointer) }
}

function rowOf({ control, pointer }: FormField, at: string): number | null {
  if (control.control === 'parcels' && at === control.reason_pointer) return REASON
  const row = Number(at.slice(pointer.length + 1).split('/')[0])
  return at.length > pointer.length && Number.isInteger(row) ? row : null
}
