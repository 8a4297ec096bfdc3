// The last decision, said under the heading of whatever comes after it until the next act.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Decided } from '../../api/generated/wire'
import { NoticeLine } from '../../components/states'

const KEY = ['last-decision']

export function useDecided() {
  const client = useQueryClient()
  const last = useQuery<Decided | null>({
    queryKey: KEY,
    queryFn: () => null,
    enabled: false,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  return {
    last,
    tell: (decided: Decided) => client.setQueryData(KEY, decided),
    putAway: () => client.setQueryData(KEY, null),
  }
}

function cameTo(state: string): 'voided' | 'recorded' | 'sent_again' {
  if (state === 'voided') return 'voided'
  return state === 'committed' ? 'recorded' : 'sent_again'
}

export function DecidedLine() {
  const { t } = useTranslation()
  const { last } = useDecided()
  if (!last) return null
  const { receipt_no: number, state, going_on, set_aside } = last
  const sentences = [
    t(`decide.${cameTo(state)}`, { number }),
    going_on > 0 ? t('decide.going_on', { count: going_on }) : '',
    set_aside > 0 ? t('decide.set_aside', { count: set_aside }) : '',
  ]
  return <NoticeLine>{sentences.filter(Boolean).join(' ')}</NoticeLine>
}
