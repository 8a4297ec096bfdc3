// Says what `spoken.ts` finds worth saying, when it has lasted: a failure that is over in two seconds was none.

import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backend } from '../api/backend'
import type { ModeCause, StandingView } from '../api/generated/wire'
import { moment } from '../format/format'
import { useReading } from '../settings/SettingsProvider'
import { useAnnounce } from './Announcer'
import { routeOf } from './routes'
import {
  type DrainTalk,
  progress,
  type Spoken,
  spokenOfChange,
  spokenOfContact,
  spokenOfOutage,
  spokenOfTold,
} from './spoken'
import { useSpokenDecisions } from './useSpokenDecisions'

const SETTLE_MS = 2_000

type Speak = (spoken: readonly Spoken[]) => void

export function useSpokenStanding(backend: Backend, standing: StandingView | undefined, lost: boolean) {
  const speak = useSpeak()
  useSpokenCauses(standing?.causes, speak)
  useSpokenDecisions(backend, standing?.causes, speak)
  useSpokenDrains(backend, speak)
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current === lost) return
    wasLost.current = lost
    speak([spokenOfContact(lost)])
  }, [lost, speak])
}

function useSpokenCauses(causes: readonly ModeCause[] | undefined, speak: Speak) {
  const said = useRef<readonly ModeCause[]>([])
  const outageSaidAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (!causes) return
    const timer = setTimeout(() => {
      const before = said.current
      said.current = causes
      const outage = spokenOfOutage(before, causes, Date.now() - outageSaidAt.current)
      if (outage.length > 0) outageSaidAt.current = Date.now()
      speak([...outage, ...spokenOfChange(before, causes, inIntake())])
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [causes, speak])
}

/** Whether what the person is filling in is what cannot be handed in. */
function inIntake(): boolean {
  const [first, second] = routeOf(window.location.hash).path.split('/')
  return first === 'draft' || (first === 'counter' && second === 'new')
}

function useSpokenDrains(backend: Backend, speak: Speak) {
  const talk = useRef<DrainTalk>({ beganAt: 0, saidAt: 0, quarter: 0 })
  useEffect(
    () =>
      backend.events(({ told }) => {
        const now = Date.now()
        if (told.told === 'drain_began') talk.current = { beganAt: now, saidAt: now, quarter: 0 }
        if (told.told === 'drain_goes_on') {
          const next = progress(talk.current, told, now)
          talk.current = next.talk
          speak(next.said)
        }
        speak(spokenOfTold(told))
      }),
    [backend, speak],
  )
}

function useSpeak(): Speak {
  const { t } = useTranslation()
  const announce = useAnnounce()
  const reading = useReading(new Date())
  const latest = useRef({ t, announce, reading })
  useEffect(() => {
    latest.current = { t, announce, reading }
  })
  return useRef((spoken: readonly Spoken[]) => {
    const { t: words, announce: say, reading: now } = latest.current
    for (const { word, values, times = {}, ...message } of spoken) {
      const said = Object.entries(times).map(([name, time]) => [name, moment(now, time)])
      say({ ...message, text: words(word as 'say.lost', { ...values, ...Object.fromEntries(said) }) })
    }
  }).current
}
