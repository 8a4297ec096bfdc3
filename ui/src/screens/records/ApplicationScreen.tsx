// One application: where it stands, what can be done next, its facts, and what happened to it. What is possible is the
// station's to say; what is not possible says why.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import { Empty, ErrorState, Loading } from '../../components/states'
import { go } from '../../frame/routes'
import { useBackend } from '../../frame/StandingContext'
import { useKey } from '../../keys/Keys'
import type { Parts } from '../screens'
import { ApplicationParts } from './ApplicationParts'
import { ChangedThere } from './ChangedThere'
import { Head } from './Head'
import { LooksLike } from './LooksLike'
import { Moves } from './Moves'
import './records.css'

const SKELETON_ROWS = 10

export function ApplicationScreen({ parts: [id = '', part = 'facts'] }: Parts) {
  const { t } = useTranslation()
  const backend = useBackend()
  const record = useQuery({ queryKey: ['record', id], queryFn: () => backend.record(id) })
  const again = () => void record.refetch()
  useKey('fetch_again', again)
  if (record.data)
    return (
      <>
        <Head record={record.data} />
        <ChangedThere at={record.data.changed_there_at} />
        <LooksLike likes={record.data.looks_like} applicationId={id} />
        <Moves key={id} record={record.data} />
        <ApplicationParts record={record.data} part={part} />
      </>
    )
  if (!record.isError) return <Loading rows={SKELETON_ROWS} label={t('application.loading')} />
  if (record.error instanceof Refusal && record.error.code === 'not_found')
    return (
      <Empty action={{ word: t('application.to_find'), act: () => go('find') }}>
        {t('application.missing')}
      </Empty>
    )
  return (
    <ErrorState
      what={t('application.failed')}
      safe={t('waiting.failed_safe')}
      code="HF-304"
      onAgain={again}
    />
  )
}
