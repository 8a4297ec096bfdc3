// The board in memory: this computer, one that is heard, and one that went silent with work on it. It was asked once before
// the window opened, and answers when the permit system does not.

import type { OversightBackend } from '../backend'
import type { BoardSaid, StationItem, StationRow } from '../generated/wire'
import { booksOf } from './books'
import type { MemoryState } from './state'

const MINUTE_MS = 60_000
const SILENT_WAITING = 3

/** What the board is asked and says: replaced by who wants it to say something else. */
export type MemoryBoard = { said: BoardSaid['said']; askedAt: string | null; silent: string }

export const board = (): MemoryBoard => ({ said: 'answered', askedAt: null, silent: 'back-1' })

export function boardInMemory(
  state: MemoryState,
): Pick<OversightBackend, 'stations' | 'station' | 'askBoard'> {
  const list = (said: BoardSaid) => ({
    board: said,
    as_of: state.board.askedAt,
    stations: state.board.askedAt === null ? [] : rowsOf(state),
  })
  const asked = (): BoardSaid => {
    const { said } = state.board
    return said === 'not_answering' ? { said, next_try_at: null } : { said }
  }
  const none = (): BoardSaid =>
    state.board.said === 'no_board' ? { said: 'no_board' } : { said: 'not_asked' }
  return {
    stations: async () => list(none()),
    async station(id) {
      const { board, as_of, stations } = list(none())
      const station = stations.find((row) => row.station_id === id) ?? null
      return { board, as_of, station, waiting: station ? waitingAt(state, station) : [], left_out: 0 }
    },
    async askBoard() {
      const said = asked()
      if (said.said === 'answered') state.board.askedAt = state.at()
      return list(said)
    },
  }
}

function rowsOf(state: MemoryState): StationRow[] {
  const ago = (minutes: number) => new Date(state.now().getTime() - minutes * MINUTE_MS).toISOString()
  const none = { accepted: 0, pending: 0, in_flight: 0, committed: 0, quarantined: 0, voided: 0 }
  const same = { since: null, program: '0.1.0', contract: { version: 7, valid: true } } as const
  const head = (seq: string, at: string) => ({ seq, hash: seq.padStart(64, '0'), at })
  const own = booksOf(state.items)
  return [
    {
      ...same,
      station_id: state.board.silent,
      whose: 'other',
      hearing: 'silent',
      heard_at: ago(38),
      mode: 'degraded',
      since: ago(41),
      books: { ...none, accepted: 30, pending: SILENT_WAITING, committed: 27 },
      oldest_accepted_at: ago(40),
      head: head('412', ago(38)),
    },
    {
      ...same,
      station_id: 'front-1',
      whose: 'this',
      hearing: 'heard',
      heard_at: ago(0),
      mode: 'normal',
      books: own,
      oldest_accepted_at: null,
      head: head('96', ago(0)),
    },
    {
      ...same,
      station_id: 'front-2',
      whose: 'other',
      hearing: 'heard',
      heard_at: ago(2),
      mode: 'normal',
      books: { ...none, accepted: 12, committed: 12 },
      oldest_accepted_at: null,
      head: head('180', ago(2)),
    },
  ]
}

function waitingAt(state: MemoryState, { station_id, books }: StationRow): StationItem[] {
  const at = (nth: number) => new Date(state.now().getTime() - (40 - nth) * MINUTE_MS).toISOString()
  return Array.from({ length: books.pending }, (_, nth) => ({
    receipt_no: `${station_id}-${28 + nth}`,
    permit_num: nth === 0 ? 'AF-2026-00128' : null,
    kind: nth === 0 ? 'note' : 'application',
    accepted_at: at(nth),
    actor: 'rosa',
    state: 'pending',
    reason: null,
  }))
}
