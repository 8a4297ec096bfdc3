// Closing the window while something waits: it is said that sending goes on, and one can stay. Opened by the person's
// own act of closing, never by itself; Stay has the focus.

import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backend } from '../api/backend'
import { AskDialog } from '../components/AskDialog'
import { count } from '../format/format'
import { useReading } from '../settings/SettingsProvider'
import { useStanding } from './StandingContext'

export function Closing({ backend }: { backend: Backend }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const [waiting, setWaiting] = useState<number | null>(null)
  useEffect(
    () =>
      backend.events(({ told }) => {
        if (told.told === 'closing') setWaiting(told.waiting)
      }),
    [backend],
  )
  return (
    <AskDialog
      open={waiting !== null}
      question={t('closing.question')}
      act={t('closing.close')}
      stay={t('closing.stay')}
      onAct={() => void backend.closeWindow()}
      onStay={() => setWaiting(null)}
    >
      <p>{t('closing.waits', { count: waiting ?? 0, n: count(reading, waiting ?? 0) })}</p>
    </AskDialog>
  )
}
