// Every key of the window, once: help, find, the hints on buttons and `aria-keyshortcuts` read this list, and nothing
// acts on a key that is not in it. Rare or grave acts (void, waive, stop sending, purge) have no key.

import type { Chord } from './chords'

/** Where a key can act. Two keys may be the same only where no person is at both places at once. */
export type Place = 'everywhere' | 'form' | 'list' | 'item' | 'bench' | 'inspection'

export type KeyEntry = { id: string; chord: Chord; place: Place }

export const keys = [
  { id: 'help', chord: 'F1', place: 'everywhere' },
  { id: 'find', chord: 'Ctrl+K', place: 'everywhere' },
  { id: 'next_region', chord: 'F6', place: 'everywhere' },
  { id: 'previous_region', chord: 'Shift+F6', place: 'everywhere' },
  { id: 'details', chord: 'F8', place: 'everywhere' },
  { id: 'say_status', chord: 'F9', place: 'everywhere' },
  { id: 'fetch_again', chord: 'F5', place: 'everywhere' },
  { id: 'lock', chord: 'Ctrl+L', place: 'everywhere' },
  { id: 'larger', chord: 'Ctrl++', place: 'everywhere' },
  { id: 'smaller', chord: 'Ctrl+-', place: 'everywhere' },
  { id: 'usual_size', chord: 'Ctrl+0', place: 'everywhere' },
  { id: 'nav_1', chord: 'Alt+1', place: 'everywhere' },
  { id: 'nav_2', chord: 'Alt+2', place: 'everywhere' },
  { id: 'nav_3', chord: 'Alt+3', place: 'everywhere' },
  { id: 'nav_4', chord: 'Alt+4', place: 'everywhere' },
  { id: 'nav_5', chord: 'Alt+5', place: 'everywhere' },
  { id: 'nav_6', chord: 'Alt+6', place: 'everywhere' },
  { id: 'nav_7', chord: 'Alt+7', place: 'everywhere' },
  { id: 'nav_8', chord: 'Alt+8', place: 'everywhere' },
  { id: 'nav_9', chord: 'Alt+9', place: 'everywhere' },
  { id: 'new', chord: 'Ctrl+N', place: 'everywhere' },
  { id: 'new_same_applicant', chord: 'Ctrl+Shift+N', place: 'everywhere' },
  { id: 'primary', chord: 'Ctrl+Enter', place: 'everywhere' },
  { id: 'save_draft', chord: 'Ctrl+S', place: 'form' },
  { id: 'print', chord: 'Ctrl+P', place: 'everywhere' },
  { id: 'next_problem', chord: 'F3', place: 'everywhere' },
  { id: 'previous_problem', chord: 'Shift+F3', place: 'everywhere' },
  { id: 'next_section', chord: 'Ctrl+PageDown', place: 'everywhere' },
  { id: 'previous_section', chord: 'Ctrl+PageUp', place: 'everywhere' },
  { id: 'filter', chord: 'Ctrl+F', place: 'list' },
  { id: 'next_item', chord: 'Ctrl+ArrowDown', place: 'item' },
  { id: 'previous_item', chord: 'Ctrl+ArrowUp', place: 'item' },
  { id: 'next_step', chord: 'Ctrl+M', place: 'item' },
  { id: 'correct', chord: 'Ctrl+E', place: 'item' },
  { id: 'earlier', chord: 'Alt+ArrowUp', place: 'list' },
  { id: 'later', chord: 'Alt+ArrowDown', place: 'list' },
  { id: 'load_file', chord: 'Ctrl+O', place: 'list' },
  { id: 'result', chord: 'Alt+R', place: 'inspection' },
  { id: 'checklist', chord: 'Alt+C', place: 'inspection' },
  { id: 'notes', chord: 'Alt+N', place: 'inspection' },
  { id: 'photos', chord: 'Alt+P', place: 'inspection' },
  { id: 'signature', chord: 'Alt+S', place: 'inspection' },
  { id: 'all_from_counter', chord: 'Ctrl+1', place: 'bench' },
  { id: 'all_from_system', chord: 'Ctrl+2', place: 'bench' },
] as const satisfies readonly KeyEntry[]

export type KeyId = (typeof keys)[number]['id']

export function chordOf(id: KeyId): Chord {
  const entry = keys.find((key) => key.id === id)
  if (!entry) throw new Error(`no key ${id}`)
  return entry.chord
}

/** Pairs of entries that would fight over one press. */
export function doubles(entries: readonly KeyEntry[]): [string, string][] {
  const found: [string, string][] = []
  for (const [index, a] of entries.entries())
    for (const b of entries.slice(index + 1))
      if (a.chord === b.chord && meet(a.place, b.place)) found.push([a.id, b.id])
  return found
}

function meet(a: Place, b: Place): boolean {
  return a === b || a === 'everywhere' || b === 'everywhere'
}
