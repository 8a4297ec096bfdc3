// The key of an action, in words: arrows have no glyph in the face we ship, and words can be looked up.

import { useTranslation } from 'react-i18next'
import { chordOf, type KeyId } from './registry'
import './keys.css'

const named = ['Ctrl', 'Alt', 'Shift', 'Enter', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'] as const

export function KeyHint({ of }: { of: KeyId }) {
  const words = useKeyWords()
  return (
    <span className="key-hint" aria-hidden="true">
      {words(of)}
    </span>
  )
}

export function useKeyWords(): (id: KeyId) => string {
  const { t } = useTranslation()
  const word = (part: string) => {
    const name = named.find((known) => known === part)
    return name ? t(`keys.part.${name}`) : part
  }
  return (id) =>
    chordOf(id)
      .replace('Ctrl++', 'Ctrl+plus')
      .split('+')
      .map((part) => (part === 'plus' ? '+' : word(part)))
      .join('+')
}
