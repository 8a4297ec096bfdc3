// What is spoken, and when: the queue of the one announcer, as a pure function of messages and times (milliseconds).
// A screen reader that never stops talking is switched off; the rules here keep it worth hearing. Speaks nothing itself.

export type Politeness = 'polite' | 'assertive'
export type Speech = 'all' | 'important' | 'on-demand'

export type Message = {
  /** Kind and subject: a later message of the same key replaces or repeats this one. */
  key: string
  text: string
  politeness: Politeness
  /** Told also when a person wants only what is important. */
  important?: boolean
  /** Belongs to the dialog that is open. */
  ofDialog?: boolean
}

type Waiting = Message & { since: number }
type Spoken = { key: string; text: string; at: number }

export type Queue = {
  assertive: readonly Waiting[]
  polite: readonly Waiting[]
  spoken: readonly Spoken[]
  politeTimes: readonly number[]
  assertiveAt: number
  /** Polite messages that were over the limit of a minute and are only counted. */
  held: number
}

/** What the queue must know of the person's situation. */
export type Situation = { now: number; keyPressedAt: number; dialogOpen: boolean; speech: Speech }

export type Turn = { queue: Queue; speak: { text: string; politeness: Politeness } | { more: number } | null }

export const REPEAT_MS = 5 * 60_000
export const POLITE_APART_MS = 4_000
export const ASSERTIVE_APART_MS = 2_000
export const POLITE_PER_MINUTE_MAX = 5
export const TYPING_MS = 1_000
export const TYPING_WAIT_MAX_MS = 6_000
export const STALE_MS = 15_000
export const TEXT_CHARACTERS_MAX = 100
const MINUTE_MS = 60_000
const LONG_AGO = Number.NEGATIVE_INFINITY

export const silent: Queue = {
  assertive: [],
  polite: [],
  spoken: [],
  politeTimes: [],
  assertiveAt: LONG_AGO,
  held: 0,
}

/** Takes a message in; the same word of the same key is not said twice within five minutes. */
export function offered(queue: Queue, message: Message, at: Situation): Queue {
  if (!wanted(message, at.speech)) return queue
  const text = shortened(message.text)
  const before = queue.spoken.find((spoken) => spoken.key === message.key && at.now - spoken.at < REPEAT_MS)
  if (before?.text === text) return without(queue, message.key)
  const waiting = { ...message, text, since: at.now }
  const others = without(queue, message.key)
  if (message.politeness === 'assertive')
    return { ...others, assertive: [...others.assertive, waiting], polite: [] }
  return { ...others, polite: [...others.polite, waiting] }
}

/** Whose turn it is now, if anybody's. */
export function nextTurn(queue: Queue, at: Situation): Turn {
  const [first, ...rest] = queue.assertive
  if (first) {
    if (at.now - queue.assertiveAt < ASSERTIVE_APART_MS) return { queue, speak: null }
    return spoke({ ...queue, assertive: rest, assertiveAt: at.now }, first, at.now)
  }
  return politeTurn(fresh(queue, at.now), at)
}

function politeTurn(queue: Queue, at: Situation): Turn {
  const index = queue.polite.findIndex((message) => !at.dialogOpen || message.ofDialog)
  const message = queue.polite[index]
  if (!message) return heldTurn(queue, at)
  if (at.now - Math.max(LONG_AGO, ...queue.politeTimes, queue.assertiveAt) < POLITE_APART_MS)
    return { queue, speak: null }
  if (typing(message, at)) return { queue, speak: null }
  const rest = queue.polite.filter((_, place) => place !== index)
  if (queue.politeTimes.length >= POLITE_PER_MINUTE_MAX)
    return politeTurn({ ...queue, polite: rest, held: queue.held + 1 }, at)
  return spoke({ ...queue, polite: rest, politeTimes: [...queue.politeTimes, at.now] }, message, at.now)
}

/** Those over the limit are told as a number once the minute has room again. */
function heldTurn(queue: Queue, at: Situation): Turn {
  const room = queue.politeTimes.length < POLITE_PER_MINUTE_MAX
  if (queue.held === 0 || !room || at.dialogOpen || at.now - at.keyPressedAt < TYPING_MS)
    return { queue, speak: null }
  return {
    queue: { ...queue, held: 0, politeTimes: [...queue.politeTimes, at.now] },
    speak: { more: queue.held },
  }
}

function typing(message: Waiting, at: Situation): boolean {
  return at.now - at.keyPressedAt < TYPING_MS && at.now - message.since < TYPING_WAIT_MAX_MS
}

function fresh(queue: Queue, now: number): Queue {
  return {
    ...queue,
    polite: queue.polite.filter((message) => now - message.since <= STALE_MS),
    politeTimes: queue.politeTimes.filter((time) => now - time < MINUTE_MS),
    spoken: queue.spoken.filter((spoken) => now - spoken.at < REPEAT_MS),
  }
}

function spoke(queue: Queue, message: Waiting, now: number): Turn {
  const others = queue.spoken.filter((spoken) => spoken.key !== message.key)
  const spoken = [...others, { key: message.key, text: message.text, at: now }]
  return { queue: { ...queue, spoken }, speak: { text: message.text, politeness: message.politeness } }
}

function without(queue: Queue, key: string): Queue {
  const other = (message: Waiting) => message.key !== key
  return { ...queue, assertive: queue.assertive.filter(other), polite: queue.polite.filter(other) }
}

function wanted(message: Message, speech: Speech): boolean {
  switch (speech) {
    case 'all':
      return true
    case 'important':
      return message.politeness === 'assertive' || message.important === true
    case 'on-demand':
      return message.politeness === 'assertive'
  }
}

function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= TEXT_CHARACTERS_MAX) return text
  return `${characters.slice(0, TEXT_CHARACTERS_MAX - 1).join('')}…`
}
