// Puts a component into the page as the window does: settings, keys, announcer, catalogue.

import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { newQueryClient } from '../src/App'
import { startCatalogue } from '../src/catalogue/catalogue'
import { Announcer } from '../src/frame/Announcer'
import { KeysProvider } from '../src/keys/Keys'
import { SettingsProvider } from '../src/settings/SettingsProvider'
import type { Shelf } from '../src/settings/settings'

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
  return { ...shown, user: userEvent.setup() }
}

/** Colours are measured by the look's own test: jsdom has none. */
export async function expectAccessible(root: Element) {
  const { violations } = await axe.run(root, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
}
