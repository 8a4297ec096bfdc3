// Gives the page one person's settings and wears them: attributes of <html>, the catalogue's language, React Aria's.

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { Reading } from '../format/format'
import { appliedLook, onWishesChanged, wear, wishesOf } from '../look/look'
import { type Settings, type Shelf, storedSettings, storeSettings } from './settings'

type Held = { settings: Settings; change(part: Partial<Settings>): void }

const SettingsContext = createContext<Held | null>(null)

export function SettingsProvider({
  person,
  shelf,
  children,
}: {
  person: string
  shelf: Shelf
  children: ReactNode
}) {
  const [settings, setSettings] = useState(() => storedSettings(shelf, person))
  const { i18n } = useTranslation()
  const change = useCallback(
    (part: Partial<Settings>) =>
      setSettings((before) => {
        const after = { ...before, ...part }
        storeSettings(shelf, person, after)
        return after
      }),
    [shelf, person],
  )
  useEffect(() => {
    const put = () => wear(document.documentElement, appliedLook(settings, wishesOf(window)))
    put()
    return onWishesChanged(window, put)
  }, [settings])
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
