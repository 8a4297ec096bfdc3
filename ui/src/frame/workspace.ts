// Which of a person's workspaces is shown. The first role that one signed in with decides; who has two changes between
// them in the user menu. There are never two navigations at once.

import { createContext, useContext, useState } from 'react'
import type { SessionView } from '../api/generated/wire'

export type Workspace = 'counter' | 'field' | 'oversight'

export type Desks = { current: Workspace; own: readonly Workspace[]; choose: (workspace: Workspace) => void }

const DesksContext = createContext<Desks>({ current: 'counter', own: ['counter'], choose: () => {} })

export const DesksProvider = DesksContext.Provider

export function useDesks(): Desks {
  return useContext(DesksContext)
}

/** In the order of the roles. */
export function workspacesOf(roles: readonly string[]): Workspace[] {
  const known = roles.map((role): Workspace => {
    if (role === 'inspector') return 'field'
    return role === 'supervisor' ? 'oversight' : 'counter'
  })
  return known.length === 0 ? ['counter'] : [...new Set(known)]
}

/** A choice holds for the person who made it. */
export function useDesksOf(session: SessionView | null): Desks {
  const [chosen, setChosen] = useState<{ actor: string; workspace: Workspace } | null>(null)
  const own = workspacesOf(session?.roles ?? [])
  const actor = session?.actor ?? ''
  const wanted = chosen?.actor === actor ? chosen.workspace : undefined
  const current = own.find((workspace) => workspace === wanted) ?? own[0] ?? 'counter'
  return { current, own, choose: (workspace) => setChosen({ actor, workspace }) }
}
