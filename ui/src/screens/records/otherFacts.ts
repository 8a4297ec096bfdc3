// Facts that a form does not ask for, because the permit system or the program puts them there: the names that people
// use for them where there are such, and the field's own name else. Nothing is left out for want of a word.

import { useTranslation } from 'react-i18next'
import type { FieldControl } from '../../api/generated/wire'
import { useFactWords } from './factWords'
import { useInspectionTypeWord } from './itemWords'

const known = {
  PermitNum: 'line',
  InspType: 'inspection_type',
  InspTypeMapped: 'inspection_type',
  ScheduledDate: 'day',
  ScheduledTime: 'line',
  Description: 'line',
  Inspector: 'line',
  OriginalCity: 'line',
  OriginalState: 'line',
  NoParcelReason: 'line',
  IssuedDate: 'day',
  StatusCurrent: 'line',
  StatusDate: 'day',
} as const

type Known = keyof typeof known

const DAY: FieldControl = { control: 'day' }

export type Fact = [name: string, label: string, text: string]

/** Of these facts, the ones that say something, in their order. */
export function useOtherFacts(): (facts: Readonly<Record<string, unknown>>) => Fact[] {
  const { t } = useTranslation()
  const words = useFactWords()
  const inspection = useInspectionTypeWord()
  const text = (name: Known, value: unknown): string => {
    switch (known[name]) {
      case 'inspection_type':
        return inspection(words(value))
      case 'day':
        return words(value, DAY)
      case 'line':
        return words(value)
    }
  }
  const fact = (name: string, value: unknown): Fact =>
    isKnown(name) ? [name, t(`fact.${name}`), text(name, value)] : [name, name, words(value)]
  return (facts) => {
    const same = facts.InspType === facts.InspTypeMapped
    return Object.entries(facts)
      .filter(([name]) => !(same && name === 'InspTypeMapped'))
      .map(([name, value]) => fact(name, value))
      .filter(([, , text]) => text !== '')
  }
}

function isKnown(name: string): name is Known {
  return name in known
}
