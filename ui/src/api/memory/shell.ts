// The window around the page, in memory: it has begun, and has no size of its own.

import type { ShellBackend } from '../backend'

export function shellInMemory(): ShellBackend {
  return {
    start: async () => ({ start: 'ready' }),
    startAgain: async () => ({ start: 'ready' }),
    setTextSize: async () => undefined,
    closeWindow: async () => undefined,
  }
}
