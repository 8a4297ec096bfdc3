// A day of hours up to this one, each with what waits from it: also those hours from which nothing does, so that the
// picture keeps its scale, and before them all that is older as one. Pure; the figures are the station's.

import type { BacklogHours } from '../../api/generated/wire'

export const SLOTS = 24
const HOUR_MS = 3_600_000

export type Slots = { earlier: number; hours: { from: Date; waiting: number }[] }

export function slotsOf({ hours, earlier }: BacklogHours, now: Date): Slots {
  const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const first = thisHour - (SLOTS - 1) * HOUR_MS
  const known = new Map(hours.map(({ from, waiting }) => [new Date(from).getTime(), waiting]))
  const before = hours.filter(({ from }) => new Date(from).getTime() < first)
  return {
    earlier: before.reduce((sum, { waiting }) => sum + waiting, earlier),
    hours: Array.from({ length: SLOTS }, (_, n) => {
      const from = first + n * HOUR_MS
      return { from: new Date(from), waiting: known.get(from) ?? 0 }
    }),
  }
}
