// A date as it may be pasted, and why one is not a day. Typing goes through segments and cannot be wrong that way.

export type DateRead =
  /** ISO day. */
  | { kind: 'read'; day: string }
  | { kind: 'refused'; why: 'form' }
  | { kind: 'refused'; why: 'year' }
  | { kind: 'refused'; why: 'day'; month: number; year: number; days: number }

/** The order in which a reader's language writes a day, and in which the field shows it. */
export type DayOrder = 'month-first' | 'day-first'

export function dayOrderOf(locale: string): DayOrder {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day') ? 'month-first' : 'day-first'
}

/** With slashes a date is read in the order in which the field shows it, so that the two never differ. */
export function readPastedDate(pasted: string, order: DayOrder): DateRead {
  const text = pasted.replace(/[\u200b\u200e\u200f\ufeff]/g, '').trim()
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (iso) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  if (/^\d{1,2}\/\d{1,2}\/\d{2}$/.test(text)) return { kind: 'refused', why: 'year' }
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const [first, second] = [Number(us?.[1]), Number(us?.[2])]
  if (us)
    return order === 'month-first'
      ? checked(Number(us[3]), first, second)
      : checked(Number(us[3]), second, first)
  return { kind: 'refused', why: 'form' }
}

function checked(year: number, month: number, day: number): DateRead {
  if (year < 1000 || month < 1 || month > 12 || day < 1) return { kind: 'refused', why: 'form' }
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day > days) return { kind: 'refused', why: 'day', month, year, days }
  const two = (n: number) => String(n).padStart(2, '0')
  return { kind: 'read', day: `${year}-${two(month)}-${two(day)}` }
}
