// From what was typed to what is handed in, and back for a second form about the same person. Only the form changes:
// an amount that can be read in one way becomes plain digits, a whole number a number. What cannot be read goes as
// typed, so that the station refuses it and says why; nothing is guessed, and nothing is judged.

import type { FormField, FormView } from '../api/generated/wire'
import { readMoney } from '../format/money'
import { chosenOf, codesOf, fieldsOf, isEmpty, parcelsOf, textOf, type Values } from './values'

export type Payload = Record<string, unknown>

export function payloadOf(form: FormView, values: Values): Payload {
  return Object.assign({}, ...fieldsOf(form).map((field) => membersOf(field, values[field.name])))
}

/** The members that one field gives to the payload; an empty field gives none. */
export function membersOf(field: FormField, value: unknown): Payload {
  const { control, name } = field
  if (isEmpty(control, value)) return {}
  switch (control.control) {
    case 'line':
    case 'address':
    case 'unknown':
    case 'email':
    case 'phone':
      return { [name]: textOf(value).trim() }
    case 'long_text':
    case 'choice':
    case 'day':
    case 'time_of_day':
      return { [name]: textOf(value) }
    case 'count':
      return { [name]: count(textOf(value)) }
    case 'money':
      return { [name]: amount(textOf(value)) }
    case 'measure':
      return { [name]: measure(textOf(value)) }
    case 'several':
      return { [name]: codesOf(value) }
    case 'parcels': {
      const { none, reason, numbers } = parcelsOf(value)
      if (none) return { [control.reason_name]: reason.trim() }
      return { [name]: numbers.map((number) => number.trim()).filter((number) => number !== '') }
    }
  }
}

/** What a form of this kind would have had typed into it to give `payload`, for the fields of some groups. */
export function valuesOf(form: FormView, payload: Payload, groups: readonly string[]): Values {
  const fields = form.groups.filter((group) => groups.includes(group.id)).flatMap((group) => group.fields)
  const filled = fields.map((field): [string, unknown] => [field.name, typedOf(field, payload)])
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}

/** What would have been typed into one field to give its members of `payload`; nothing where they are absent. */
export function typedOf({ control, name }: FormField, payload: Payload): unknown {
  const value = payload[name]
  if (control.control !== 'parcels') return typeof value === 'number' ? String(value) : value
  const reason = chosenOf(payload[control.reason_name])
  return { numbers: codesOf(value), none: reason !== null, reason: reason ?? '' }
}

const OUTER = /^[\s\u200b\u200e\u200f\u202a-\u202e\ufeff]+|[\s\u200b\u200e\u200f\u202a-\u202e\ufeff]+$/g

function count(typed: string): number | string {
  const text = typed.replace(OUTER, '')
  const number = Number(text)
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(number) ? number : text
}

/** What can be read in two ways keeps the sign that is drawn beside it, so that no pattern takes it for plain digits. */
function amount(typed: string): string {
  const read = readMoney(typed)
  if (read.kind === 'read') return read.amount
  return typed.includes('$') ? typed : `$${typed}`
}

/** Grouped figures, as people write square feet, without their commas; all else as typed. */
function measure(typed: string): string {
  const text = typed.replace(OUTER, '')
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
}
