// What is typed into a form, by the name of the field and as typed; what a draft keeps. A draft may come from another
// version of the window, so each value is read with care: what has another shape counts as empty. Judges nothing.

import type { FieldControl, FormField, FormView } from '../api/generated/wire'
import type { Parcels } from '../components/ParcelList'

export type Values = Readonly<Record<string, unknown>>

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A code or a day: none is null, as the controls want it. */
export function chosenOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function codesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((code) => typeof code === 'string') : []
}

export function parcelsOf(value: unknown): Parcels {
  const typed = typeof value === 'object' && value !== null ? (value as Partial<Record<string, unknown>>) : {}
  const numbers = codesOf(typed.numbers)
  return {
    numbers: numbers.length > 0 ? numbers : [''],
    none: typed.none === true,
    reason: textOf(typed.reason),
    from: chosenOf(typed.from),
  }
}

/** Whether nothing was filled in; white space alone is nothing. */
export function isEmpty(control: FieldControl, value: unknown): boolean {
  switch (control.control) {
    case 'several':
      return codesOf(value).length === 0
    case 'parcels': {
      const { none, reason, numbers } = parcelsOf(value)
      return none ? reason.trim() === '' : numbers.every((number) => number.trim() === '')
    }
    case 'line':
    case 'long_text':
    case 'phone':
    case 'email':
    case 'count':
    case 'money':
    case 'measure':
    case 'day':
    case 'time_of_day':
    case 'choice':
    case 'address':
    case 'unknown':
      return textOf(value).trim() === ''
  }
}

export function fieldsOf(form: FormView): FormField[] {
  return form.groups.flatMap((group) => group.fields)
}

/** How many of the fields that the rules require are empty; only shown, the station decides. */
export function toFill(form: FormView, values: Values): number {
  return fieldsOf(form).filter(
    (field) => field.need === 'required' && isEmpty(field.control, values[field.name]),
  ).length
}
