// What every part of the frame shows: the house, the station's standing, whether it is heard, and who is signed in.
// The live one asks the station and follows its events; the gallery puts a made one in its place.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Backend } from '../api/backend'
import type { HouseView, SessionView, StandingView, Topic } from '../api/generated/wire'
import { useContact } from './contact'
import { gathering } from './gathering'
import { useSpokenStanding } from './useSpokenStanding'

export type Standing = {
  house: HouseView
  standing: StandingView
  session: SessionView | null
  /** Since when the station is silent, or null while it is heard. */
  lostSince: string | null
  now: Date
}

const StandingContext = createContext<Standing | null>(null)
const BackendContext = createContext<Backend | null>(null)

export const StandingProvider = StandingContext.Provider

export function useStanding(): Standing {
  const standing = useContext(StandingContext)
  if (!standing) throw new Error('no standing around')
  return standing
}

export function useBackend(): Backend {
  const backend = useContext(BackendContext)
  if (!backend) throw new Error('no backend around')
  return backend
}

/** None where nothing real is behind the page, as in the gallery. */
export function useBackendIfAny(): Backend | null {
  return useContext(BackendContext)
}

const CLOCK_MS = 15_000

/** Asks, follows, and shows `before` until the first answer is there. */
export function LiveStanding({
  backend,
  before,
  children,
}: {
  backend: Backend
  before: ReactNode
  children: ReactNode
}) {
  const contact = useContact(backend)
  const now = useNow()
  const house = useQuery({ queryKey: ['house'], queryFn: () => backend.house() }).data
  const standing = useQuery({ queryKey: ['standing'], queryFn: () => backend.standing() }).data
  const session = useQuery({ queryKey: ['session'], queryFn: () => backend.session() }).data
  useSpokenStanding(backend, standing, contact.lost)
  const held = useMemo<Standing | null>(() => {
    if (!house || !standing || session === undefined) return null
    return {
      house,
      standing,
      session,
      lostSince: contact.lost ? new Date(contact.heardAt).toISOString() : null,
      // What is not heard does not grow older on the screen: it is as of then.
      now: contact.lost ? new Date(contact.heardAt) : now,
    }
  }, [house, standing, session, contact, now])
  return (
    <BackendContext value={backend}>
      {held ? <StandingContext value={held}>{children}</StandingContext> : before}
    </BackendContext>
  )
}

/** What a topic makes stale. */
const stale: Record<Topic, string[]> = {
  standing: ['standing', 'backlog-hours', 'restore'],
  queue: [
    'items',
    'item',
    'inspections',
    'inspection',
    'record',
    'find',
    'drafts',
    'backlog-hours',
    'outages',
  ],
  applications: ['record', 'find', 'inspection'],
  contract: ['contract', 'standing', 'form'],
  session: ['session', 'items', 'drafts', 'record', 'inspections'],
  copies: ['find', 'record', 'inspections', 'inspection', 'parcels'],
  outages: ['outages'],
  start: ['start'],
}

/** So often at most, in a drain that records an item every few milliseconds. */
const ASK_AGAIN_EVERY_MS = 250

/** What the station says has changed is asked for again. */
export function useFollowing(backend: Backend) {
  const client = useQueryClient()
  const known = useRef(client)
  useEffect(() => {
    const { add, end } = gathering<string>(ASK_AGAIN_EVERY_MS, (keys) => {
      for (const key of keys) void known.current.invalidateQueries({ queryKey: [key] })
    })
    const deafen = backend.events(({ told }) => {
      if (told.told === 'changed') add(told.topics.flatMap((topic) => stale[topic]))
    })
    return () => {
      deafen()
      end()
    }
  }, [backend])
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
