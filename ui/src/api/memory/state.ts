// What the station in memory holds, shared by its parts; each part is one file beside this one.

import type {
  DraftView,
  HeldView,
  ItemView,
  RestoreView,
  SessionView,
  StationEvent,
  Told,
} from '../generated/wire'
import type { MemoryMode } from '../memoryConditions'
import { board, type MemoryBoard } from './board'

export type MemoryState = {
  mode: MemoryMode
  who: SessionView | null
  items: ItemView[]
  drafts: Map<string, DraftView>
  restore: RestoreView
  held: HeldView | null
  board: MemoryBoard
  listeners: Set<(event: StationEvent) => void>
  now: () => Date
  at: () => string
  tell: (told: Told) => void
}

export function memoryState(mode: MemoryMode, who: SessionView | null, now: () => Date): MemoryState {
  const state: MemoryState = {
    mode,
    who,
    items: [],
    drafts: new Map(),
    restore: { restore: null, rows: [], skipped: [] },
    held: null,
    board: board(),
    listeners: new Set(),
    now,
    at: () => now().toISOString(),
    tell(told) {
      if (state.mode === 'lost') return
      for (const listener of state.listeners) listener({ at: state.at(), told })
    },
  }
  return state
}
