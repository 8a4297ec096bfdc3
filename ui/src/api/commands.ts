// The Backend port over commands called by name: the one list of names and arguments, whoever carries a call to the
// shell and brings its answer back. Decides nothing.

import { type Backend, Refusal } from './backend'
import type { ApiError, StationEvent } from './generated/wire'

/** Brings a command to the shell; what the shell answers in place of a result is thrown. */
export type Call = <T>(command: string, args?: Record<string, unknown>) => Promise<T>
/** Hears the station from now on; the answer ends it. */
export type Listen = (hear: (event: StationEvent) => void) => () => void

export function backendOver(carry: Call, listen: Listen): Backend {
  const call = refusing(carry)
  return {
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
    parcels: (request) => call('parcels', { request }),
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
    fetchTheirs: (key) => call('fetch_theirs', { key }),
    outages: (request) => call('outages', { request }),
    outage: (id) => call('outage', { id }),
    holdEndpoint: (request) => call('hold_endpoint', { request }),
    releaseEndpoint: (request) => call('release_endpoint', { request }),
    keepLikeness: (request) => call('keep_likeness', { request }),
    restore: (request) => call('restore', { request }),
    settleRestore: (request) => call('settle_restore', { request }),
    backlogHours: () => call('backlog_hours'),
    stations: () => call('stations'),
    station: (id) => call('station', { id }),
    askBoard: () => call('ask_board'),
    start: () => call('start'),
    startAgain: () => call('start_again'),
    setTextSize: (percent) => call('set_text_size', { percent }),
    closeWindow: () => call('close_window'),
    demo: {
      break: (fault) => call('demo_break', { fault }),
      mend: () => call('demo_mend'),
      switchPerson: (person) => call('demo_switch', { person }),
    },
    events: listen,
  }
}

/** What the station refused comes back as `Refusal`; anything else stays what it was. */
function refusing(carry: Call): Call {
  return async (command, args) => {
    try {
      return await carry(command, args)
    } catch (error) {
      throw isApiError(error) ? new Refusal(error) : error
    }
  }
}

function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}
