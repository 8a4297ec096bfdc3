// The window around every screen: header, mode bar, navigation, the screen, its side panel, its actions, the strip.

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Landmark } from '../components/Landmark'
import { useKey } from '../keys/Keys'
import { useAnnounce } from './Announcer'
import { Details } from './Details'
import { Header } from './Header'
import { HelpDialog } from './Help'
import { SlotsProvider, useSlots } from './InFrame'
import { ModeBar, useTold } from './ModeBar'
import { type NavEntry, Navigation } from './Navigation'
import { type FindAction, FindDialog } from './Overlays'
import { go } from './routes'
import { useStanding } from './StandingContext'
import { Strip } from './Strip'
import { useWindowTitle } from './windowTitle'
import './frame.css'

type Props = {
  /** Name of the screen: its heading and the window's title, unless the screen tells another. */
  name: string
  path: string
  /** Which entry of the navigation the screen belongs to; its own address where it is one. */
  entry?: string
  nav: readonly NavEntry[]
  children: ReactNode
}

export function Frame({ name, path, entry = path, nav, children }: Props) {
  const { house, lostSince } = useStanding()
  const overlays = useOverlays(nav)
  const { slots, refs, facts } = useSlots()
  const title = facts.title ?? name
  useWindowTitle(title, facts.problems)
  useSayStatus()
  return (
    <div className="frame" data-rehearsal={house.rehearsal} data-lost={lostSince !== null}>
      <Header title={title} nav={nav} onFind={overlays.find} onHelp={overlays.help} />
      <ModeBar onDetails={overlays.details} />
      <Navigation entries={nav} current={entry} />
      <Landmark role="main" label={title} className="main">
        <div className="screen">
          <div className="screen-head">
            <ScreenTitle path={path}>{title}</ScreenTitle>
            <div className="screen-aside" ref={refs.aside} />
          </div>
          <SlotsProvider value={slots}>{children}</SlotsProvider>
        </div>
        <div className="actions" ref={refs.actions} />
      </Landmark>
      <div className="side-place" ref={refs.side} />
      <Strip />
      {overlays.shown}
    </div>
  )
}

/** Takes the focus when the route changes, so that a reader hears where one is. */
function ScreenTitle({ path, children }: { path: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    heading.current?.focus()
  }, [path])
  return (
    <h1 ref={heading} tabIndex={-1} className="screen-title">
      {children}
    </h1>
  )
}

function useOverlays(nav: readonly NavEntry[]) {
  const { t } = useTranslation()
  const { house } = useStanding()
  const [open, setOpen] = useState<'find' | 'help' | 'details' | null>(null)
  const opener = useRef<Element | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const details = () => {
    if (open === 'details') return heading.current?.focus()
    opener.current = document.activeElement
    setOpen('details')
  }
  const close = () => setOpen(null)
  const closeDetails = () => {
    close()
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  useKey('find', () => setOpen('find'))
  useKey('help', () => setOpen('help'))
  const actions = useMemo<FindAction[]>(
    () => [
      ...nav.map((entry, index) => ({
        id: entry.path,
        word: entry.word,
        keyId: `nav_${index + 1}` as FindAction['keyId'],
        act: () => go(entry.path),
      })),
      { id: 'settings', word: t('screen.settings'), act: () => go('settings') },
      { id: 'about', word: t('screen.about'), act: () => go('about') },
    ],
    [nav, t],
  )
  const shown = (
    <>
      {open === 'details' && <Details heading={heading} onClose={closeDetails} />}
      <FindDialog open={open === 'find'} onClose={close} actions={actions} />
      <HelpDialog open={open === 'help'} onClose={close} contact={house.contact} nav={nav} />
    </>
  )
  return { find: () => setOpen('find'), help: () => setOpen('help'), details, shown }
}

/** F9: the mode in its shortest form, asked for, so at once and as often as wanted. */
function useSayStatus() {
  const announce = useAnnounce()
  const [first] = useTold()
  const asked = useRef(0)
  useKey('say_status', () => {
    asked.current += 1
    if (first)
      announce({
        key: `status ${asked.current}`,
        text: [first.lead, first.tally].filter(Boolean).join(' '),
        politeness: 'assertive',
      })
  })
}
