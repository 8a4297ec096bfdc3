// What a supervisor decides, in memory.

import { type OversightBackend, Refusal } from '../backend'
import type { MemoryState } from './state'

export function oversightInMemory(state: MemoryState): OversightBackend {
  return {
    async decide({ key, decision }) {
      const item = state.items.find((other) => other.idempotency_key === key)
      if (item?.state !== 'quarantined') throw new Refusal({ code: 'not_found' })
      Object.assign(item, { state: decision === 'void' ? 'voided' : 'pending', reason: null })
      state.tell({ told: 'changed', topics: ['queue', 'standing', 'applications'] })
      return { receipt_no: item.receipt_no, state: item.state, going_on: 0, set_aside: 0 }
    },
    outages: async () => ({ rows: [], all: 0 }),
    backlogHours: async () => ({ hours: [], earlier: 0 }),
  }
}
