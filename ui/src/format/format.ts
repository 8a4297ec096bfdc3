// Dates, times, ages and amounts in the reader's language, as plain functions of the moment given. Knows no clock: the
// caller says what "now" is. Engines differ in the white space before AM: nothing compares these texts raw.

export const locales = ['en-US', 'es-US'] as const
export type Locale = (typeof locales)[number]

export type Clock = 'system' | '12' | '24'
export type Reading = { locale: Locale; clock: Clock; now: Date }

/** "8:05 AM" today, "Tue 8:05 AM" within the week, "Tue, Dec 8" else, with the year if it is another. */
export function moment(reading: Reading, text: string): string {
  const at = new Date(text)
  const days = daysApart(at, reading.now)
  if (days === 0) return timeOfDay(reading, at)
  if (Math.abs(days) < 7) return `${weekday(reading, at)} ${timeOfDay(reading, at)}`
  return day(reading, at)
}

export function timeOfDay(reading: Reading, at: Date): string {
  const hour12 = reading.clock === 'system' ? undefined : reading.clock === '12'
  return dateFormat(reading.locale, { hour: 'numeric', minute: '2-digit', hour12 }).format(at)
}

function weekday(reading: Reading, at: Date): string {
  return dateFormat(reading.locale, { weekday: 'short' }).format(at)
}

export function day(reading: Reading, at: Date): string {
  const year = at.getFullYear() === reading.now.getFullYear() ? undefined : 'numeric'
  return dateFormat(reading.locale, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year,
  }).format(at)
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Making one costs more than drawing a row; there are a dozen in all. */
function dateFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const known = dateFormats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, options)
  dateFormats.set(key, made)
  return made
}

/** `YYYY-MM-DD` by the clock on the wall here. */
export function isoDay(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

function daysApart(a: Date, b: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(a) - midnight(b)) / 86_400_000)
}

export function count(reading: Reading, n: number): string {
  return new Intl.NumberFormat(reading.locale).format(n)
}

/** An amount that the station keeps as text: grouped, never rounded, never made a number. */
export function dollars(amount: string): string {
  const [whole = '', cents = ''] = amount.split('.')
  const minus = whole.startsWith('-') ? '-' : ''
  const digits = whole.replace('-', '')
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${minus}$${grouped}.${cents.padEnd(2, '0')}`
}

export type Age = { unit: 'now' } | { unit: 'min' | 'h' | 'days'; n: number }

/** "just now", "12 min", "3 h", "2 days": the catalogue has the words. */
export function age(now: Date, text: string): Age {
  const minutes = Math.floor((now.getTime() - new Date(text).getTime()) / 60_000)
  if (minutes < 1) return { unit: 'now' }
  if (minutes < 60) return { unit: 'min', n: minutes }
  if (minutes < 48 * 60) return { unit: 'h', n: Math.floor(minutes / 60) }
  return { unit: 'days', n: Math.floor(minutes / (24 * 60)) }
}
