// Which of a person's workspaces is shown. The first role that one signed in with decides; who has two changes between
// them in the user menu. There are never two navigations at once.

import { createContext, useContext, useMemo, useState } from 'react'
import type { SessionView } from '../api/generated/wire'
import { useStanding } from './StandingContext'

export type Workspace = 'counter' | 'field' | 'oversight'

export type Desks = { current: Workspace; own: readonly Workspace[]; choose: (workspace: Workspace) => void }

/** A choice holds for the person who made it. */
type Chosen = { actor: string; workspace: Workspace } | null
type Choice = { chosen: Chosen; choose: (chosen: Chosen) => void }

const ChoiceContext = createContext<Choice>({ chosen: null, choose: () => {} })

export const DeskChoice = ChoiceContext.Provider

export function useDeskChoice(): Choice {
  const [chosen, choose] = useState<Chosen>(null)
  return useMemo(() => ({ chosen, choose }), [chosen])
}

/** Of whoever the window shows as signed in: never of the one before, not for one drawing of the page. */
export function useDesks(): Desks {
  const { session } = useStanding()
  const { chosen, choose } = useContext(ChoiceContext)
  const actor = session?.actor ?? ''
  return {
    current: workspaceShown(session, chosen),
    own: workspacesOf(session?.roles ?? []),
    choose: (workspace) => choose({ actor, workspace }),
  }
}

/** In the order of the roles. */
export function workspacesOf(roles: readonly string[]): Workspace[] {
  const known = roles.map((role): Workspace => {
    if (role === 'inspector') return 'field'
    return role === 'supervisor' ? 'oversight' : 'counter'
  })
  return known.length === 0 ? ['counter'] : [...new Set(known)]
}

export function workspaceShown(session: SessionView | null, chosen: Chosen): Workspace {
  const own = workspacesOf(session?.roles ?? [])
  const wanted = chosen !== null && chosen.actor === session?.actor ? chosen.workspace : undefined
  return own.find((workspace) => workspace === wanted) ?? own[0] ?? 'counter'
}
