import { expect, test } from 'vitest'
import type { ModeCause, Told } from '../api/generated/wire'
import { contact, LOST_AFTER_MS } from './contact'
import { spokenOfChange, spokenOfContact, spokenOfTold } from './spoken'

const away: ModeCause = { cause: 'not_answering', since: '', waiting: 1, oldest: null }
const old: ModeCause = { cause: 'rules_too_old', age_h: 31, limit_h: 24 }
const words = (said: { word: string }[]) => said.map(({ word }) => word)

test('an outage is told when it begins and not again while it lasts', () => {
  expect(words(spokenOfChange([], [away], false))).toEqual(['say.not_answering'])
  expect(spokenOfChange([away], [{ ...away, waiting: 9 }], false)).toEqual([])
})

test('a pause of intake interrupts only who is in an intake form', () => {
  expect(spokenOfChange([], [old], true)).toMatchObject([{ politeness: 'assertive' }])
  expect(spokenOfChange([], [old], false)).toMatchObject([{ politeness: 'polite' }])
  expect(words(spokenOfChange([old], [], false))).toEqual(['say.intake_open'])
})

test.each<[Told, string[]]>([
  [{ told: 'heartbeat' }, []],
  [{ told: 'changed', topics: ['queue'] }, []],
  [{ told: 'drain_began', of: 0 }, []],
  [{ told: 'drain_began', of: 3 }, ['say.drain_began']],
  [{ told: 'drain_goes_on', recorded: 5, of: 19 }, []],
  [{ told: 'drain_goes_on', recorded: 5, of: 20 }, ['say.drain_progress']],
  [{ told: 'drain_goes_on', recorded: 6, of: 20 }, []],
  [{ told: 'drain_ended', recorded: 20, decisions: 0, waiting: 0 }, ['say.drain_all']],
  [{ told: 'drain_ended', recorded: 18, decisions: 2, waiting: 0 }, ['say.drain_decide']],
  [{ told: 'drain_ended', recorded: 18, decisions: 0, waiting: 2 }, ['say.drain_stopped']],
])('of %j is said %j', (told, said) => {
  expect(words(spokenOfTold(told))).toEqual(said)
})

test('lost contact interrupts, its return does not', () => {
  expect(spokenOfContact(true).politeness).toBe('assertive')
  expect(spokenOfContact(false).politeness).toBe('polite')
})

test('five seconds of silence are lost contact', () => {
  expect(contact(0, LOST_AFTER_MS).lost).toBe(false)
  expect(contact(0, LOST_AFTER_MS + 1)).toEqual({ lost: true, heardAt: 0 })
})
