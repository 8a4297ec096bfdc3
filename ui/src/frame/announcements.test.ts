import { expect, test } from 'vitest'
import { type Message, nextTurn, offered, type Queue, type Situation, silent } from './announcements'

const calm: Situation = { now: 100_000, keyPressedAt: 0, dialogOpen: false, speech: 'all' }
const at = (now: number, more: Partial<Situation> = {}): Situation => ({
  ...calm,
  now: 100_000 + now,
  ...more,
})
const polite = (key: string, text = key): Message => ({ key, text, politeness: 'polite' })
const assertive = (key: string): Message => ({ key, text: key, politeness: 'assertive' })

/** Asks every 100 ms, as the announcer does, and notes what was said and when. */
function heard(start: Queue, until: number, situation: (now: number) => Situation = at) {
  const said: [number, string | number][] = []
  let queue = start
  for (let now = 0; now <= until; now += 100) {
    const turn = nextTurn(queue, situation(now))
    queue = turn.queue
    if (turn.speak) said.push([now, 'more' in turn.speak ? turn.speak.more : turn.speak.text])
  }
  return { said, queue }
}

const all = (...messages: Message[]) =>
  messages.reduce((queue, message) => offered(queue, message, at(0)), silent)

test('polite messages stand four seconds apart', () => {
  expect(heard(all(polite('a'), polite('b'), polite('c')), 10_000).said).toEqual([
    [0, 'a'],
    [4_000, 'b'],
    [8_000, 'c'],
  ])
})

test('an urgent message empties what waited politely', () => {
  const queue = offered(all(polite('a')), assertive('!'), at(0))
  expect(heard(queue, 10_000).said).toEqual([[0, '!']])
})

test('urgent messages stand two seconds apart', () => {
  expect(heard(all(assertive('!'), assertive('!!')), 5_000).said).toEqual([
    [0, '!'],
    [2_000, '!!'],
  ])
})

test('a later message of the same key takes the place of one not yet said', () => {
  expect(heard(all(polite('drain', '5 of 20'), polite('drain', '10 of 20')), 5_000).said).toEqual([
    [0, '10 of 20'],
  ])
})

test('the same word is not said twice in five minutes, a changed one is', () => {
  const { queue } = heard(all(polite('sor', 'silent')), 0)
  expect(offered(queue, polite('sor', 'silent'), at(10_000)).polite).toHaveLength(0)
  expect(offered(queue, polite('sor', 'answers'), at(10_000)).polite).toHaveLength(1)
  expect(offered(queue, polite('sor', 'silent'), at(5 * 60_000)).polite).toHaveLength(1)
})

test('nobody is interrupted while typing, but for six seconds at most', () => {
  const typing = (now: number) => at(now, { keyPressedAt: 100_000 + now })
  expect(heard(all(polite('a')), 10_000, typing).said).toEqual([[6_000, 'a']])
})

test('what is older than fifteen seconds at its turn is not said', () => {
  const queue = all(polite('a'), polite('b'), polite('c'), polite('d'), polite('e'))
  expect(heard(queue, 30_000).said.map(([, text]) => text)).toEqual(['a', 'b', 'c', 'd'])
})

test('past five a minute the rest is counted and told as a number', () => {
  const spoken = [0, 5, 10, 15, 20].map((second) => 100_000 + second * 1000)
  const busy: Queue = { ...silent, politeTimes: spoken }
  const queue = [polite('a'), polite('b')].reduce((so, message) => offered(so, message, at(25_000)), busy)
  const later = heard(queue, 90_000, (now) => at(25_000 + now)).said
  expect(later).toEqual([[35_000, 2]])
})

test('while a dialog is open only the urgent and its own is heard', () => {
  const open = (now: number) => at(now, { dialogOpen: true })
  const queue = all(polite('a'), { ...polite('mine'), ofDialog: true })
  expect(heard(queue, 10_000, open).said).toEqual([[0, 'mine']])
  expect(heard(all(assertive('!')), 0, open).said).toEqual([[0, '!']])
})

test('a person can ask for less', () => {
  const take = (message: Message, speech: Situation['speech']) => offered(silent, message, at(0, { speech }))
  expect(take(polite('a'), 'important').polite).toHaveLength(0)
  expect(take({ ...polite('a'), important: true }, 'important').polite).toHaveLength(1)
  expect(take({ ...polite('a'), important: true }, 'on-demand').polite).toHaveLength(0)
  expect(take(assertive('!'), 'on-demand').assertive).toHaveLength(1)
})

test('a message has at most a hundred characters', () => {
  const [message] = offered(silent, polite('a', '😀'.repeat(300)), at(0)).polite
  expect([...(message?.text ?? '')]).toHaveLength(100)
})
