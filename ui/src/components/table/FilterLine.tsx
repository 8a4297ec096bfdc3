// Above a list: the filter, how many there are, and how many of them are shown. The station filters; it is asked when the
// hand has rested, and the number it found is spoken once.

import { useEffect, useRef, useState } from 'react'
import { Input, Label, SearchField } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { count } from '../../format/format'
import { useAnnounce } from '../../frame/Announcer'
import { KeyHint } from '../../keys/KeyHint'
import { useKey } from '../../keys/Keys'
import { useSettings } from '../../settings/SettingsProvider'

export const FILTER_AFTER_MS = 200
const FOUND_AFTER_MS = 700

export type Filter = { value: string; onChange: (value: string) => void; label?: string; autoFocus?: boolean }

export type Figures = {
  /** Rows that are here. */
  here: number
  /** Rows that match; more than here when the list has a limit. */
  matching: number
  /** Rows without the filter. */
  total: number
  /** Whether the rows are those of the filter as it stands. */
  settled: boolean
}

export function FilterLine({ filter, figures }: { filter?: Filter; figures: Figures }) {
  const words = useFigures(figures)
  return (
    <div className="list-line">
      {filter && <FilterField filter={filter} figures={figures} />}
      <p className="list-count">{words}</p>
    </div>
  )
}

function FilterField({ filter, figures }: { filter: Filter; figures: Figures }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const { typed, type } = useResting(filter)
  useFound(typed, figures, typed === filter.value && figures.settled)
  useKey('filter', () => {
    input.current?.focus()
    input.current?.select()
  })
  return (
    <SearchField
      className="filter"
      value={typed}
      onChange={type}
      onClear={() => filter.onChange('')}
      autoFocus={filter.autoFocus}
    >
      <Label className="field-label">
        {filter.label ?? t('list.filter')} <KeyHint of="filter" />
      </Label>
      <Input ref={input} className="control width-lg" dir="auto" />
    </SearchField>
  )
}

/** The text as typed, handed on when no key was pressed for a moment; emptied, it is handed on at once. */
function useResting({ value, onChange }: Filter) {
  const [typed, setTyped] = useState(value)
  const [given, setGiven] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (given !== value) {
    setGiven(value)
    setTyped(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(text), text === '' ? 0 : FILTER_AFTER_MS)
  }
  return { typed, type }
}

function useFound(typed: string, { matching }: Figures, ready: boolean) {
  const { t } = useTranslation()
  const announce = useAnnounce()
  const spoken = useRef(typed)
  useEffect(() => {
    if (!ready || spoken.current === typed) return
    const timer = setTimeout(() => {
      spoken.current = typed
      announce({ key: `found ${typed}`, text: t('list.found', { count: matching }), politeness: 'polite' })
    }, FOUND_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed, matching, ready, announce, t])
}

function useFigures({ here, matching, total, settled }: Figures): string {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const reading = { locale: settings.language, clock: settings.clock, now: new Date(0) }
  const n = (figure: number) => count(reading, figure)
  if (settled && here < matching) return t('list.first', { here: n(here), matching: n(matching) })
  if (matching < total) return t('list.some', { shown: n(matching), total: n(total) })
  return t('list.all', { count: total, total: n(total) })
}
