import { expect, test } from 'vitest'
import type { ModeCause, Told } from '../api/generated/wire'
import { contact, LOST_AFTER_MS } from './contact'
import {
  type DrainTalk,
  moreToDecide,
  progress,
  spokenOfChange,
  spokenOfContact,
  spokenOfOutage,
  spokenOfTold,
} from './spoken'

const away: ModeCause = { cause: 'not_answering', since: '', waiting: 1, oldest: null }
const old: ModeCause = { cause: 'rules_too_old', age_h: 31, limit_h: 24 }
const MINUTE_MS = 60_000
const NEVER = Number.POSITIVE_INFINITY
const words = (said: { word: string }[]) => said.map(({ word }) => word)

test('an outage is told when it begins and not again while it lasts', () => {
  expect(words(spokenOfOutage([], [away], NEVER))).toEqual(['say.not_answering'])
  expect(spokenOfOutage([away], [{ ...away, waiting: 9 }], NEVER)).toEqual([])
})

test.each([
  [4, []],
  [6, ['say.not_answering_short']],
  [59, ['say.not_answering_short']],
  [61, ['say.not_answering']],
])('an outage %i minutes after the last one was told is told as %j', (minutes, said) => {
  expect(words(spokenOfOutage([], [away], minutes * MINUTE_MS))).toEqual(said)
})

test('a stop is told with until when and by whom', () => {
  const stop: ModeCause = {
    cause: 'sending_stopped',
    until: '2026-12-08T13:00:00Z',
    by: 'R. Ortiz',
    reason: 'x',
  }
  expect(spokenOfChange([], [stop], false)).toMatchObject([
    { word: 'say.sending_stopped', values: { by: 'R. Ortiz' }, times: { until: stop.until } },
  ])
})

test('of several pauses at once the gravest is told, with its reason', () => {
  const room: ModeCause = { cause: 'room_short', free_mib: 80 }
  expect(words(spokenOfChange([], [room, old], true))).toEqual(['say.paused.rules_too_old'])
  expect(words(spokenOfChange([room], [room, old], true))).toEqual(['say.paused.rules_too_old'])
})

/** Minute, recorded of how many, and whether it is said. */
test.each<[string, [number, number, number, boolean][]]>([
  ['a short drain is silent', [[2, 10, 19, false]]],
  [
    'a long one speaks at quarters',
    [
      [1.2, 25, 100, true],
      [2.5, 30, 100, false],
      [3, 50, 100, true],
    ],
  ],
  [
    'but never twice in a minute',
    [
      [0.5, 25, 100, false],
      [1.1, 30, 100, true],
      [1.5, 50, 100, false],
      [2.2, 60, 100, true],
    ],
  ],
  [
    'a very long one every five minutes',
    [
      [9, 25, 1000, false],
      [9.5, 250, 1000, true],
      [11, 500, 1000, false],
      [14.6, 510, 1000, true],
      [16, 900, 1000, false],
    ],
  ],
  ['the last item is told by the end', [[3, 100, 100, false]]],
])('%s', (_, steps) => {
  let talk: DrainTalk = { beganAt: 0, saidAt: 0, quarter: 0 }
  for (const [minute, recorded, of, said] of steps) {
    const next = progress(talk, { recorded, of }, minute * MINUTE_MS)
    talk = next.talk
    expect([minute, words(next.said)]).toEqual([minute, said ? ['say.drain_progress'] : []])
  }
})

test('only more items than before are worth a word, and whose they are', () => {
  const decide = (count: number, own: boolean): ModeCause => ({ cause: 'needs_decision', count, own })
  expect(moreToDecide([], [decide(2, true)])).toEqual({ own: true, more: 2, all: 2 })
  expect(moreToDecide([decide(2, true)], [decide(3, true)])).toEqual({ own: true, more: 1, all: 3 })
  expect(moreToDecide([decide(3, true)], [decide(2, true)])).toBeNull()
  expect(moreToDecide([decide(3, true)], [decide(4, false)])).toEqual({ own: false, more: 4, all: 4 })
  expect(moreToDecide([decide(1, false)], [])).toBeNull()
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
  [{ told: 'drain_goes_on', recorded: 5, of: 20 }, []],
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
