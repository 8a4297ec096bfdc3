// Makes one move, once. The operation has its number before it is handed in, so pressing twice, or again after an answer
// was lost, is the same operation; only a clear refusal gives the number up.

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Refusal } from '../../api/backend'
import type { ProblemView, ReceiptView } from '../../api/generated/wire'
import { useBackend } from '../../frame/StandingContext'

export type Wish = { to: string; reason: string | null }

/** What became of it. `unknown`: nobody knows; the same wish can be told again. */
export type Moved =
  | { moved: 'saved'; to: string; receipt: ReceiptView }
  | { moved: 'refused'; code: string; problems: readonly ProblemView[] }
  | { moved: 'unknown'; code: string }

const UNKNOWN_CODE = 'HF-305'

export function useMove(applicationId: string) {
  const backend = useBackend()
  const operations = useRef(new Map<string, string>())
  const busy = useRef(false)
  const operationFor = async (to: string) => {
    const known = operations.current.get(to)
    if (known) return known
    const { operation_id } = await backend.openDraft({ kind: 'stage', application_id: applicationId })
    operations.current.set(to, operation_id)
    return operation_id
  }
  const giveUp = async (to: string) => {
    const operation = operations.current.get(to)
    operations.current.delete(to)
    if (operation) await backend.discardDraft(operation).catch(() => undefined)
  }
  const mutation = useMutation({
    mutationFn: async ({ to, reason }: Wish): Promise<Moved> => {
      try {
        const payload = reason === null ? { to } : { to, reason }
        const operation_id = await operationFor(to)
        const wish = { kind: 'stage', operation_id, application_id: applicationId, payload }
        const receipt = await backend.submit(wish)
        operations.current.delete(to)
        return { moved: 'saved', to, receipt }
      } catch (error) {
        if (!(error instanceof Refusal)) return { moved: 'unknown', code: UNKNOWN_CODE }
        if (error.code === 'refused' || error.code === 'not_permitted') await giveUp(to)
        return { moved: 'refused', code: error.code, problems: error.problems }
      }
    },
  })
  const move = async (wish: Wish): Promise<Moved | null> => {
    if (busy.current) return null
    busy.current = true
    try {
      return await mutation.mutateAsync(wish)
    } finally {
      busy.current = false
    }
  }
  return { move, pending: mutation.isPending ? mutation.variables.to : null }
}
