// Records on this computer that could be meant by an address while it is typed, and those that have it exactly.

import { useQuery } from '@tanstack/react-query'
import type { RecordRow } from '../api/generated/wire'
import { useBackend } from '../frame/StandingContext'
import { useSettled } from './useSettled'

const ROWS_MAX = 7
const TYPED_CHARACTERS_MIN = 3
const TYPED_CHARACTERS_MAX = 250
const TYPING_STOPPED_MS = 250

export function useKnownRecords(typed: string): readonly RecordRow[] {
  const backend = useBackend()
  const text = useSettled(typed.trim(), TYPING_STOPPED_MS)
  const findable = text.length >= TYPED_CHARACTERS_MIN && text.length <= TYPED_CHARACTERS_MAX
  const found = useQuery({
    queryKey: ['find', 'address', text],
    queryFn: () => backend.find({ text, skip: 0, rows: ROWS_MAX }),
    enabled: findable,
  })
  return findable ? (found.data?.rows ?? []).filter(({ address }) => address !== null) : []
}

/** Those at the address as typed, however it is written in capitals and spaces. */
export function atAddress(rows: readonly RecordRow[], typed: string): readonly RecordRow[] {
  return rows.filter(({ address }) => address !== null && plain(address) === plain(typed))
}

function plain(words: string): string {
  return words.toLowerCase().replace(/\s+/g, ' ').trim()
}
