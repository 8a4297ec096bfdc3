// What the mode bar tells: which cause comes first, with which icon, tone and words. The causes and their figures are
// the station's; losing the station is the window's own. Rank is presentation: gravest for the person first.

import type { TFunction } from 'i18next'
import type { HouseView, ModeCause } from '../api/generated/wire'
import type { Tone } from '../components/operationStates'
import { age, count, moment, type Reading } from '../format/format'
import type { IconName } from '../look/Icon'

export type Fact = ModeCause | { cause: 'lost_contact'; since: string } | { cause: 'calm'; waiting: number }

type Face = { rank: number; icon: IconName; tone: Tone }

export const faces: Record<Fact['cause'], Face> = {
  lost_contact: { rank: 1, icon: 'link_off', tone: 'stop' },
  disk_failed: { rank: 2, icon: 'report', tone: 'stop' },
  rules_too_old: { rank: 3, icon: 'report', tone: 'stop' },
  rules_absent: { rank: 3, icon: 'report', tone: 'stop' },
  room_short: { rank: 4, icon: 'report', tone: 'stop' },
  restored_older: { rank: 5, icon: 'history', tone: 'stop' },
  wedged: { rank: 6, icon: 'report', tone: 'attention' },
  certificate_refused: { rank: 6, icon: 'lock', tone: 'stop' },
  station_refused: { rank: 6, icon: 'lock', tone: 'stop' },
  sending_stopped: { rank: 7, icon: 'do_not_disturb', tone: 'attention' },
  maintenance: { rank: 7, icon: 'do_not_disturb', tone: 'attention' },
  not_answering: { rank: 8, icon: 'cancel', tone: 'attention' },
  catching_up: { rank: 9, icon: 'loop', tone: 'action' },
  session_ends: { rank: 10, icon: 'account_circle', tone: 'attention' },
  drift: { rank: 10, icon: 'flag', tone: 'attention' },
  station_restored: { rank: 10, icon: 'history', tone: 'attention' },
  numbers_none_left: { rank: 10, icon: 'flag', tone: 'attention' },
  configuration_refused: { rank: 11, icon: 'report', tone: 'attention' },
  numbers_low: { rank: 11, icon: 'flag', tone: 'attention' },
  needs_decision: { rank: 11, icon: 'flag', tone: 'person' },
  outage_over: { rank: 12, icon: 'check_circle', tone: 'done' },
  calm: { rank: 13, icon: 'check_circle_outline', tone: 'quiet' },
}

/** Gravest first. With lost contact nothing else is told as if it were now. */
export function ranked(causes: readonly ModeCause[], lostSince: string | null, waiting = 0): Fact[] {
  const facts: Fact[] =
    lostSince === null ? [...causes] : [{ cause: 'lost_contact', since: lostSince }, ...causes]
  if (facts.length === 0) return [{ cause: 'calm', waiting }]
  return facts.toSorted((a, b) => faces[a.cause].rank - faces[b.cause].rank)
}

/** `lead` is enough alone where there is no room; `tally` is how many wait, if that is the matter. */
export type Told = Face & { cause: Fact['cause']; lead: string; rest: string; tally: string }

export function told(
  fact: Fact,
  t: TFunction,
  reading: Reading,
  house: Pick<HouseView, 'contact' | 'rules_contact'>,
): Told {
  const key = wordsOf(fact)
  const values = { ...figures(fact, t, reading), contact: house.contact, who: house.rules_contact }
  const tally =
    fact.cause === 'not_answering' && fact.waiting > 0
      ? t('mode.tally', { count: fact.waiting, n: count(reading, fact.waiting) })
      : ''
  return {
    ...faces[fact.cause],
    cause: fact.cause,
    lead: t(`mode.${key}.lead`, values),
    rest: t(`mode.${key}.rest`, values),
    tally,
  }
}

