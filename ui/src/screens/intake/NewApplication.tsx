// A new application begins: the station opens a draft and mints its id, and the address becomes the draft's, so that
// back and forward lead to what was typed. For the same applicant, the people of an earlier one are filled in.

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Backend, Refusal } from '../../api/backend'
import type { DraftView } from '../../api/generated/wire'
import { ErrorState, Loading } from '../../components/states'
import { type Payload, valuesOf } from '../../forms/payload'
import { draftKey } from '../../forms/useFilling'
import type { Values } from '../../forms/values'
import { replace, useRoute } from '../../frame/routes'
import { useBackend } from '../../frame/StandingContext'

export const APPLICATION = 'application'
/** The groups of a form that say who: what is the same when the applicant is. */
const PEOPLE = ['people']
const SKELETON_ROWS = 8

export function NewApplication() {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const like = useRoute().query.get('like')
  const [attempt, setAttempt] = useState(1)
  const [refused, setRefused] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens once more
  useEffect(() => {
    let wanted = true
    opened(backend, client, like)
      .then((draft) => {
        // Nobody waits for it any more: it is not left behind.
        if (!wanted) return void backend.discardDraft(draft.operation_id).catch(() => {})
        client.setQueryData(draftKey(draft.operation_id), draft)
        replace(`draft/${draft.operation_id}`)
      })
      .catch((error) => wanted && setRefused(error instanceof Refusal ? error.code : 'unknown'))
    return () => {
      wanted = false
    }
  }, [backend, client, like, attempt])
  const again = () => {
    setRefused(null)
    setAttempt(attempt + 1)
  }
  if (refused === null) return <Loading rows={SKELETON_ROWS} label={t('intake.opening')} />
  return (
    <ErrorState
      what={t('intake.open_failed')}
      safe={t('intake.failed_safe')}
      code={`HF-310 ${refused}`}
      onAgain={again}
    />
  )
}

async function opened(backend: Backend, client: QueryClient, like: string | null): Promise<DraftView> {
  const draft = await backend.openDraft({ kind: APPLICATION, application_id: null })
  if (like === null) return draft
  const values = await peopleOf(backend, client, like).catch(() => ({}))
  if (Object.keys(values).length === 0) return draft
  const { saved_at } = await backend.keepDraft({ operation_id: draft.operation_id, values })
  return { ...draft, saved_at, values }
}

/** From a draft as it was typed in this window or kept by the station, else from what was accepted under this id. */
async function peopleOf(backend: Backend, client: QueryClient, operationId: string): Promise<Values> {
  const form = await backend.form(APPLICATION)
  const here = client.getQueryData<DraftView>(draftKey(operationId))
  const typed = here ?? (await backend.draft(operationId).catch(() => null))
  if (typed)
    return only(
      form.groups.filter(({ id }) => PEOPLE.includes(id)).flatMap(({ fields }) => fields),
      typed.values,
    )
  const { payload } = await backend.item(operationId)
  return valuesOf(form, payload as Payload, PEOPLE)
}

function only(fields: readonly { name: string }[], values: Values): Values {
  return Object.fromEntries(
    fields.filter(({ name }) => name in values).map(({ name }) => [name, values[name]]),
  )
}
