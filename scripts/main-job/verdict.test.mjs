import assert from 'node:assert/strict'
import { test } from 'node:test'

import { notAudited, notExactlyOnce, notRising, unbalanced, unfinished } from './verdict.mjs'

const empty = { accepted: 0, pending: 0, in_flight: 0, committed: 0, quarantined: 0, voided: 0 }
const effect = (key, application_id = 'a', local_seq = 1) => ({ key, application_id, local_seq })

test('books that do not add up are named', () => {
  assert.deepEqual(unbalanced(empty), [])
  assert.deepEqual(unbalanced({ ...empty, accepted: 6, pending: 1, in_flight: 1, committed: 2, quarantined: 1, voided: 1 }), [])
  assert.equal(unbalanced({ ...empty, accepted: 2, committed: 1 }).length, 1)
  assert.equal(unbalanced({ ...empty, accepted: 1, committed: 2 }).length, 1)
})

test('work that is left over or set aside is named', () => {
  assert.deepEqual(unfinished({ ...empty, accepted: 3, committed: 2, voided: 1 }), [])
  assert.equal(unfinished({ ...empty, pending: 1, in_flight: 1, quarantined: 1 }).length, 3)
})

test('a lost, a doubled and an unknown operation are each found', () => {
  const cases = [
    [['k', 'l'], [effect('l'), effect('k')], 0],
    [['k', 'l'], [effect('k')], 1],
    [['k'], [effect('k'), effect('k')], 1],
    [['k'], [effect('k'), effect('x')], 1],
    [[], [], 0],
  ]
  for (const [accepted, ledger, wrong] of cases) assert.equal(notExactlyOnce(accepted, ledger).length, wrong)
})

test('order counts within one application only', () => {
  const cases = [
    [[effect('k', 'a', 1), effect('l', 'a', 4), effect('m', 'b', 2)], 0],
    [[effect('k', 'a', 4), effect('l', 'a', 1)], 1],
    [[effect('k', 'a', 1), effect('l', 'a', 1)], 1],
  ]
  for (const [ledger, wrong] of cases) assert.equal(notRising(ledger).length, wrong)
})

test('a chain that was not read is not whole', () => {
  const whole = { code: 0, whole: true, events: 9, first_fault: null }
  const cases = [
    [whole, 0],
    [{ ...whole, events: 2 }, 1],
    [{ ...whole, events: undefined }, 1],
    [{ ...whole, whole: false, first_fault: 'event 4' }, 1],
    [{ ...whole, code: 4, whole: false }, 1],
    [{ code: 0 }, 2],
  ]
  for (const [report, wrong] of cases) assert.equal(notAudited(report, 3).length, wrong)
})