type Variant =
  | 'calm_waiting'
  | 'catching_up_soon'
  | 'sent_back'
  | 'not_answering_none'
  | 'outage_over_decide'
  | 'certificate_clock'
  | 'certificate_over'
  | 'outage_over_none'
  | 'configuration_file'

/** Some causes have more than one wording. */
function wordsOf(fact: Fact): Fact['cause'] | Variant {
  if (fact.cause === 'calm' && fact.waiting > 0) return 'calm_waiting'
  if (fact.cause === 'not_answering' && fact.waiting === 0) return 'not_answering_none'
  if (fact.cause === 'catching_up' && fact.minutes_left !== null) return 'catching_up_soon'
  if (fact.cause === 'needs_decision' && fact.own) return 'sent_back'
  if (fact.cause === 'certificate_refused' && fact.fault === 'this_clock') return 'certificate_clock'
  if (fact.cause === 'certificate_refused' && fact.fault === 'certificate') return 'certificate_over'
  if (fact.cause === 'configuration_refused' && fact.key === null) return 'configuration_file'
  if (fact.cause === 'outage_over' && fact.decisions > 0) return 'outage_over_decide'
  if (fact.cause === 'outage_over' && fact.recorded === 0) return 'outage_over_none'
  return fact.cause
}

function figures(fact: Fact, t: TFunction, reading: Reading): Record<string, string | number> {
  const at = (time: string) => moment(reading, time)
  const n = (number: number) => count(reading, number)
  switch (fact.cause) {
    case 'lost_contact':
      return { since: at(fact.since) }
    case 'station_refused':
      return { since: since(fact.since, t, reading) }
    case 'certificate_refused':
      return { at: at(fact.at), here: at(fact.here) }
    case 'disk_failed':
    case 'session_ends':
      return { at: at(fact.at) }
    case 'rules_too_old':
      return { age: n(fact.age_h), limit: n(fact.limit_h) }
    case 'room_short':
      return { free: n(fact.free_mib) }
    case 'restored_older':
      return { count: fact.missing, n: n(fact.missing) }
    case 'station_restored':
      return { at: at(fact.at), first: n(fact.first), last: n(fact.last) }
    case 'wedged':
      return { since: since(fact.since, t, reading), count: fact.waiting, n: n(fact.waiting) }
    case 'drift':
      return { count: fact.count, n: n(fact.count), field: fact.pointer || '/' }
    case 'configuration_refused':
      return { file: fact.file, key: fact.key ?? '' }
    case 'numbers_low':
      return { count: fact.left, n: n(fact.left) }
    case 'sending_stopped':
      return { until: at(fact.until), by: fact.by, reason: fact.reason }
    case 'maintenance':
      return { until: at(fact.until) }
    case 'not_answering':
      return {
        since: since(fact.since, t, reading),
        count: fact.waiting,
        n: n(fact.waiting),
        oldest: fact.oldest ? at(fact.oldest) : '',
      }
    case 'catching_up':
      return { recorded: n(fact.recorded), of: n(fact.of), minutes: n(fact.minutes_left ?? 0) }
    case 'needs_decision':
      return { count: fact.count, n: n(fact.count) }
    case 'outage_over':
      return {
        from: at(fact.from),
        until: at(fact.until),
        count: fact.decisions > 0 ? fact.decisions : fact.recorded,
        n: n(fact.recorded),
        decisions: n(fact.decisions),
      }
    case 'calm':
      return { count: fact.waiting, n: n(fact.waiting) }
    case 'rules_absent':
    case 'numbers_none_left':
      return {}
  }
}

/** With its length once that is over an hour: a time alone hides how long a morning was. */
function since(time: string, t: TFunction, reading: Reading): string {
  const length = age(reading.now, time)
  if (length.unit === 'now' || length.unit === 'min') return moment(reading, time)
  const words = t(`age.${length.unit}`, { count: length.n, n: count(reading, length.n) })
  return t('age.since', { since: moment(reading, time), age: words })
}
