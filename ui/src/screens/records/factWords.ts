// A value of a payload as it is read: money grouped, days in the reader's way, codes by their word. Decides nothing about
// the value; what has no special form is shown as it is.

import { useTranslation } from 'react-i18next'
import type { FieldControl } from '../../api/generated/wire'
import { day, dollars } from '../../format/format'
import { inLocale } from '../../forms/words'
import { useStanding } from '../../frame/StandingContext'
import { useReading, useSettings } from '../../settings/SettingsProvider'
import { optionsOf } from './optionWords'

export function useFactWords(): (value: unknown, control?: FieldControl) => string {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const { now } = useStanding()
  const reading = useReading(now)
  const one = (value: unknown, control?: FieldControl): string => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'boolean') return value ? t('application.yes') : t('application.no')
    if (Array.isArray(value)) return value.map((entry) => one(entry, control)).join(', ')
    if (typeof value === 'object')
      return Object.values(value)
        .map((entry) => one(entry))
        .join(', ')
    return scalar(String(value), control)
  }
  const scalar = (text: string, control?: FieldControl): string => {
    if (text === '') return ''
    if (control?.control === 'money' && /^-?\d+(\.\d+)?$/.test(text)) return dollars(text)
    if (control?.control === 'day') return day(reading, localDay(text))
    if (control?.control === 'measure') return `${text} ${inLocale(settings.language, control.unit)}`
    const option = optionsOf(control).find(({ code }) => code === text)
    return option ? inLocale(settings.language, option.word) : text
  }
  return one
}

/** A day has no zone: it is that day here. */
function localDay(text: string): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date)
}
