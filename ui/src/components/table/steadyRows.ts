// Keeps a list still under a focused hand. Changed rows are changed in place, rows that went are gone, and new ones are
// counted until they are asked for. Pure; it does not know what a row is, nor in which order the station has them.

import { replaceEqualDeep } from '@tanstack/react-query'

export type Steady<T> = {
  /** What was asked for: another filter or order is another list, and is taken as it comes. */
  request: string
  /** How many pages of it are here; more of the same list may follow the last row at any time. */
  pages: number
  rows: readonly T[]
  /** New rows that wait to be shown. */
  fresh: number
}

export type Latest<T> = Pick<Steady<T>, 'request' | 'pages' | 'rows'>

type KeyOf<T> = (row: T) => string

/** `held`: somebody has the focus in the list. */
export function steady<T>(
  before: Steady<T> | null,
  latest: Latest<T>,
  keyOf: KeyOf<T>,
  held: boolean,
): Steady<T> {
  const rows = recognised(before?.rows ?? [], latest.rows, keyOf)
  const still = before !== null && before.request === latest.request && (held || before.fresh > 0)
  if (!still) return { ...latest, rows, fresh: 0 }
  const shown = new Set(before.rows.map(keyOf))
  const there = new Map(rows.map((row) => [keyOf(row), row]))
  const kept = before.rows.flatMap((row) => there.get(keyOf(row)) ?? [])
  const more = latest.pages > before.pages ? afterLast(rows, keyOf, shown) : []
  const all = [...kept, ...more]
  return { ...latest, rows: all, fresh: there.size - all.length }
}

/** A row that says the same as before is the same object, so that nothing is drawn again for it; and no key twice. */
function recognised<T>(before: readonly T[], after: readonly T[], keyOf: KeyOf<T>): T[] {
  const known = new Map(before.map((row) => [keyOf(row), row]))
  const once = new Map(after.map((row) => [keyOf(row), row]))
  return [...once].map(([key, row]) => replaceEqualDeep(known.get(key), row) as T)
}

function afterLast<T>(rows: readonly T[], keyOf: KeyOf<T>, shown: ReadonlySet<string>): readonly T[] {
  const last = rows.findLastIndex((row) => shown.has(keyOf(row)))
  return rows.slice(last + 1)
}
