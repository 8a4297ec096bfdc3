import { expect, test } from 'vitest'
import { type Latest, type Steady, steady } from './steadyRows'

type Row = { key: string; state: string }

const keyOf = (row: Row) => row.key
const row = (key: string, state = 'waiting'): Row => ({ key, state })
const asked = (keys: string, more: Partial<Latest<Row>> = {}): Latest<Row> => ({
  request: 'all',
  pages: 1,
  rows: [...keys].map((key) => row(key)),
  ...more,
})
const shownOf = ({ rows, fresh }: Steady<Row>) => [rows.map(keyOf).join(''), fresh]

test.each([
  ['untouched, the list follows the station', 'abc', 'xabc', false, ['xabc', 0]],
  ['a new row waits while somebody is in the list', 'abc', 'xabcy', true, ['abc', 2]],
  ['a row that went is gone', 'abc', 'ac', true, ['ac', 0]],
  ['the order stays under a hand', 'abc', 'cab', true, ['abc', 0]],
])('%s', (_, before, after, held, shown) => {
  const first = steady(null, asked(before), keyOf, false)
  expect(shownOf(steady(first, asked(after), keyOf, held))).toEqual(shown)
})

test('what waits to be shown goes on waiting when the focus leaves, until it is asked for', () => {
  const first = steady(null, asked('abc'), keyOf, false)
  const waiting = steady(first, asked('abcd'), keyOf, true)
  const left = steady(waiting, asked('abcde'), keyOf, false)
  expect(shownOf(left)).toEqual(['abc', 2])
  expect(shownOf(steady({ ...left, fresh: 0 }, asked('abcde'), keyOf, false))).toEqual(['abcde', 0])
})

test('another filter is another list, also under a hand', () => {
  const first = steady(null, asked('abc'), keyOf, true)
  expect(shownOf(steady(first, asked('xb', { request: 'x' }), keyOf, true))).toEqual(['xb', 0])
})

test('the next page of a list is no news: it follows the last row', () => {
  const first = steady(null, asked('abc'), keyOf, true)
  expect(shownOf(steady(first, asked('abcdef', { pages: 2 }), keyOf, true))).toEqual(['abcdef', 0])
})

test('changed_cells_update_in_place_and_what_did_not_change_is_the_same_object', () => {
  const first = steady(null, asked('abc'), keyOf, true)
  const rows = [row('a'), row('b', 'sending'), row('c')]
  const after = steady(first, asked('', { rows }), keyOf, true)
  expect(after.rows.map(({ state }) => state)).toEqual(['waiting', 'sending', 'waiting'])
  expect(after.rows[0]).toBe(first.rows[0])
  expect(after.rows[2]).toBe(first.rows[2])
})

test('a row that two pages brought is shown once', () => {
  expect(shownOf(steady(null, asked('abca'), keyOf, false))).toEqual(['abc', 0])
})
