// Gives the page one person's settings and wears them: attributes of <html>, the catalogue's language, React Aria's.

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { Reading } from '../format/format'
import { appliedLook, type Density, onWishesChanged, wear, wishesOf } from '../look/look'
import { type Settings, type Shelf, storedSettings, storeSettings } from './settings'

type Held = { settings: Settings; change(part: Partial<Settings>): void }

const SettingsContext = createContext<Held | null>(null)

export function SettingsProvider({
  person,
  shelf,
  density,
  children,
}: {
  person: string
  shelf: Shelf
  /** Where the workspace demands one; the person's own choice else. */
  density?: Density
  children: ReactNode
}) {
  const { settings, change } = usePersonal(person, shelf)
  const { i18n } = useTranslation()
  useEffect(() => {
    const look = { ...settings, density: density ?? settings.density }
    const put = () => wear(document.documentElement, appliedLook(look, wishesOf(window)))
    put()
    return onWishesChanged(window, put)
  }, [settings, density])
  useEffect(() => {
    document.documentElement.lang = settings.language
    void i18n.changeLanguage(settings.language)
  }, [settings.language, i18n])
  const held = useMemo(() => ({ settings, change }), [settings, change])
  return (
    <SettingsContext value={held}>
      <I18nProvider locale={settings.language}>{children}</I18nProvider>
    </SettingsContext>
  )
}

/** When another person signs in, that one's settings hold from the same drawing of the page on. */
function usePersonal(person: string, shelf: Shelf): Held {
  const [kept, setKept] = useState(() => ({ person, settings: storedSettings(shelf, person) }))
  const current = kept.person === person ? kept : { person, settings: storedSettings(shelf, person) }
  if (current !== kept) setKept(current)
  const change = useCallback(
    (part: Partial<Settings>) =>
      setKept((before) => {
        const settings = { ...before.settings, ...part }
        storeSettings(shelf, before.person, settings)
        return { ...before, settings }
      }),
    [shelf],
  )
  return { settings: current.settings, change }
}

export function useSettings(): Held {
  const held = useContext(SettingsContext)
  if (!held) throw new Error('no settings around')
  return held
}

/** How this reader wants times, as of a moment. */
export function useReading(now: Date): Reading {
  const { settings } = useSettings()
  return { locale: settings.language, clock: settings.clock, now }
}
