// Which changes of the station's condition are worth a word, and which word. Retries, countdowns and counts never are.
// Pure: before, after, what was told and when go in, messages come out, each named by its key in the catalogue.

import type { ModeCause, Told } from '../api/generated/wire'
import type { Message } from './announcements'

/** `times` are moments that the reader's language has to say. */
export type Spoken = Omit<Message, 'text'> & {
  word: SpokenWord
  values?: Record<string, number | string>
  times?: Record<string, string>
}

type Pause = Extract<ModeCause['cause'], 'disk_failed' | 'rules_too_old' | 'rules_absent' | 'room_short'>

export type SpokenWord =
  | 'say.not_answering'
  | 'say.not_answering_short'
  | `say.paused.${Pause}`
  | 'say.intake_open'
  | 'say.sending_stopped'
  | 'say.drain_began'
  | 'say.drain_progress'
  | 'say.drain_all'
  | 'say.drain_decide'
  | 'say.drain_stopped'
  | 'say.sent_back.single'
  | 'say.sent_back.several'
  | 'say.need_decision'
  | 'say.lost'
  | 'say.found'

/** Gravest first: the first that began is the one that is told. */
const PAUSES: readonly Pause[] = ['disk_failed', 'rules_too_old', 'rules_absent', 'room_short']

/** `inIntake`: the person is in a form that cannot be handed in now. An outage is told by `spokenOfOutage`. */
export function spokenOfChange(
  before: readonly ModeCause[],
  after: readonly ModeCause[],
  inIntake: boolean,
): Spoken[] {
  const pause = PAUSES.find((cause) => began(before, after, cause))
  const paused = (causes: readonly ModeCause[]) => PAUSES.some((cause) => has(causes, cause))
  const said: Spoken[] = []
  if (pause)
    said.push({
      key: 'intake',
      word: `say.paused.${pause}`,
      politeness: inIntake ? 'assertive' : 'polite',
      important: true,
    })
  if (paused(before) && !paused(after))
    said.push({ key: 'intake', word: 'say.intake_open', politeness: 'polite', important: true })
  return [...said, ...stopped(before, after)]
}

function stopped(before: readonly ModeCause[], after: readonly ModeCause[]): Spoken[] {
  const stop = after.find((cause) => cause.cause === 'sending_stopped')
  if (stop?.cause !== 'sending_stopped' || has(before, 'sending_stopped')) return []
  const { by, until } = stop
  return [
    { key: 'stopped', word: 'say.sending_stopped', values: { by }, times: { until }, politeness: 'polite' },
  ]
}

/** Within five minutes of the last time nothing, within the hour the short form: a flapping line is told once. */
export const OUTAGE_SILENT_MS = 5 * 60_000
export const OUTAGE_SHORT_MS = 60 * 60_000

export function spokenOfOutage(
  before: readonly ModeCause[],
  after: readonly ModeCause[],
  since: number,
): Spoken[] {
  if (!began(before, after, 'not_answering') || since < OUTAGE_SILENT_MS) return []
  const word = since < OUTAGE_SHORT_MS ? 'say.not_answering_short' : 'say.not_answering'
  return [{ key: 'sor', word, politeness: 'polite', important: true }]
}

function began(before: readonly ModeCause[], after: readonly ModeCause[], cause: ModeCause['cause']) {
  return has(after, cause) && !has(before, cause)
}

function has(causes: readonly ModeCause[], wanted: ModeCause['cause']): boolean {
  return causes.some(({ cause }) => cause === wanted)
}

/** The beginning and the end of a drain; what lies between is told by `progress`. */
export function spokenOfTold(told: Told): Spoken[] {
  switch (told.told) {
    case 'heartbeat':
    case 'changed':
    case 'closing':
    case 'drain_goes_on':
      return []
    case 'drain_began':
      return told.of > 0
        ? [{ key: 'drain', word: 'say.drain_began', values: { count: told.of }, politeness: 'polite' }]
        : []
    case 'drain_ended':
      return [{ key: 'drain', ...ended(told), politeness: 'polite', important: true }]
  }
}

function ended({
  recorded,
  decisions,
  waiting,
}: {
  recorded: number
  decisions: number
  waiting: number
}): Pick<Spoken, 'word' | 'values'> {
  if (waiting > 0) return { word: 'say.drain_stopped', values: { count: waiting } }
  if (decisions > 0) return { word: 'say.drain_decide', values: { recorded, decisions } }
  return { word: 'say.drain_all', values: { count: recorded } }
}

/** What was told of a drain so far: when it began, when something was said last, and up to which quarter. */
export type DrainTalk = { beganAt: number; saidAt: number; quarter: number }

const PROGRESS_ITEMS_MIN = 20
export const PROGRESS_APART_MS = 60_000
export const LONG_DRAIN_MS = 10 * 60_000
export const LONG_DRAIN_APART_MS = 5 * 60_000

/** Only long drains, at quarters and never closer than a minute; very long ones every five minutes. */
export function progress(
  talk: DrainTalk,
  { recorded, of }: { recorded: number; of: number },
  now: number,
): { talk: DrainTalk; said: Spoken[] } {
  const quarter = Math.floor((recorded / of) * 4)
  const apart = now - talk.saidAt
  const due =
    now - talk.beganAt > LONG_DRAIN_MS
      ? apart >= LONG_DRAIN_APART_MS
      : quarter > talk.quarter && apart >= PROGRESS_APART_MS
  if (of < PROGRESS_ITEMS_MIN || recorded >= of || !due) return { talk, said: [] }
  const values = { recorded, of }
  return {
    talk: { ...talk, saidAt: now, quarter },
    said: [{ key: 'drain', word: 'say.drain_progress', values, politeness: 'polite' }],
  }
}

/** How many items more than before wait for a decision, and whether they are the person's own. */
export function moreToDecide(
  before: readonly ModeCause[],
  after: readonly ModeCause[],
): { own: boolean; more: number; all: number } | null {
  const cause = after.find((one) => one.cause === 'needs_decision')
  const last = before.find((one) => one.cause === 'needs_decision')
  if (cause?.cause !== 'needs_decision') return null
  const known = last?.cause === 'needs_decision' && last.own === cause.own ? last.count : 0
  return cause.count > known ? { own: cause.own, more: cause.count - known, all: cause.count } : null
}

export function spokenOfContact(lost: boolean): Spoken {
  return {
    key: 'contact',
    word: lost ? 'say.lost' : 'say.found',
    politeness: lost ? 'assertive' : 'polite',
    important: true,
  }
}
