// Items of one application stay together: under the first of them, in their order. Pure; which comes first is the
// station's order.

import type { ItemRow } from '../../api/generated/wire'

export function inLanes(rows: readonly ItemRow[]): ItemRow[] {
  const lanes = new Map<string, ItemRow[]>()
  for (const row of rows) {
    const lane = lanes.get(row.application_id)
    if (lane) lane.push(row)
    else lanes.set(row.application_id, [row])
  }
  return [...lanes.values()].flat()
}
