// A date as it may be pasted, and why one is not a day. Typing goes through segments and cannot be wrong that way.

export type DateRead =
  /** ISO day. */
  | { kind: 'read'; day: string }
  | { kind: 'refused'; why: 'form' }
  | { kind: 'refused'; why: 'year' }
  | { kind: 'refused'; why: 'day'; month: number; year: number; days: number }

export function readPastedDate(pasted: string): DateRead {
  const text = pasted.replace(/[\u200b\u200e\u200f\ufeff]/g, '').trim()
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (iso) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  if (/^\d{1,2}\/\d{1,2}\/\d{2}$/.test(text)) return { kind: 'refused', why: 'year' }
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (us) return checked(Number(us[3]), Number(us[1]), Number(us[2]))
  return { kind: 'refused', why: 'form' }
}

function checked(year: number, month: number, day: number): DateRead {
  if (year < 1000 || month < 1 || month > 12 || day < 1) return { kind: 'refused', why: 'form' }
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day > days) return { kind: 'refused', why: 'day', month, year, days }
  const two = (n: number) => String(n).padStart(2, '0')
  return { kind: 'read', day: `${year}-${two(month)}-${two(day)}` }
}
