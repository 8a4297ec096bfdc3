// What the address of the page asks of the station in memory, so that pictures can be made of every beginning.

import type { SessionView, StartProblem, StartView } from '../generated/wire'

export const startProblems: readonly StartProblem[] = [
  { problem: 'not_set_up' },
  { problem: 'key_absent' },
  { problem: 'key_locked' },
  { problem: 'key_wrong' },
  { problem: 'keyring_mute' },
  { problem: 'keyring_none' },
  { problem: 'in_use' },
  { problem: 'other_user' },
  { problem: 'damaged' },
  { problem: 'newer_version' },
  { problem: 'folder' },
  { problem: 'configuration', key: 'sor_url' },
  { problem: 'failed' },
]

const SESSION_MS = 8 * 3_600_000

export function startOf(wanted: string | null): StartView | undefined {
  const problem = startProblems.find((one) => one.problem === wanted)
  if (!problem) return undefined
  return {
    start: 'problem',
    problem,
    folder: '/var/lib/holdfast/front-1',
    contact: 'IT desk, (555) 010-0199',
  }
}

export function sessionOf(person: string): SessionView | null {
  if (person === '') return null
  return { actor: person, roles: [person], until: new Date(Date.now() + SESSION_MS).toISOString() }
}
