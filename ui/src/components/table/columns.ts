// What a list is made of, and the context through which a cell finds its column. A cell asks for it when it is drawn,
// so that of five thousand rows only the visible ones are worked out, and a clock that ticks redraws those alone.

import { createContext, type ReactNode } from 'react'

export type ColumnOf<T> = {
  id: string
  head: string
  cell: (row: T) => ReactNode
  numeric?: boolean
  sortable?: boolean
  isRowHeader?: boolean
  /** How much of the width it takes beside the others in a long list; 1 if not said. */
  share?: number
}

/** Something that can be done with one row; also in the detail, never only here. */
export type RowAction = { id: string; word: string; act: () => void }

// biome-ignore lint/suspicious/noExplicitAny: one context for lists of every kind of row; `DataTable` gives both ends
export type AnyColumn = ColumnOf<any>

export const ColumnsContext = createContext<ReadonlyMap<string, AnyColumn>>(new Map())

/** From here on a list is long: only the rows that can be seen exist in the page. */
export const LONG_FROM_ROWS = 100
