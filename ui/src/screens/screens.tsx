// Which screen is at which address, under which name, and in whose workspace. An address that is not here is told so.

import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../components/states'
import { go } from '../frame/routes'
import type { Workspace } from '../frame/workspace'
import { AboutScreen } from './AboutScreen'
import { InspectionScreen } from './field/InspectionScreen'
import { SentScreen } from './field/SentScreen'
import { TodayScreen } from './field/TodayScreen'
import { DraftScreen } from './intake/DraftScreen'
import { NewApplication } from './intake/NewApplication'
import { Receipt } from './intake/Receipt'
import { DecideScreen } from './oversight/DecideScreen'
import { DecisionScreen } from './oversight/DecisionScreen'
import { OutagesScreen } from './oversight/OutagesScreen'
import { StationsScreen } from './oversight/StationsScreen'
import { SyncScreen } from './oversight/SyncScreen'
import { ApplicationScreen } from './records/ApplicationScreen'
import { CorrectScreen } from './records/CorrectScreen'
import { FindScreen } from './records/FindScreen'
import { SentBackScreen } from './records/SentBackScreen'
import { WaitingScreen } from './records/WaitingScreen'
import { SettingsScreen } from './SettingsScreen'

export type Screen = {
  path: string
  name:
    | 'today'
    | 'inspection'
    | 'sent'
    | 'decide'
    | 'decision'
    | 'outages'
    | 'stations'
    | 'new'
    | 'receipt'
    | 'find'
    | 'sent_back'
    | 'application'
    | 'correct'
    | 'waiting'
    | 'sync'
    | 'settings'
    | 'about'
    | 'unknown'
  /** A shorter word for the navigation. */
  nav?: 'nav_new'
  Component: ComponentType<Parts>
}

/** What the address names behind the screen: of `app/ID/fees`, ID and fees. */
export type Parts = { parts: readonly string[] }

/** A screen of one thing, at `path/ID/…`; `entry` is the entry of the navigation that it belongs to.
 * With `tabs` what follows the ID is a part of the same screen: going there leaves the focus where it is. */
type Inner = Screen & { entry: string; tabs?: true }

/** A screen at an address. */
export type Shown = Inner & Parts

const everyone: Screen[] = [
  { path: 'settings', name: 'settings', Component: SettingsScreen },
  { path: 'about', name: 'about', Component: AboutScreen },
]

/** In the order of the navigation: the n-th has Alt+n. */
export const workspaces: Record<Workspace, Screen[]> = {
  counter: [
    { path: 'counter/new', name: 'new', nav: 'nav_new', Component: NewApplication },
    { path: 'find', name: 'find', Component: FindScreen },
    { path: 'waiting', name: 'waiting', Component: WaitingScreen },
    { path: 'sent-back', name: 'sent_back', Component: SentBackScreen },
  ],
  field: [
    { path: 'field/today', name: 'today', Component: TodayScreen },
    { path: 'field/sent', name: 'sent', Component: SentScreen },
  ],
  oversight: [
    { path: 'oversight/sync', name: 'sync', Component: SyncScreen },
    { path: 'oversight/decide', name: 'decide', Component: DecideScreen },
    { path: 'oversight/outages', name: 'outages', Component: OutagesScreen },
    { path: 'oversight/stations', name: 'stations', Component: StationsScreen },
    { path: 'find', name: 'find', Component: FindScreen },
  ],
}

const inner: Inner[] = [
  { path: 'inspection', entry: 'field/today', name: 'inspection', Component: InspectionScreen },
  { path: 'decision', entry: 'oversight/decide', name: 'decision', Component: DecisionScreen },
  { path: 'draft', entry: 'counter/new', name: 'new', Component: DraftScreen },
  { path: 'receipt', entry: 'counter/new', name: 'receipt', Component: Receipt },
  { path: 'correct', entry: 'find', name: 'correct', Component: CorrectScreen },
  { path: 'app', entry: 'find', name: 'application', Component: ApplicationScreen, tabs: true },
]

const unknown: Screen = { path: '', name: 'unknown', Component: UnknownScreen }

/** The empty address is the first screen of the workspace. */
export function screenAt(path: string, workspace: Workspace): Shown {
  const own = workspaces[workspace]
  const whole = path === '' ? own[0] : [...own, ...everyone].find((screen) => screen.path === path)
  if (whole) return { ...whole, entry: whole.path, parts: [] }
  const [first, ...parts] = path.split('/')
  const one = parts.length > 0 && inner.find((screen) => screen.path === first)
  if (one) return { ...one, path: one.tabs ? `${first}/${parts[0]}` : path, parts: parts.map(readable) }
  return { ...unknown, path, entry: path, parts: [] }
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function UnknownScreen() {
  const { t } = useTranslation()
  return <Empty action={{ word: t('unknown.home'), act: () => go('') }}>{t('unknown.text')}</Empty>
}
