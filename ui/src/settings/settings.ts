// What one person chose for this window: look, language, clock, speech. Kept per person on this machine, read back with
// care (a value of another version is left out), and applied at once.

import type { Clock, Locale } from '../format/format'
import type { Speech } from '../frame/announcements'
import type { Look } from '../look/look'

export type Settings = Look & { language: Locale; clock: Clock; speech: Speech }

export const usual: Settings = {
  theme: 'system',
  motion: 'system',
  density: 'desk',
  language: 'en-US',
  clock: 'system',
  speech: 'all',
}

export const choices = {
  theme: ['system', 'light', 'dark', 'contrast'],
  motion: ['system', 'none'],
  density: ['desk', 'field'],
  language: ['en-US', 'es-US'],
  clock: ['system', '12', '24'],
  speech: ['all', 'important', 'on-demand'],
} as const satisfies { [K in keyof Settings]: readonly Settings[K][] }

export type Shelf = Pick<Storage, 'getItem' | 'setItem'>

export function storedSettings(shelf: Shelf, person: string): Settings {
  const stored = parsed(shelf.getItem(shelfKey(person)))
  const merged = { ...usual } as Record<string, string>
  for (const [name, allowed] of Object.entries(choices)) {
    const value = stored[name]
    if (typeof value === 'string' && (allowed as readonly string[]).includes(value)) merged[name] = value
  }
  return merged as Settings
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
