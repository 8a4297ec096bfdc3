// What one person chose for this window: look, language, clock, speech, text size. Kept per person on this machine, read
// back with care (a value of another version is left out), and applied at once. A person who chose nothing yet has what
// was chosen while nobody was signed in: one who signs in in Spanish goes on in Spanish.

import type { ItemOrder } from '../api/generated/wire'
import type { Clock, Locale } from '../format/format'
import type { Speech } from '../frame/announcements'
import type { Look } from '../look/look'

export type Settings = Look & {
  language: Locale
  clock: Clock
  speech: Speech
  /** In which order this person works off what waits. */
  waitingOrder: ItemOrder
  /** Of everything in the window, in percent of the usual one: one of `textSizes`. */
  textSize: number
}

/** Whose settings hold while nobody is signed in. */
export const NOBODY = 'anyone'

export const textSizes = [80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const
const USUAL_TEXT_SIZE = 100

export const usual: Settings = {
  theme: 'system',
  motion: 'system',
  density: 'desk',
  language: 'en-US',
  clock: 'system',
  speech: 'all',
  waitingOrder: 'oldest_first',
  textSize: USUAL_TEXT_SIZE,
}

export const choices = {
  theme: ['system', 'light', 'dark', 'contrast'],
  motion: ['system', 'none'],
  density: ['desk', 'field'],
  language: ['en-US', 'es-US'],
  clock: ['system', '12', '24'],
  speech: ['all', 'important', 'on-demand'],
  waitingOrder: ['oldest_first', 'newest_first'],
} as const satisfies { [K in Exclude<keyof Settings, 'textSize'>]: readonly Settings[K][] }

export type Shelf = Pick<Storage, 'getItem' | 'setItem'>

export function storedSettings(shelf: Shelf, person: string): Settings {
  const stored = parsed(shelf.getItem(shelfKey(person)) ?? shelf.getItem(shelfKey(NOBODY)))
  const merged = { ...usual } as Record<string, unknown>
  for (const [name, allowed] of Object.entries({ ...choices, textSize: textSizes }))
    if ((allowed as readonly unknown[]).includes(stored[name])) merged[name] = stored[name]
  return merged as Settings
}

/** One step larger (1) or smaller (-1), within what there is. */
export function textSizeBeside(size: number, step: 1 | -1): number {
  const at = textSizes.findIndex((known) => known >= size)
  return textSizes[at + step] ?? size
}

export function storeSettings(shelf: Shelf, person: string, settings: Settings) {
  shelf.setItem(shelfKey(person), JSON.stringify(settings))
}

function shelfKey(person: string) {
  return `holdfast.settings.${person}`
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
