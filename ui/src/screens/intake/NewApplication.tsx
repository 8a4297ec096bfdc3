// A new application begins: the station opens a draft and mints its id, and the address becomes the draft's, so that
// back and forward lead to what was typed. For the same applicant, the people of an earlier one are filled in; from Find,
// the address that was looked for.

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Backend, Refusal } from '../../api/backend'
import type { DraftView } from '../../api/generated/wire'
import { ErrorState, Loading } from '../../components/states'
import { type Payload, valuesOf } from '../../forms/payload'
import { draftKey } from '../../forms/useFilling'
import { fieldsOf, type Values } from '../../forms/values'
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
  const { query } = useRoute()
  const like = query.get('like')
  const address = query.get('address')
  const [attempt, setAttempt] = useState(1)
  const [refused, setRefused] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens once more
  useEffect(() => {
    let wanted = true
    opened(backend, client, { like, address })
      .then((draft) => {
        // Nobody waits for it any more: untouched, it is the next new one's. To throw it away now could take it from there.
        if (!wanted) return
        client.setQueryData(draftKey(draft.operation_id), draft)
        replace(`draft/${draft.operation_id}`)
      })
      .catch((error) => wanted && setRefused(error instanceof Refusal ? error.code : 'unknown'))
    return () => {
      wanted = false
    }
  }, [backend, client, like, address, attempt])
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

/** The applicant of an earlier application, the address that Find did not know. */
type Begun = { like: string | null; address: string | null }

async function opened(backend: Backend, client: QueryClient, begun: Begun): Promise<DraftView> {
  const draft = await backend.openDraft({ kind: APPLICATION, application_id: null })
  const values = await begunWith(backend, client, begun).catch(() => ({}))
  if (Object.keys(values).length === 0) return draft
  const { saved_at } = await backend.keepDraft({ operation_id: draft.operation_id, values })
  return { ...draft, saved_at, values }
}

async function begunWith(backend: Backend, client: QueryClient, { like, address }: Begun): Promise<Values> {
  if (like !== null) return peopleOf(backend, client, like)
  if (address === null) return {}
  const form = await backend.form(APPLICATION)
  const place = fieldsOf(form).find(({ control }) => control.control === 'address')
  return place ? { [place.name]: address } : {}
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
