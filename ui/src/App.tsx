// The window: who, how it looks, what the station says, and the screen at the address.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backend } from './api/backend'
import { Announcer } from './frame/Announcer'
import { Frame } from './frame/Frame'
import { useRoute } from './frame/routes'
import { LiveStanding, useStanding } from './frame/StandingContext'
import { KeysProvider } from './keys/Keys'
import { screenAt, workspaceOf, workspaces } from './screens/screens'
import { SettingsProvider } from './settings/SettingsProvider'
import type { Shelf } from './settings/settings'

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

export function App({
  backend,
  shelf,
  person = 'anyone',
}: {
  backend: Backend
  shelf: Shelf
  person?: string
}) {
  const [client] = useState(newQueryClient)
  return (
    <QueryClientProvider client={client}>
      <SettingsProvider person={person} shelf={shelf}>
        <KeysProvider>
          <Announcer>
            <Window backend={backend} />
          </Announcer>
        </KeysProvider>
      </SettingsProvider>
    </QueryClientProvider>
  )
}

function Window({ backend }: { backend: Backend }) {
  const { t } = useTranslation()
  const { path } = useRoute()
  if (path.split('/')[0] === 'gallery')
    return (
      <Suspense>
        <Gallery />
      </Suspense>
    )
  return (
    <LiveStanding backend={backend} before={<p>{t('app.starting')}</p>}>
      <CurrentScreen path={path} />
    </LiveStanding>
  )
}

function CurrentScreen({ path }: { path: string }) {
  const { t } = useTranslation()
  const { session, standing } = useStanding()
  const workspace = workspaceOf(session?.roles ?? [])
  const screen = screenAt(path, workspace)
  const nav = workspaces[workspace].map((entry) => ({
    path: entry.path,
    word: t(`screen.${entry.name}`),
    count: entry.name === 'waiting' ? standing.status.backlog.count : undefined,
  }))
  return (
    <Frame name={t(`screen.${screen.name}`)} path={screen.path} entry={screen.entry} nav={nav}>
      <screen.Component parts={screen.parts} />
    </Frame>
  )
}
