// Items that need a decision, told so that nobody is talked over: one's own in batches of half a minute, those of all,
// to who decides, at most every ten minutes.

import { useEffect, useRef } from 'react'
import type { Backend } from '../api/backend'
import type { ModeCause } from '../api/generated/wire'
import { moreToDecide, type Spoken } from './spoken'

export const OWN_BATCH_MS = 30_000
export const DECISIONS_APART_MS = 10 * 60_000

type Speak = (spoken: readonly Spoken[]) => void

export function useSpokenDecisions(backend: Backend, causes: readonly ModeCause[] | undefined, speak: Speak) {
  const before = useRef<readonly ModeCause[]>([])
  const own = useRef<{ more: number; timer: ReturnType<typeof setTimeout> } | null>(null)
  const all = useRef<{ count: number; timer: ReturnType<typeof setTimeout> } | null>(null)
  const allSaidAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (!causes) return
    const found = moreToDecide(before.current, causes)
    before.current = causes
    if (found?.own) {
      if (own.current) own.current.more += found.more
      else own.current = { more: found.more, timer: setTimeout(tellOwn, OWN_BATCH_MS) }
    } else if (found) {
      if (all.current) all.current.count = found.all
      else all.current = { count: found.all, timer: setTimeout(tellAll, roomIn(allSaidAt.current)) }
    }
    function tellOwn() {
      const more = own.current?.more ?? 0
      own.current = null
      void spokenOfOwn(backend, more).then((spoken) => speak([spoken]))
    }
    function tellAll() {
      const count = all.current?.count ?? 0
      all.current = null
      allSaidAt.current = Date.now()
      speak([{ key: 'decisions', word: 'say.need_decision', values: { count }, politeness: 'polite' }])
    }
  }, [backend, causes, speak])
  useEffect(
    () => () => {
      clearTimeout(own.current?.timer)
      clearTimeout(all.current?.timer)
    },
    [],
  )
}

function roomIn(saidAt: number): number {
  return Math.max(0, saidAt + DECISIONS_APART_MS - Date.now())
}

/** A single one is named; without its number it is counted like several. */
async function spokenOfOwn(backend: Backend, more: number): Promise<Spoken> {
  const ask = { of: 'sent_back', text: '', order: 'newest_first', skip: 0, rows: 1 } as const
  const last = more === 1 ? await backend.items(ask).catch(() => null) : null
  const number = last?.rows[0]?.receipt_no
  const said = { key: 'sent_back', politeness: 'polite', important: true } as const
  return number
    ? { ...said, word: 'say.sent_back.single', values: { number } }
    : { ...said, word: 'say.sent_back.several', values: { count: more } }
}
