// The whole window on the station in memory, as a person opens it.

import { render, screen } from '@testing-library/react'
import { App } from '../src/App'
import { memoryBackend } from '../src/api/memory'
import { startCatalogue } from '../src/catalogue/catalogue'
import { emptyShelf, newPerson, pass } from './inWindow'

type Options = Parameters<typeof memoryBackend>[0] & {
  path?: string
  settings?: Record<string, string>
  /** What the station is told, or made to answer, before the window opens. */
  before?: (backend: ReturnType<typeof memoryBackend>) => unknown
}

export async function openWindow({ path = '', settings, before, ...options }: Options = {}) {
  startCatalogue()
  window.location.hash = path === '' ? '' : `#/${path}`
  const backend = memoryBackend(options)
  await before?.(backend)
  const user = newPerson()
  const shelf = emptyShelf(settings)
  const shown = render(<App backend={backend} shelf={shelf} />)
  await screen.findByRole('main')
  return { ...shown, backend, user, shelf }
}

export const signedIn = (actor: string, ...roles: string[]) => ({
  actor,
  roles: roles.length > 0 ? roles : [actor],
  until: '2099-12-08T17:00:00Z',
})

/** Lets what was asked be answered. */
export const settle = () => pass(0)
