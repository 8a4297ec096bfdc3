// Made-up people, places and moments for the gallery: fixed, so that two pictures of it can be compared.

import type {
  EndpointDoing,
  EndpointView,
  HouseView,
  ModeCause,
  QueueRow,
  StageStep,
  StandingView,
} from '../api/generated/wire'
import { type Stage, stages } from '../components/StageStepper'

export const now = new Date(2026, 11, 8, 10, 31)
const at = (hour: number, minute: number, day = 8) => new Date(2026, 11, day, hour, minute).toISOString()

export const house: HouseView = {
  city: 'Alder Falls',
  station: 'front-1',
  version: '0.1.0',
  contact: 'IT desk, (555) 010-0199',
  rules_contact: 'R. Ortiz',
  rehearsal: 'none',
}

export const session = { actor: 'Casey R.', roles: ['clerk'], until: at(17, 0) }

const away: EndpointDoing = { doing: 'not_answering', next_try_at: at(10, 32) }
const notAnswering: ModeCause = { cause: 'not_answering', since: at(8, 5), waiting: 12, oldest: at(8, 7) }

/** Every mode of the bar, by rank; the name is part of the address of its page. */
export const modes: Record<
  string,
  { causes: ModeCause[]; lost?: boolean; rehearsal?: HouseView['rehearsal']; primary?: EndpointDoing }
> = {
  drill: { causes: [notAnswering], rehearsal: 'drill', primary: away },
  lost: { causes: [notAnswering], lost: true, primary: away },
  disk: { causes: [{ cause: 'disk_failed', at: at(10, 12) }, notAnswering], primary: away },
  rules: { causes: [{ cause: 'rules_too_old', age_h: 31, limit_h: 24 }, notAnswering], primary: away },
  room: { causes: [{ cause: 'room_short', free_mib: 84 }] },
  restored: { causes: [{ cause: 'restored_older', missing: 14 }] },
  stationRestored: { causes: [{ cause: 'station_restored', at: at(8, 1), first: 43, last: 57 }] },
  wedged: { causes: [{ cause: 'wedged', since: at(8, 1), waiting: 3 }] },
  configuration: {
    causes: [
      {
        cause: 'configuration_refused',
        file: '/etc/holdfast/config.toml',
        key: 'breaker_fail_max',
        problem: 'must be between 1 and 100',
      },
    ],
  },
  numbersLow: { causes: [{ cause: 'numbers_low', left: 20 }] },
  numbersNone: { causes: [{ cause: 'numbers_none_left' }] },
  certificate: {
    causes: [
      { cause: 'certificate_refused', fault: 'this_clock', at: at(8, 1), here: at(9, 20) },
      notAnswering,
    ],
    primary: away,
  },
  drift: { causes: [{ cause: 'drift', pointer: '/PIN/0', count: 7 }] },
  refused: {
    causes: [{ cause: 'station_refused', since: at(9, 20) }],
    primary: { doing: 'refuses_station' },
  },
  stopped: {
    causes: [
      { cause: 'sending_stopped', until: at(13, 0), by: 'R. Ortiz', reason: 'City hall moves the database' },
    ],
    primary: { doing: 'stopped', by: 'R. Ortiz' },
  },
  maintenance: {
    causes: [{ cause: 'maintenance', until: at(13, 0) }],
    primary: { doing: 'asks_to_wait', until: at(13, 0) },
  },
  away: { causes: [notAnswering], primary: away },
  catching: { causes: [{ cause: 'catching_up', recorded: 31, of: 71, minutes_left: 4 }] },
  session: { causes: [{ cause: 'session_ends', at: at(10, 46) }] },
  decide: { causes: [{ cause: 'needs_decision', count: 2, own: true }] },
  over: { causes: [{ cause: 'outage_over', from: at(8, 5), until: at(10, 31), recorded: 71, decisions: 0 }] },
  calm: { causes: [] },
}

