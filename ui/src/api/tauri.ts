// The station behind the real window. The only file that knows Tauri: everything else speaks to the Backend port.
//
// Each call is one command of the shell, by the same name; a refusal comes back as `Refusal`, thrown.

import { invoke, isTauri } from '@tauri-apps/api/core'
import { listen } from '@tauri-apps/api/event'
import { type Backend, Refusal } from './backend'
import type { ApiError, StationEvent } from './generated/wire'

const STATION_EVENT = 'station'

/** Whether this page is inside the window. */
export const inWindow: () => boolean = isTauri

export const tauriBackend: Backend = {
  house: () => call('house'),
  standing: () => call('standing'),
  status: () => call('status'),
  contract: () => call('contract'),
  refreshContract: () => call('refresh_contract'),
  drain: (request) => call('drain', { request }),
  session: () => call('session'),
  signIn: (request) => call('sign_in', { request }),
  signOut: () => call('sign_out'),
  form: (kind) => call('form', { kind }),
  check: (request) => call('check', { request }),
  // As text: the station reads it strictly, and what this page wrote is what is judged.
  submit: (request) => call('submit', { document: JSON.stringify(request) }),
  openDraft: (request) => call('open_draft', { request }),
  keepDraft: (request) => call('keep_draft', { request }),
  drafts: () => call('drafts'),
  draft: (id) => call('draft', { id }),
  discardDraft: (id) => call('discard_draft', { id }),
  find: (request) => call('find', { request }),
  record: (id) => call('record', { id }),
  items: (request) => call('items', { request }),
  item: (id) => call('item', { id }),
  inspections: () => call('inspections'),
  inspection: (id) => call('inspection', { id }),
  refreshCopies: () => call('refresh_copies'),
  decide: (request) => call('decide', { request }),
  outages: (request) => call('outages', { request }),
  backlogHours: () => call('backlog_hours'),
  start: () => call('start'),
  startAgain: () => call('start_again'),
  setTextSize: (percent) => call('set_text_size', { percent }),
  closeWindow: () => call('close_window'),
  demo: {
    break: (fault) => call('demo_break', { fault }),
    mend: () => call('demo_mend'),
    switchPerson: (person) => call('demo_switch', { person }),
  },
  events(hear) {
    const stop = listen<StationEvent>(STATION_EVENT, ({ payload }) => hear(payload))
    return () => void stop.then((end) => end())
  },
}

async function call<T>(command: string, args?: Record<string, unknown>): Promise<T> {
  try {
    return await invoke<T>(command, args)
  } catch (error) {
    throw isApiError(error) ? new Refusal(error) : error
  }
}

function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}
