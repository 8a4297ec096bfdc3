// The window: how the program began, who is here, how it looks for that person, what the station says, and the screen at
// the address. Whoever is not signed in sees the sign-in; what is asked before the station is there is how it began.

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backend } from './api/backend'
import type { StandingView } from './api/generated/wire'
import { Announcer } from './frame/Announcer'
import { Closing } from './frame/Closing'
import { Dismissals } from './frame/dismissals'
import { Frame } from './frame/Frame'
import { go, useRoute } from './frame/routes'
import { LiveStanding, useFollowing, useStanding } from './frame/StandingContext'
import { useTextSize } from './frame/textSize'
import { useOwnMenusOnly } from './frame/useOwnMenusOnly'
import { DeskChoice, useDeskChoice, useDesks, workspaceShown } from './frame/workspace'
import { KeysProvider } from './keys/Keys'
import { type Screen, screenAt, workspaces } from './screens/screens'
import { SignIn } from './screens/session/SignIn'
import { StartProblemPage } from './screens/session/StartProblemPage'
import { useStart } from './screens/session/start'
import { SettingsProvider } from './settings/SettingsProvider'
import { NOBODY, type Shelf } from './settings/settings'

const Gallery = lazy(() => import('./gallery/Gallery'))

/** "Online" is no signal here: the station is on this machine, and outages are what the window is for. */
export function newQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

export function App({ backend, shelf }: { backend: Backend; shelf: Shelf }) {
  const [client] = useState(newQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Personal backend={backend} shelf={shelf}>
        <KeysProvider>
          <Announcer>
            <Dismissals>
              <Window backend={backend} />
            </Dismissals>
          </Announcer>
        </KeysProvider>
      </Personal>
    </QueryClientProvider>
  )
}

/** Settings and workspace of whoever is signed in. In the field everything is large enough for a glove. */
function Personal({ backend, shelf, children }: { backend: Backend; shelf: Shelf; children: ReactNode }) {
  const ready = useStart(backend).data?.start === 'ready'
  const session = useQuery({ queryKey: ['session'], queryFn: () => backend.session(), enabled: ready }).data
  const choice = useDeskChoice()
  const inField = session && workspaceShown(session, choice.chosen) === 'field'
  return (
    <SettingsProvider person={session?.actor ?? NOBODY} shelf={shelf} density={inField ? 'field' : undefined}>
      <DeskChoice value={choice}>{children}</DeskChoice>
    </SettingsProvider>
  )
}

function Window({ backend }: { backend: Backend }) {
  const { t } = useTranslation()
  const { path } = useRoute()
  useFollowing(backend)
  useTextSize(backend)
  useOwnMenusOnly()
  const start = useStart(backend)
  if (path.split('/')[0] === 'gallery')
    return (
      <Suspense>
        <Gallery />
      </Suspense>
    )
  if (!start.data) return <p>{t('app.starting')}</p>
  if (start.data.start === 'problem') return <StartProblemPage backend={backend} {...start.data} />
  return (
    <LiveStanding backend={backend} before={<p>{t('app.starting')}</p>}>
      <Here path={path} />
      <Closing backend={backend} />
    </LiveStanding>
  )
}

function Here({ path }: { path: string }) {
  const { t } = useTranslation()
  const { session } = useStanding()
  useFirstScreenForAnother(session?.actor)
  if (session) return <CurrentScreen key={session.actor} path={path} />
  return (
    <Frame name={t('screen.sign_in')} path="sign-in" nav={[]}>
      <SignIn />
    </Frame>
  )
}

/** Who comes back goes on where one was; another person begins at the first screen. Either hears which one it is. */
function useFirstScreenForAnother(actor: string | undefined) {
  const last = useRef(actor)
  const first = useRef(true)
  useEffect(() => {
    const atStart = first.current
    first.current = false
    if (!actor) return
    if (last.current && last.current !== actor) go('')
    last.current = actor
    if (!atStart) document.querySelector<HTMLElement>('h1')?.focus()
  }, [actor])
}

function CurrentScreen({ path }: { path: string }) {
  const { t } = useTranslation()
  const { standing } = useStanding()
  const workspace = useDesks().current
  const screen = screenAt(path, workspace)
  const nav = workspaces[workspace].map((entry) => ({
    path: entry.path,
    word: t(`screen.${entry.nav ?? entry.name}`),
    count: countOf(entry.name, standing),
  }))
  return (
    <Frame name={t(`screen.${screen.name}`)} path={screen.path} entry={screen.entry} nav={nav}>
      <screen.Component parts={screen.parts} />
    </Frame>
  )
}

/** How many there are behind an entry of the navigation, where a number says that something is to be done. */
function countOf(name: Screen['name'], { status, causes }: StandingView): number | undefined {
  if (name === 'waiting') return status.backlog.count
  if (name === 'decide') return status.books.quarantined
  if (name !== 'sent_back') return undefined
  const own = causes.find((cause) => cause.cause === 'needs_decision' && cause.own)
  return own?.cause === 'needs_decision' ? own.count : undefined
}
