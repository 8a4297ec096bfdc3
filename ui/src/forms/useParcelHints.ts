// What this computer's copy of the city's GIS says about parcel numbers while they are typed: address, zoning, what lies
// over it, and how old that is. It is never a problem: whether a parcel exists the city says. Asks once typing stops.

import { useQuery } from '@tanstack/react-query'
import type { ParcelView } from '../api/generated/wire'
import { useBackend } from '../frame/StandingContext'
import { useParcelWords } from './parcelWords'
import { useSettled } from './useSettled'

const TYPING_STOPPED_MS = 250

/** One for each number; null where there is nothing to say. */
export function useParcelHints(numbers: readonly string[]): readonly (string | null)[] {
  const backend = useBackend()
  const words = useParcelWords()
  const typed = useSettled(numbers.map((number) => number.trim()).join('\n'), TYPING_STOPPED_MS)
  const pins = typed.split('\n').filter((pin) => pin !== '')
  const found = useQuery({
    queryKey: ['parcels', pins],
    queryFn: () => backend.parcels({ pins }),
    enabled: pins.length > 0,
  })
  const parcels = new Map(
    (found.data?.parcels ?? []).map((parcel): [string, ParcelView] => [parcel.pin, parcel]),
  )
  return numbers.map((number) => {
    const parcel = parcels.get(number.trim())
    return parcel ? words(parcel) : null
  })
}
