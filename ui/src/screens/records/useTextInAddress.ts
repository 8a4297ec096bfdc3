// The text of a filter, kept in the address of the screen: whoever comes back finds the list as it was.

import { useState } from 'react'
import { addressOf, useRoute } from '../../frame/routes'

const TEXT_CHARACTERS_MAX = 200

export function useTextInAddress(): [string, (text: string) => void] {
  const { path, query } = useRoute()
  const [text, setText] = useState(query.get('text') ?? '')
  const change = (typed: string) => {
    const next = typed.slice(0, TEXT_CHARACTERS_MAX)
    setText(next)
    const search = next === '' ? '' : `?${new URLSearchParams({ text: next })}`
    window.history.replaceState(window.history.state, '', addressOf(path) + search)
  }
  return [text, change]
}
