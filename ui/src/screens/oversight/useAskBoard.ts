// Asking the board, when the screen opens and when somebody wants to know: what it says takes the place of what was known.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BoardSaid } from '../../api/generated/wire'
import { useBackend } from '../../frame/StandingContext'

export function useAskBoard(): { said: BoardSaid | null; asking: boolean; ask: () => void } {
  const backend = useBackend()
  const client = useQueryClient()
  const { mutate, data, isIdle, isPending } = useMutation({
    mutationFn: () => backend.askBoard(),
    onSuccess: (view) => {
      client.setQueryData(['stations'], view)
      void client.invalidateQueries({ queryKey: ['stations'] })
    },
  })
  useEffect(() => mutate(), [mutate])
  return { said: data?.board ?? null, asking: isIdle || isPending, ask: () => mutate() }
}
