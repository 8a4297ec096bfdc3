import { expect, test } from 'vitest'
import { slotsOf } from './slots'

const now = new Date('2026-12-08T15:42:00Z')

test('one hour is one of twenty-four, the last of which is this one', () => {
  const { hours, earlier } = slotsOf(
    { hours: [{ from: '2026-12-08T13:00:00.000Z', waiting: 7 }], earlier: 0 },
    now,
  )
  expect(hours).toHaveLength(24)
  expect(hours[0]?.from.toISOString()).toBe('2026-12-07T16:00:00.000Z')
  expect(hours[23]?.from.toISOString()).toBe('2026-12-08T15:00:00.000Z')
  expect(hours.map(({ waiting }) => waiting)).toEqual([...Array(21).fill(0), 7, 0, 0])
  expect(earlier).toBe(0)
})

test('what is older than a day is counted, whether the station named its hour or not', () => {
  const hours = [
    { from: '2026-12-06T09:00:00.000Z', waiting: 2 },
    { from: '2026-12-07T15:00:00.000Z', waiting: 3 },
    { from: '2026-12-07T16:00:00.000Z', waiting: 4 },
  ]
  const slots = slotsOf({ hours, earlier: 10 }, now)
  expect(slots.earlier).toBe(15)
  expect(slots.hours[0]?.waiting).toBe(4)
})
