// Whether what was typed is on the disk: beside the heading, and spoken only when it is not.

import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/Button'
import { moment } from '../../format/format'
import type { Kept } from '../../forms/keeping'
import { useAnnounce } from '../../frame/Announcer'
import { useStanding } from '../../frame/StandingContext'
import { Icon } from '../../look/Icon'
import { useReading } from '../../settings/SettingsProvider'

/** With the one way to be rid of it: apart from the bar of actions, where a hand in a hurry goes. */
export function DraftStanding({ kept, onDiscard }: { kept: Kept; onDiscard: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="draft-standing">
      <Told kept={kept} />
      <Button kind="quiet" onPress={onDiscard}>
        {t('intake.discard')}
      </Button>
    </div>
  )
}

function Told({ kept }: { kept: Kept }) {
  const { t } = useTranslation()
  const reading = useReading(useStanding().now)
  const at = kept.at && moment(reading, kept.at)
  switch (kept.is) {
    case 'kept':
    case 'changing':
      return at && <span>{t('intake.draft_saved', { at })}</span>
    case 'not_kept':
      return (
        <span className="draft-not-saved" data-tone="stop" data-shape="bar">
          <Icon name="warning" />
          {at ? t('intake.draft_not_saved', { at }) : t('intake.draft_never_saved')}
        </span>
      )
  }
}

const SAY_AGAIN_MS = 60_000

/** At once, and every minute while it lasts. */
export function useNotSavedSaid(kept: Kept) {
  const { t } = useTranslation()
  const announce = useAnnounce()
  const said = useRef(0)
  const lasts = kept.is === 'not_kept'
  useEffect(() => {
    if (!lasts) return
    const say = () => {
      said.current += 1
      announce({
        key: `draft not saved ${said.current}`,
        text: t('intake.say_not_saved'),
        politeness: 'assertive',
      })
    }
    say()
    const timer = setInterval(say, SAY_AGAIN_MS)
    return () => clearInterval(timer)
  }, [lasts, announce, t])
}
