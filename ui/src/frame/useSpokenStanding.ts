// Says what `spoken.ts` finds worth saying, when it has lasted: a failure that is over in two seconds was none.

import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backend } from '../api/backend'
import type { ModeCause, StandingView } from '../api/generated/wire'
import { useAnnounce } from './Announcer'
import { type Spoken, spokenOfChange, spokenOfContact, spokenOfTold } from './spoken'

const SETTLE_MS = 2_000

export function useSpokenStanding(backend: Backend, standing: StandingView | undefined, lost: boolean) {
  const speak = useSpeak()
  const said = useRef<readonly ModeCause[]>([])
  const causes = standing?.causes
  useEffect(() => {
    if (!causes) return
    const before = said.current
    const timer = setTimeout(() => {
      said.current = causes
      speak(spokenOfChange(before, causes, false))
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [causes, speak])
  useEffect(() => backend.events(({ told }) => speak(spokenOfTold(told))), [backend, speak])
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current === lost) return
    wasLost.current = lost
    speak([spokenOfContact(lost)])
  }, [lost, speak])
}

function useSpeak(): (spoken: readonly Spoken[]) => void {
  const { t } = useTranslation()
  const announce = useAnnounce()
  const latest = useRef({ t, announce })
  useEffect(() => {
    latest.current = { t, announce }
  })
  return useRef((spoken: readonly Spoken[]) => {
    for (const { word, values, ...message } of spoken)
      latest.current.announce({ ...message, text: latest.current.t(word, values ?? {}) })
  }).current
}
