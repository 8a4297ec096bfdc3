// Which changes of the station's condition are worth a word, and which word. Retries, countdowns and counts never are.
// Pure: before, after and what was told go in, messages come out, each named by its key in the catalogue.

import type { ModeCause, Told } from '../api/generated/wire'
import type { Message } from './announcements'

export type Spoken = Omit<Message, 'text'> & { word: SpokenWord; values?: Record<string, number | string> }

export type SpokenWord =
  | 'say.not_answering'
  | 'say.intake_paused'
  | 'say.intake_open'
  | 'say.sending_stopped'
  | 'say.drain_began'
  | 'say.drain_progress'
  | 'say.drain_all'
  | 'say.drain_decide'
  | 'say.drain_stopped'
  | 'say.lost'
  | 'say.found'

const PAUSES: readonly ModeCause['cause'][] = ['disk_failed', 'rules_too_old', 'rules_absent', 'room_short']

/** `inIntake`: the person is in a form that cannot be handed in now. */
export function spokenOfChange(
  before: readonly ModeCause[],
  after: readonly ModeCause[],
  inIntake: boolean,
): Spoken[] {
  const began = (cause: ModeCause['cause']) => has(after, cause) && !has(before, cause)
  const paused = (causes: readonly ModeCause[]) => causes.some(({ cause }) => PAUSES.includes(cause))
  const said: Spoken[] = []
  if (began('not_answering'))
    said.push({ key: 'sor', word: 'say.not_answering', politeness: 'polite', important: true })
  if (PAUSES.some(began))
    said.push({
      key: 'intake',
      word: 'say.intake_paused',
      politeness: inIntake ? 'assertive' : 'polite',
      important: true,
    })
  if (paused(before) && !paused(after))
    said.push({ key: 'intake', word: 'say.intake_open', politeness: 'polite', important: true })
  if (began('sending_stopped'))
    said.push({ key: 'stopped', word: 'say.sending_stopped', politeness: 'polite' })
  return said
}

function has(causes: readonly ModeCause[], wanted: ModeCause['cause']): boolean {
  return causes.some(({ cause }) => cause === wanted)
}

/** Progress is told only for long drains, at quarters. */
const PROGRESS_ITEMS_MIN = 20

export function spokenOfTold(told: Told): Spoken[] {
  switch (told.told) {
    case 'heartbeat':
    case 'changed':
    case 'closing':
      return []
    case 'drain_began':
      return told.of > 0
        ? [{ key: 'drain', word: 'say.drain_began', values: { count: told.of }, politeness: 'polite' }]
        : []
    case 'drain_goes_on':
      return atQuarter(told.recorded, told.of)
        ? [
            {
              key: 'drain',
              word: 'say.drain_progress',
              values: { recorded: told.recorded, of: told.of },
              politeness: 'polite',
            },
          ]
        : []
    case 'drain_ended':
      return [{ key: 'drain', ...ended(told), politeness: 'polite', important: true }]
  }
}

function atQuarter(recorded: number, of: number): boolean {
  if (of < PROGRESS_ITEMS_MIN) return false
  return [0.25, 0.5, 0.75].some((part) => recorded === Math.ceil(of * part))
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

export function spokenOfContact(lost: boolean): Spoken {
  return {
    key: 'contact',
    word: lost ? 'say.lost' : 'say.found',
    politeness: lost ? 'assertive' : 'polite',
    important: true,
  }
}
