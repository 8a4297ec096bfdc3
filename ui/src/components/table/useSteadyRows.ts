// The rows of a list as they are shown, and the new ones that wait; see `steadyRows`.

import { useState } from 'react'
import { type Latest, type Steady, steady } from './steadyRows'

export function useSteadyRows<T>(latest: Latest<T>, keyOf: (row: T) => string) {
  const [held, setHeld] = useState(false)
  const [source, setSource] = useState<Latest<T>>(latest)
  const [shown, setShown] = useState<Steady<T>>(() => steady(null, latest, keyOf, false))
  if (source.rows !== latest.rows || source.request !== latest.request || source.pages !== latest.pages) {
    setSource(latest)
    setShown(steady(shown, latest, keyOf, held))
  }
  return { shown, setHeld, showNew: () => setShown(steady({ ...shown, fresh: 0 }, latest, keyOf, false)) }
}
