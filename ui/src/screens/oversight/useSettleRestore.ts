// A decision about what the permit system lacks, and what the station says to it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { RestoreDecision } from '../../api/generated/wire'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useLost } from '../../frame/useLost'

type Wish = { decision: RestoreDecision; reason: string }

export function useSettleRestore() {
  const { t } = useTranslation()
  const backend = useBackend()
  const client = useQueryClient()
  const lost = useLost()
  const act = useMutation({
    mutationFn: (wish: Wish) => backend.settleRestore(wish),
    onSettled: () => client.invalidateQueries({ queryKey: ['restore'] }),
  })
  const problems = act.error instanceof Refusal ? act.error.problems : []
  const reasonMissing = problems.some(({ pointer }) => pointer.endsWith('/reason'))
  const refused = useRefusal(reasonMissing ? null : act.error)
  return {
    problem: reasonMissing ? t('decide.reason_problem') : null,
    refused: act.isError && lost ? lost : refused,
    pending: act.isPending,
    settle: (decision: RestoreDecision, reason: string) => act.mutate({ decision, reason }),
  }
}

function useRefusal(error: Error | null): string | null {
  const { t } = useTranslation()
  const { house } = useStanding()
  if (!error) return null
  const code = error instanceof Refusal ? error.code : 'other'
  switch (code) {
    case 'not_permitted':
    case 'not_signed_in':
    case 'busy':
      return t(`decide.refused.${code}`, { contact: house.contact })
    case 'refused':
      return t('missing.meanwhile')
    default:
      return t('decide.refused.other', { contact: house.contact, code: `HF-505 ${code}` })
  }
}
