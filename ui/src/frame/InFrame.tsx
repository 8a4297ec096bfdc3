// What a screen puts into the frame around it: beside its heading, at its side, into its bar of actions, and into the
// title of the window. The parts are drawn in the frame's places but belong to the screen: its state, its keys.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { Landmark } from '../components/Landmark'

/** What a screen says of itself, and the frame shows: a heading of its own, and how many problems it has. */
export type ScreenFacts = { title: string | null; problems: number }

type Place = 'aside' | 'side' | 'actions'
type Places = Record<Place, HTMLElement | null>
type Slots = { places: Places; tell: (facts: ScreenFacts) => void }

const nothingTold: ScreenFacts = { title: null, problems: 0 }
const nowhere: Places = { aside: null, side: null, actions: null }

const SlotsContext = createContext<Slots>({ places: nowhere, tell: () => {} })

/** For the frame: the places it offers, and what the screen told. */
export function useSlots() {
  const [places, setPlaces] = useState(nowhere)
  const [facts, tell] = useState(nothingTold)
  const slots = useMemo<Slots>(() => ({ places, tell }), [places])
  const refs = useMemo(() => {
    const into = (place: Place) => (element: HTMLElement | null) =>
      setPlaces((before) => ({ ...before, [place]: element }))
    return { aside: into('aside'), side: into('side'), actions: into('actions') }
  }, [])
  return { slots, refs, facts }
}

export const SlotsProvider = SlotsContext.Provider

type Props = {
  /** In place of the name of the screen: "Receipt front-1-12". */
  title?: string
  problems?: number
  /** Beside the heading: "Draft saved 8:31 AM". */
  aside?: ReactNode
  side?: { label: string; content: ReactNode }
  actions?: ReactNode
}

/** Shown anywhere in a screen, once. */
export function InFrame({ title, problems = 0, aside, side, actions }: Props) {
  const { places, tell } = useContext(SlotsContext)
  useEffect(() => {
    tell({ title: title ?? null, problems })
  }, [tell, title, problems])
  useEffect(() => () => tell(nothingTold), [tell])
  return (
    <>
      {places.aside && aside && createPortal(aside, places.aside)}
      {places.side && side && createPortal(<Side label={side.label}>{side.content}</Side>, places.side)}
      {places.actions && actions && createPortal(actions, places.actions)}
    </>
  )
}

function Side({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Landmark role="complementary" label={label} className="side">
      <h2>{label}</h2>
      {children}
    </Landmark>
  )
}
