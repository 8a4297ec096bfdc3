// The items that wait for a person, in the order in which they are decided.

import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../frame/StandingContext'

const ROWS_MAX = 1_000

export function useUndecided() {
  const backend = useBackend()
  return useQuery({
    queryKey: ['items', 'decisions'],
    queryFn: () =>
      backend.items({ of: 'decisions', text: '', order: 'oldest_first', skip: 0, rows: ROWS_MAX }),
  })
}