export function standingOf(mode: string): StandingView {
  const { causes, primary } = modes[mode] ?? { causes: [] }
  const pending = causes.some(({ cause }) => cause === 'not_answering') ? 12 : 0
  return {
    at: now.toISOString(),
    causes,
    endpoints: [
      { name: 'primary', doing: primary ?? { doing: 'answering' } },
      { name: 'gis', doing: { doing: 'answering' } },
    ],
    rules_until: at(8, 0, 10),
    status: {
      mode: 'normal',
      breakers: [],
      backlog: { count: pending, oldest_accepted_at: pending > 0 ? at(8, 7) : null },
      books: { accepted: 4711, pending, in_flight: 0, committed: 4697 - pending, quarantined: 2, voided: 12 },
      counts: { direct: 0, probe: 0, deferred: 0, refused: 0, failed: 0 },
      contract: { version: 41, valid_as_of: at(8, 0), age_s: 9060, valid: true },
      headroom: { free_mib: 20_480, class: 'ambient' },
      outages_open: pending > 0 ? 1 : 0,
      notices: [],
    },
  }
}

export const doings: EndpointView[] = [
  { name: 'primary', doing: { doing: 'answering' } },
  { name: 'primary', doing: away },
  { name: 'primary', doing: { doing: 'trying_once' } },
  { name: 'primary', doing: { doing: 'asks_to_wait', until: at(13, 0) } },
  { name: 'primary', doing: { doing: 'stopped', by: 'R. Ortiz' } },
  { name: 'mirror', doing: { doing: 'wrong_system' } },
  { name: 'board', doing: { doing: 'refuses_station' } },
  { name: 'gis', doing: { doing: 'not_tried' } },
]

export const stagesShown: Stage[] = ['Intake', 'FeeEstimated', 'Committed']

/** The steps of an application that stands at a stage. */
export function stepsAt(now: Stage): StageStep[] {
  const at = stages.indexOf(now)
  return stages.map((stage, n) => ({ stage, reached: n < at ? 'done' : n === at ? 'now' : 'to_come' }))
}

const row = (n: number, state: string, more: Partial<QueueRow> = {}): QueueRow => ({
  idempotency_key: `key-${n}`,
  receipt_no: `front-1-${1041 + n}`,
  kind: 'application',
  application_id: `application-${n}`,
  state,
  doubt: 'none',
  accepted_at: at(8, 7 + n * 3),
  attempts: n,
  last_outcome: null,
  waits_until: null,
  reason: null,
  ...more,
})

export type Sample = QueueRow & { address: string; fee: string; applicant: string }

/** Names that break layouts which were not made for them. */
export const rows: Sample[] = [
  { ...row(1, 'pending'), address: '12 Oak St', fee: '2512.00', applicant: 'Dana Whitfield' },
  {
    ...row(2, 'in_flight', { kind: 'stage' }),
    address: '480 Riverside Ave, Unit 3',
    fee: '85.00',
    applicant: 'José Ángel Núñez',
  },
  {
    ...row(3, 'pending', { doubt: 'sent', kind: 'inspection' }),
    address: '7 Alder Ct',
    fee: '0.00',
    applicant: 'مكتب العمارة الحديثة 12',
  },
  {
    ...row(4, 'quarantined'),
    address: '1 Municipal Plaza',
    fee: '184250.00',
    applicant: `${'Worthington '.repeat(16)}Ltd`,
  },
  { ...row(5, 'voided'), address: '12 Oak St', fee: '2512.00', applicant: '👷🏽 Peña & Søn' },
  {
    ...row(6, 'pending', { waits_until: at(10, 45) }),
    address: '33 <b>Mill</b> Rd',
    fee: '640.50',
    applicant: 'Kowalczyk-Østergård',
  },
]

export const longNames = { rtl: 'مكتب العمارة الحديثة 12', emoji: '👷🏽 Peña & Søn' }
export const draftSavedAt = at(8, 31)
export const lastRecordedAt = at(10, 42)
export const lostSince = at(10, 30)
