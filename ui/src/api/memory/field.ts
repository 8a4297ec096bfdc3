// The inspector's copies, in memory.

import { type FieldBackend, Refusal } from '../backend'
import type { MemoryState } from './state'

export function fieldInMemory(state: MemoryState): FieldBackend {
  return {
    inspections: async () => ({
      copied_at: state.at(),
      age: 'usable',
      day: state.at().slice(0, 10),
      rows: [],
    }),
    async inspection() {
      throw new Refusal({ code: 'not_found' })
    },
    refreshCopies: async () => ({ copied_at: state.at(), inspections: 0, records: 0 }),
  }
}
