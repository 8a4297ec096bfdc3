// Of when the copy is, and fetching it anew. The age stands above what is made from the copy, on every screen of it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import { Button } from '../../components/Button'
import { NoticeLine } from '../../components/states'
import { moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useAge } from '../../frame/useAge'
import { useLost } from '../../frame/useLost'
import { useReading } from '../../settings/SettingsProvider'
import './field.css'

/** "Copy from 7:12 AM (3 h)". */
export function useCopyWords(): (copiedAt: string | null) => string {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const age = useAge()
  return (copiedAt) =>
    copiedAt === null
      ? t('field.no_copy')
      : t('field.copy_from', { at: moment(reading, copiedAt), age: age(copiedAt) })
}

export function Copy({ copiedAt }: { copiedAt: string | null }) {
  const { t } = useTranslation()
  const words = useCopyWords()
  const { refresh, fetched, refused, pending } = useRefresh()
  return (
    <>
      <div className="copy-line">
        <p>{words(copiedAt)}</p>
        <Button
          keyId="fetch_again"
          icon="update"
          pending={pending}
          pendingWord={t('field.fetching')}
          onPress={refresh}
        >
          {t('field.refresh')}
        </Button>
      </div>
      {fetched && <NoticeLine>{fetched}</NoticeLine>}
      {refused && <NoticeLine tone="attention">{refused}</NoticeLine>}
    </>
  )
}

function useRefresh() {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const lost = useLost()
  const { house, now } = useStanding()
  const reading = useReading(now)
  const fetch = useMutation({
    mutationFn: () => backend.refreshCopies(),
    onSuccess: () =>
      Promise.all(['inspections', 'inspection'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const code = fetch.error instanceof Refusal ? fetch.error.code : 'other'
  const why = code === 'not_answering' || code === 'impostor' || code === 'not_signed_in' ? code : 'other'
  return {
    refresh: () => fetch.mutate(),
    pending: fetch.isPending,
    fetched: fetch.data
      ? t('field.fetched', { at: moment(reading, fetch.data.copied_at), count: fetch.data.inspections })
      : null,
    refused: fetch.error ? (lost ?? t(`field.not_fetched.${why}`, { contact: house.contact, code })) : null,
  }
}
