// Drafts of the signed-in person that are not open here: how many, and on demand each with its address and age.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Disclosure, DisclosurePanel, Heading, Button as Opener } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { DraftRow } from '../../api/generated/wire'
import { AskDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { moment } from '../../format/format'
import { draftKey } from '../../forms/useFilling'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { Icon } from '../../look/Icon'
import { useReading } from '../../settings/SettingsProvider'
import { APPLICATION } from './NewApplication'
import './intake.css'

export function DraftList({ except }: { except: string }) {
  const { t } = useTranslation()
  const backend = useBackend()
  const [asked, setAsked] = useState<DraftRow | null>(null)
  const drafts = useQuery({ queryKey: ['drafts'], queryFn: () => backend.drafts() })
  const rows = (drafts.data ?? []).filter(
    ({ kind, application_id, operation_id }) =>
      kind === APPLICATION && application_id === null && operation_id !== except,
  )
  if (rows.length === 0) return null
  return (
    <Disclosure className="drafts">
      <Heading level={2} className="drafts-head">
        <Opener slot="trigger" className="drafts-opener">
          <Icon name="edit" />
          {t('intake.drafts', { count: rows.length })}
          <Icon name="expand_more" />
        </Opener>
      </Heading>
      <DisclosurePanel>
        <ul className="drafts-list">
          {rows.map((row) => (
            <Row key={row.operation_id} row={row} onDiscard={() => setAsked(row)} />
          ))}
        </ul>
      </DisclosurePanel>
      {asked && <AskDiscard row={asked} onDone={() => setAsked(null)} />}
    </Disclosure>
  )
}

function Row({ row, onDiscard }: { row: DraftRow; onDiscard: () => void }) {
  const { t } = useTranslation()
  const { about, at } = useDraftWords(row)
  return (
    <li className="drafts-row">
      <bdi className="drafts-about">{t('intake.draft_row', { about, at })}</bdi>
      <Button onPress={() => go(`draft/${row.operation_id}`)} label={t('intake.open_of', { about })}>
        {t('intake.open')}
      </Button>
      <Button kind="quiet" onPress={onDiscard} label={t('intake.discard_of', { about })}>
        {t('intake.discard')}
      </Button>
    </li>
  )
}

function AskDiscard({ row, onDone }: { row: DraftRow; onDone: () => void }) {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const words = useDraftWords(row)
  const discard = async () => {
    onDone()
    await backend.discardDraft(row.operation_id).catch(() => {})
    client.removeQueries({ queryKey: draftKey(row.operation_id) })
    await client.invalidateQueries({ queryKey: ['drafts'] })
  }
  return (
    <AskDialog
      open
      question={t('intake.ask_discard')}
      act={t('intake.discard')}
      stay={t('intake.keep')}
      onAct={() => void discard()}
      onStay={onDone}
    >
      <p>{t('intake.ask_discard_text', words)}</p>
    </AskDialog>
  )
}

function useDraftWords({ about, saved_at }: DraftRow) {
  const { t } = useTranslation()
  const reading = useReading(useStanding().now)
  return { about: about ?? t('intake.draft_without_address'), at: moment(reading, saved_at) }
}
