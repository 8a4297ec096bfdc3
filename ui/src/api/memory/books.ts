// The books of a station in memory: counted from its items, so that they balance.

import type { BooksView, ItemView } from '../generated/wire'

export function booksOf(items: readonly ItemView[]): BooksView {
  const of = (wanted: string) => items.filter((item) => item.state === wanted).length
  return {
    accepted: items.length,
    pending: of('pending'),
    in_flight: of('in_flight'),
    committed: of('committed'),
    quarantined: of('quarantined'),
    voided: of('voided'),
  }
}
