// The one voice of the window. Changing the text of a live region says nothing on the real engine; adding an element
// does, so each message is a new element. It stands outside what an open dialog hides. Nobody else writes aria-live.

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useSettings } from '../settings/SettingsProvider'
import { type Message, nextTurn, offered, type Politeness, type Queue, silent } from './announcements'

type Said = { id: number; text: string; politeness: Politeness; at: number }
type Voice = { say: (message: Message) => void; said: readonly Said[] }

const VoiceContext = createContext<Voice>({ say: () => {}, said: [] })

const TURN_MS = 250
const KEPT_MS = 30_000
const KEPT_MAX = 10
const REMEMBERED_MAX = 50

export function Announcer({ children }: { children: ReactNode }) {
  const { say, said } = useVoice()
  const voice = useMemo(() => ({ say, said }), [say, said])
  return (
    <VoiceContext value={voice}>
      <LiveRegions said={said} />
      {children}
    </VoiceContext>
  )
}

export function useAnnounce(): Voice['say'] {
  return useContext(VoiceContext).say
}

/** What was said, newest first, for the list of messages. */
export function useSaid(): Voice['said'] {
  return useContext(VoiceContext).said
}

function LiveRegions({ said }: { said: readonly Said[] }) {
  const recent = said
    .slice(0, KEPT_MAX)
    .filter((message) => Date.now() - message.at < KEPT_MS)
    .toReversed()
  const of = (politeness: Politeness) =>
    recent
      .filter((message) => message.politeness === politeness)
      .map((message) => <p key={message.id}>{message.text}</p>)
  return (
    <div className="only-heard" data-live-announcer="true">
      <div role="log" aria-live="polite" aria-relevant="additions">
        {of('polite')}
      </div>
      <div role="alert" aria-live="assertive" aria-relevant="additions">
        {of('assertive')}
      </div>
    </div>
  )
}

function useVoice(): Voice {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const queue = useRef<Queue>(silent)
  const keyPressedAt = useRef(Number.NEGATIVE_INFINITY)
  const [said, setSaid] = useState<readonly Said[]>([])
  const id = useRef(0)
  const speech = useRef(settings.speech)
  useEffect(() => {
    speech.current = settings.speech
  })
  const situation = useCallback(
    () => ({
      now: Date.now(),
      keyPressedAt: keyPressedAt.current,
      dialogOpen: document.querySelector('[role="dialog"], [role="alertdialog"]') !== null,
      speech: speech.current,
    }),
    [],
  )
  const say = useCallback(
    (message: Message) => {
      queue.current = offered(queue.current, message, situation())
    },
    [situation],
  )
  useEffect(() => {
    const noted = () => {
      keyPressedAt.current = Date.now()
    }
    const turn = () => {
      const next = nextTurn(queue.current, situation())
      queue.current = next.queue
      if (!next.speak) return
      const words =
        'more' in next.speak
          ? { text: t('say.more', { count: next.speak.more }), politeness: 'polite' as const }
          : next.speak
      id.current += 1
      const message = { id: id.current, at: Date.now(), ...words }
      setSaid((before) => [message, ...before].slice(0, REMEMBERED_MAX))
    }
    window.addEventListener('keydown', noted, true)
    const timer = setInterval(turn, TURN_MS)
    return () => {
      window.removeEventListener('keydown', noted, true)
      clearInterval(timer)
    }
  }, [situation, t])
  return { say, said }
}
