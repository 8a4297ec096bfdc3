// Throwing a draft away: the one thing about it that cannot be brought back, so it is asked for.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DraftView } from '../../api/generated/wire'
import { AskDialog } from '../../components/AskDialog'
import { moment } from '../../format/format'
import { draftKey } from '../../forms/useFilling'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'

type Of = {
  draft: DraftView
  /** What it is about, as a person calls it. */
  about: string
  /** When the station last had it; none before the first time. */
  at: string | null
  end: () => void
  /** Where the page goes afterwards. */
  after: string
}

export function useDiscard({ draft, about, at, end, after }: Of) {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const reading = useReading(useStanding().now)
  const [open, setOpen] = useState(false)
  const [failed, setFailed] = useState(false)
  const discard = async () => {
    setOpen(false)
    try {
      await backend.discardDraft(draft.operation_id)
    } catch {
      return setFailed(true)
    }
    end()
    client.removeQueries({ queryKey: draftKey(draft.operation_id) })
    void client.invalidateQueries({ queryKey: ['drafts'] })
    go(after)
  }
  const called = about.trim() || t('intake.draft_without_address')
  const dialog = (
    <AskDialog
      open={open}
      question={t('intake.ask_discard')}
      act={t('intake.discard')}
      stay={t('intake.keep')}
      onAct={() => void discard()}
      onStay={() => setOpen(false)}
    >
      <p>
        {at
          ? t('intake.ask_discard_text', { about: called, at: moment(reading, at) })
          : t('intake.ask_discard_blank')}
      </p>
    </AskDialog>
  )
  return { ask: () => setOpen(true), failed, dialog }
}
