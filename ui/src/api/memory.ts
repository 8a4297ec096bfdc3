// A station in memory, for tests and the gallery: it keeps what it is given, in one of five scripted conditions. It has
// no rules but one (a site address must be there), so that a refusal can be shown; real rules are the station's.

import { type Backend, Refusal } from './backend'
import type { AnswerView, ItemView, ModeCause, SessionView, StartView, Told } from './generated/wire'
import { booksOf } from './memory/books'
import { fieldInMemory, inspectionForm } from './memory/field'
import { formsInMemory } from './memory/forms'
import { findTwice, loseRecorded, meetAnother, oversightInMemory, setAside } from './memory/oversight'
import { recordsInMemory } from './memory/records'
import { shellInMemory } from './memory/shell'
import { type MemoryState, memoryState } from './memory/state'
import { conditionOf, heldCondition, type MemoryMode } from './memoryConditions'

export type MemoryBackend = Backend & {
  /** What the station's clock does every two seconds; silent once contact is lost. */
  beat(): void
  become(mode: MemoryMode): void
  /** An item is put before a person, with the station's word for why. */
  setAside(operationId: string, reason: string, answer?: AnswerView): void
  /** Its record was changed at city hall. */
  meetAnother(operationId: string, known: 'known' | 'unknown'): void
  /** The permit system has an item under these numbers. */
  findTwice(operationId: string, records: readonly string[]): void
  /** The permit system comes back without so many recorded items. */
  loseRecorded(missing: number): void
  tell(told: Told): void
}

/**
 * `start`: how the program begins, once; a clerk is signed in unless it is said otherwise. `items`: what was accepted
 * before; whoever gave it may change it, and tells the page.
 */
type Options = {
  mode?: MemoryMode
  now?: () => Date
  session?: SessionView | null
  start?: StartView
  items?: ItemView[]
}

/** The password that this station refuses. */
export const WRONG_PASSWORD = 'wrong'

export const house = {
  city: 'Alder Falls',
  station: 'front-1',
  version: '0.1.0',
  contact: 'IT desk, (555) 010-0199',
  rules_contact: 'the rules office',
  rehearsal: 'demo',
} as const

const SESSION_MS = 8 * 3_600_000

export function memoryBackend({
  mode = 'calm',
  now = () => new Date(),
  session = { actor: 'clerk', roles: ['clerk'], until: new Date(now().getTime() + SESSION_MS).toISOString() },
  start = { start: 'ready' },
  items = [],
}: Options = {}): MemoryBackend {
  const state = memoryState(mode, session, now)
  state.items = items
  const become = (next: MemoryMode) => {
    state.mode = next
    state.tell({ told: 'changed', topics: ['standing'] })
  }
  const enter = async (user: string | null) => {
    const until = new Date(now().getTime() + SESSION_MS).toISOString()
    state.who = user === null ? null : { actor: user, roles: [user], until }
    state.tell({ told: 'changed', topics: ['session'] })
    return state.who as SessionView
  }
  const condition = () => {
    const standing = heldCondition(conditionOf(state.mode, now(), booksOf(state.items)), state.held)
    return { ...standing, causes: [...missingOf(state), ...standing.causes, ...sentBackOf(state)] }
  }
  const forms = formsInMemory(state)
  return {
    house: async () => house,
    standing: async () => condition(),
    status: async () => condition().status,
    contract: async () => condition().status.contract,
    refreshContract: async () => condition().status.contract,
    session: async () => state.who,
    async signIn({ user, password }) {
      if (state.mode === 'not_answering') throw new Refusal({ code: 'not_answering' })
      if (password === WRONG_PASSWORD) throw new Refusal({ code: 'system_refused' })
      return enter(user)
    },
    signOut: () => enter(null),
    drain: async () => drained(state),
    events(listener) {
      state.listeners.add(listener)
      return () => state.listeners.delete(listener)
    },
    ...forms,
    form: async (kind) => (kind === 'inspection' ? inspectionForm : forms.form(kind)),
    ...recordsInMemory(state),
    ...fieldInMemory(state),
    ...oversightInMemory(state),
    ...shellInMemory(start),
    demo: {
      break: async () => become('not_answering'),
      mend: async () => become('calm'),
      switchPerson: (person) => enter(person),
    },
    beat: () => state.tell({ told: 'heartbeat' }),
    become,
    findTwice: (id, records) => findTwice(state, id, records),
    meetAnother: (id, known) => meetAnother(state, id, known),
    setAside: (id, reason, answer) => setAside(state, id, reason, answer ?? null),
    loseRecorded: (missing) => loseRecorded(state, missing),
    tell: state.tell,
  }
}

function missingOf({ restore: { restore } }: MemoryState): ModeCause[] {
  return restore?.stage === 'asking' ? [{ cause: 'restored_older', missing: restore.missing }] : []
}

function drained(state: MemoryState) {
  const waiting = state.items.filter((item) => item.state === 'pending')
  const sent = state.mode === 'not_answering' ? [] : waiting
  for (const item of sent)
    Object.assign(item, { state: 'committed', committed_at: state.at(), recorded: 'sent' })
  const pending = waiting.length - sent.length
  state.tell({ told: 'drain_ended', recorded: sent.length, decisions: 0, waiting: pending })
  return {
    committed: sent.length,
    already_committed: 0,
    quarantined: 0,
    pending,
    stopped_because: pending > 0 ? ('pass' as const) : ('empty' as const),
  }
}

function sentBackOf({ items, who }: MemoryState): ModeCause[] {
  const own = items.filter(({ state, actor }) => state === 'quarantined' && actor === who?.actor)
  return own.length === 0 ? [] : [{ cause: 'needs_decision', count: own.length, own: true }]
}
