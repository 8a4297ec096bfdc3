// A draft at its address: read, or told to be gone. One that was accepted meanwhile is shown as its receipt.

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import { Empty, ErrorState, Loading } from '../../components/states'
import { draftKey } from '../../forms/useFilling'
import { go, replace } from '../../frame/routes'
import { useBackend } from '../../frame/StandingContext'
import type { Parts } from '../screens'
import { alreadyAccepted } from './addresses'
import { Intake } from './Intake'

const SKELETON_ROWS = 8

export function DraftScreen({ parts }: Parts) {
  const { t } = useTranslation()
  const backend = useBackend()
  const id = parts[0] ?? ''
  // What this window typed is newer than what it last saved: it is read once.
  const draft = useQuery({
    queryKey: draftKey(id),
    queryFn: () => backend.draft(id),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  })
  const kind = draft.data?.kind
  const form = useQuery({
    queryKey: ['form', kind],
    queryFn: () => backend.form(kind ?? ''),
    enabled: kind !== undefined,
  })
  if (draft.error instanceof Refusal && draft.error.code === 'not_found') return <Gone id={id} />
  if (draft.isError || form.isError)
    return (
      <ErrorState
        what={t('intake.read_failed')}
        safe={t('intake.failed_safe')}
        code="HF-311"
        onAgain={() => void (draft.isError ? draft.refetch() : form.refetch())}
      />
    )
  if (!draft.data || !form.data) return <Loading rows={SKELETON_ROWS} label={t('intake.reading')} />
  return <Intake key={id} draft={draft.data} form={form.data} />
}

/** Accepted, it has a receipt; else it was discarded, or is another person's. */
function Gone({ id }: { id: string }) {
  const { t } = useTranslation()
  const backend = useBackend()
  const item = useQuery({ queryKey: ['item', id], queryFn: () => backend.item(id) })
  useEffect(() => {
    if (item.data) replace(alreadyAccepted(id))
  }, [item.data, id])
  if (!item.isError) return <Loading rows={SKELETON_ROWS} label={t('intake.reading')} />
  return <Empty action={{ word: t('intake.new'), act: () => go('counter/new') }}>{t('intake.gone')}</Empty>
}
