// The state of one item: a word, an icon, a tone and a shape, so that it is read in grey as well as in colour.

import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import { type ItemState, type Look, looks } from './operationStates'
import './pill.css'

/** `time` and `number` fill the words that have a place for them, ready in the reader's language. */
export function StatePill({
  state,
  time = '',
  number = '',
}: {
  state: ItemState
  time?: string
  number?: string
}) {
  const { t } = useTranslation()
  return <Pill {...looks[state]} word={t(`item.${state}`, { time, number }).trim()} />
}

export function Pill({ icon, tone, shape, struck = false, word }: Look & { word: string }) {
  return (
    <span className="pill" data-tone={tone} data-shape={shape} data-struck={struck}>
      <Icon name={icon} />
      <span className="word">{word}</span>
    </span>
  )
}
