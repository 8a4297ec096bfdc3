import { expect, test } from 'vitest'
import { dayOrderOf, readPastedDate } from './date'
import { age, moment, type Reading } from './format'

test.each([
  ['2026-12-08', '2026-12-08'],
  ['12/8/2026', '2026-12-08'],
  [' 12/08/2026\n', '2026-12-08'],
  ['2/29/2028', '2028-02-29'],
])('pasted %j is the day %s', (pasted, day) => {
  expect(readPastedDate(pasted, 'month-first')).toEqual({ kind: 'read', day })
})

test.each(['8 Dec 2026', '', '2026-13-01', '0000-01-01', 'x'.repeat(1000), '2026-00-10'])(
  'pasted %j is no date',
  (pasted) => {
    expect(readPastedDate(pasted, 'month-first')).toEqual({ kind: 'refused', why: 'form' })
  },
)

test('a year of two digits is not guessed', () => {
  expect(readPastedDate('12/8/26', 'month-first')).toEqual({ kind: 'refused', why: 'year' })
})

test('a day that the month does not have says how many it has', () => {
  expect(readPastedDate('2/29/2027', 'month-first')).toEqual({
    kind: 'refused',
    why: 'day',
    month: 2,
    year: 2027,
    days: 28,
  })
})

test('a date with slashes is read in the order in which the field shows it', () => {
  expect(dayOrderOf('en-US')).toBe('month-first')
  expect(dayOrderOf('es-US')).toBe('day-first')
  expect(readPastedDate('8/12/2026', 'day-first')).toEqual({ kind: 'read', day: '2026-12-08' })
  expect(readPastedDate('12/31/2026', 'day-first')).toMatchObject({ kind: 'refused' })
})

const reading: Reading = { locale: 'en-US', clock: '12', now: new Date(2026, 11, 8, 10, 0) }
const plain = (text: string) => text.replace(/\s/g, ' ')
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()

test('a moment shows its day as soon as it is not today', () => {
  expect(plain(moment(reading, at(2026, 11, 8, 8, 5)))).toBe('8:05 AM')
  expect(plain(moment(reading, at(2026, 11, 7, 23, 5)))).toBe('Mon 11:05 PM')
  expect(plain(moment(reading, at(2026, 11, 1, 8, 5)))).toBe('Tue, Dec 1')
  expect(plain(moment(reading, at(2025, 11, 8, 8, 5)))).toBe('Mon, Dec 8, 2025')
})

test('an age is told in one unit', () => {
  const ago = (minutes: number) => new Date(reading.now.getTime() - minutes * 60_000).toISOString()
  expect(age(reading.now, ago(0))).toEqual({ unit: 'now' })
  expect(age(reading.now, ago(12))).toEqual({ unit: 'min', n: 12 })
  expect(age(reading.now, ago(185))).toEqual({ unit: 'h', n: 3 })
  expect(age(reading.now, ago(60 * 49))).toEqual({ unit: 'days', n: 2 })
})
