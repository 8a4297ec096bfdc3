// Makes one move, once.

import type { ProblemView, ReceiptView } from '../../api/generated/wire'
import { useHandingIn } from './useHandingIn'

export type Wish = { to: string; reason: string | null }

/** What became of it. `unknown`: nobody knows; the same wish can be told again. */
export type Moved =
  | { moved: 'saved'; to: string; receipt: ReceiptView }
  | { moved: 'refused'; code: string; problems: readonly ProblemView[] }
  | { moved: 'unknown'; code: string }

const UNKNOWN_CODE = 'HF-305'

export function useMove(applicationId: string) {
  const { handIn, pending } = useHandingIn('stage', applicationId)
  const move = async ({ to, reason }: Wish): Promise<Moved | null> => {
    const came = await handIn({ what: to, payload: reason === null ? { to } : { to, reason } })
    switch (came?.came) {
      case undefined:
        return null
      case 'saved':
        return { moved: 'saved', to, receipt: came.receipt }
      case 'refused':
        return { moved: 'refused', code: came.code, problems: came.problems }
      case 'unknown':
        return { moved: 'unknown', code: UNKNOWN_CODE }
    }
  }
  return { move, pending }
}
