// Puts a component into the page as the window does: settings, keys, announcer, catalogue.

import { QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import { newQueryClient } from '../src/App'
import { startCatalogue } from '../src/catalogue/catalogue'
import { Announcer } from '../src/frame/Announcer'
import { KeysProvider } from '../src/keys/Keys'
import { SettingsProvider } from '../src/settings/SettingsProvider'
import type { Shelf } from '../src/settings/settings'

const AXE_TURNS_MS = 50
const TURNS = 3

export function emptyShelf(settings?: Record<string, string>): Shelf {
  const kept = new Map<string, string>()
  if (settings) kept.set('holdfast.settings.anyone', JSON.stringify(settings))
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
}

export function show(children: ReactNode, settings?: Record<string, string>) {
  startCatalogue()
  const shown = render(
    <QueryClientProvider client={newQueryClient()}>
      <SettingsProvider person="anyone" shelf={emptyShelf(settings)}>
        <KeysProvider>
          <Announcer>{children}</Announcer>
        </KeysProvider>
      </SettingsProvider>
    </QueryClientProvider>,
  )
  return { ...shown, user: newPerson() }
}

/** Somebody at keyboard and mouse, as quick as the clock of the tests. */
export const newPerson = () => userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })

/** Time passes; then what is shown because of it may ask, and what is answered is shown, in turn. */
export async function pass(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms))
  for (let turn = 0; turn < TURNS; turn++) await act(() => vi.advanceTimersByTimeAsync(1))
}

/** Colours are measured by the look's own test: jsdom has none. The page stands still meanwhile; axe waits for turns of its own. */
export async function expectAccessible(root: Element) {
  const run = axe.run(root, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  await vi.advanceTimersByTimeAsync(AXE_TURNS_MS)
  const { violations } = await run
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
}
