// The five conditions in which the station in memory can be, as the numbers and causes that the real one would answer.

import type { BooksView, EndpointDoing, HeldView, ModeCause, StandingView } from './generated/wire'

export const memoryModes = ['calm', 'not_answering', 'catching_up', 'paused', 'lost'] as const
export type MemoryMode = (typeof memoryModes)[number]

const HOUR_MS = 3_600_000

export function conditionOf(mode: MemoryMode, now: Date, books: BooksView): StandingView {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString()
  const away = mode === 'not_answering'
  const rules = {
    version: 41,
    valid_as_of: ago(mode === 'paused' ? 31 : 2),
    age_s: (mode === 'paused' ? 31 : 2) * 3600,
    valid: mode !== 'paused',
  }
  return {
    at: now.toISOString(),
    causes: causesOf(mode, books, ago),
    endpoints: [
      { name: 'primary', doing: doingOf(mode, now) },
      { name: 'gis', doing: { doing: 'answering' } },
    ],
    rules_until: mode === 'paused' ? null : ago(-22),
    status: {
      mode: {
        calm: 'normal',
        not_answering: 'degraded',
        catching_up: 'recovering',
        paused: 'intake_paused',
        lost: 'normal',
      }[mode],
      breakers: [
        {
          endpoint: 'primary',
          state: away ? 'open' : 'closed',
          since: ago(2),
          next_try_at: away ? ago(-0.01) : null,
        },
      ],
      backlog: {
        count: books.pending + books.in_flight,
        oldest_accepted_at: books.pending > 0 ? ago(2) : null,
      },
      books,
      counts: {
        direct: books.committed,
        probe: 0,
        deferred: books.pending,
        refused: 0,
        failed: away ? 4 : 0,
      },
      contract: rules,
      headroom: { free_mib: 20_480, class: 'ambient' },
      outages_open: away ? 1 : 0,
      notices: [],
    },
  }
}

/** The same while a person has stopped what is sent to the permit system. */
export function heldCondition(standing: StandingView, held: HeldView | null): StandingView {
  if (held === null) return standing
  const { until, by, reason } = held
  const others = standing.causes.filter(({ cause }) => cause !== 'not_answering')
  return {
    ...standing,
    causes: [{ cause: 'sending_stopped', until, by, reason }, ...others],
    endpoints: standing.endpoints.map((endpoint) =>
      endpoint.name === 'primary' ? { ...endpoint, doing: { doing: 'stopped', by } } : endpoint,
    ),
  }
}

function causesOf(mode: MemoryMode, books: BooksView, ago: (hours: number) => string): ModeCause[] {
  switch (mode) {
    case 'calm':
    case 'lost':
      return []
    case 'not_answering':
      return [
        {
          cause: 'not_answering',
          since: ago(2),
          waiting: books.pending,
          oldest: books.pending > 0 ? ago(2) : null,
        },
      ]
    case 'catching_up':
      return [{ cause: 'catching_up', recorded: books.committed, of: books.accepted, minutes_left: null }]
    case 'paused':
      return [{ cause: 'rules_too_old', age_h: 31, limit_h: 24 }]
  }
}

function doingOf(mode: MemoryMode, now: Date): EndpointDoing {
  if (mode !== 'not_answering') return { doing: 'answering' }
  return { doing: 'not_answering', next_try_at: new Date(now.getTime() + 30_000).toISOString() }
}
