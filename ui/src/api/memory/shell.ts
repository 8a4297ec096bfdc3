// The window around the page, in memory: it begins as it is told to, and is right at the second try.

import type { ShellBackend } from '../backend'
import type { StartView } from '../generated/wire'

export function shellInMemory(first: StartView): ShellBackend {
  let start = first
  return {
    start: async () => start,
    async startAgain() {
      start = { start: 'ready' }
      return start
    },
    setTextSize: async () => undefined,
    closeWindow: async () => undefined,
  }
}
