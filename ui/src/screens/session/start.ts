// How the program began, asked once for the whole window. That it cannot even be asked is a problem like the others.

import { useQuery } from '@tanstack/react-query'
import type { Backend } from '../../api/backend'
import type { StartView } from '../../api/generated/wire'

const unasked: StartView = { start: 'problem', problem: { problem: 'failed' }, folder: '', contact: null }

export function useStart(backend: Backend) {
  return useQuery({ queryKey: ['start'], queryFn: () => backend.start().catch(() => unasked) })
}
