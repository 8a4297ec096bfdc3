// The station behind the real window. The only file that knows Tauri: everything else speaks to the Backend port.

import { invoke, isTauri } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import type { Backend } from './backend'
import { backendOver } from './commands'
import type { StationEvent } from './generated/wire'

const STATION_EVENT = 'station'

/** Whether this page is inside the window. */
export const inWindow: () => boolean = isTauri

export const tauriBackend: Backend = backendOver(invoke, (hear) => {
  const stop = listen<StationEvent>(STATION_EVENT, ({ payload }) => hear(payload))
  return () => void stop.then((end) => end())
})
