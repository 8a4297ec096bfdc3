// Hands in one operation about an application, once. It has its number before it is handed in, so pressing twice, or
// again after an answer was lost, is the same operation; only a clear refusal gives the number up.

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Refusal } from '../../api/backend'
import type { ProblemView, ReceiptView } from '../../api/generated/wire'
import { useBackend } from '../../frame/StandingContext'

/** `what` tells apart what can be handed in from one place: each has a number of its own. */
export type Wish = { what: string; payload: Record<string, unknown> }

/** What became of it. `unknown`: nobody knows; the same wish can be told again. */
export type Came =
  | { came: 'saved'; receipt: ReceiptView }
  | { came: 'refused'; code: string; problems: readonly ProblemView[] }
  | { came: 'unknown' }

export function useHandingIn(kind: string, applicationId: string) {
  const backend = useBackend()
  const operations = useRef(new Map<string, string>())
  const busy = useRef(false)
  const operationFor = async (what: string) => {
    const known = operations.current.get(what)
    if (known) return known
    const { operation_id } = await backend.openDraft({ kind, application_id: applicationId })
    operations.current.set(what, operation_id)
    return operation_id
  }
  const giveUp = async (what: string) => {
    const operation = operations.current.get(what)
    operations.current.delete(what)
    if (operation) await backend.discardDraft(operation).catch(() => undefined)
  }
  const mutation = useMutation({
    mutationFn: async ({ what, payload }: Wish): Promise<Came> => {
      try {
        const operation_id = await operationFor(what)
        const receipt = await backend.submit({ kind, operation_id, application_id: applicationId, payload })
        operations.current.delete(what)
        return { came: 'saved', receipt }
      } catch (error) {
        if (!(error instanceof Refusal)) return { came: 'unknown' }
        if (error.code === 'refused' || error.code === 'not_permitted') await giveUp(what)
        return { came: 'refused', code: error.code, problems: error.problems }
      }
    },
  })
  const handIn = async (wish: Wish): Promise<Came | null> => {
    if (busy.current) return null
    busy.current = true
    try {
      return await mutation.mutateAsync(wish)
    } finally {
      busy.current = false
    }
  }
  return { handIn, pending: mutation.isPending ? mutation.variables.what : null }
}
