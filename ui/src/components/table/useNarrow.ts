// Whether the window is so narrow that a row has to become an entry: the same width at which the frame folds.

import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 50rem)'

export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => window.matchMedia(NARROW).matches)
}

function listen(changed: () => void) {
  const narrow = window.matchMedia(NARROW)
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}
