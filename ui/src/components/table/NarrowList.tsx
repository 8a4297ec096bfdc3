// The same list where there is no room for columns: each row an entry with its labels, opened and walked by the same keys.

import { GridList, GridListItem, ListLayout, Virtualizer } from 'react-aria-components'
import { LONG_FROM_ROWS } from './columns'
import { usualRowPx } from './rowSize'
import { type BodyProps, Shown } from './WideTable'

export function NarrowList<T extends object>(props: BodyProps<T>) {
  if (props.rows.length < LONG_FROM_ROWS) return <Entries {...props} />
  const estimatedRowHeight = usualRowPx() * props.columns.length
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight }}>
      <Entries {...props} long />
    </Virtualizer>
  )
}

function Entries<T extends object>({
  columns,
  rows,
  keyOf,
  label,
  onOpen,
  long,
}: BodyProps<T> & { long?: boolean }) {
  return (
    <GridList
      className={long ? 'entries entries-long' : 'entries'}
      aria-label={label}
      items={rows}
      dependencies={[columns.map((column) => column.id).join()]}
      selectionMode="none"
      escapeKeyBehavior="none"
      onAction={onOpen && ((key) => onOpen(String(key)))}
    >
      {(row) => (
        <GridListItem id={keyOf(row)} className="entry" textValue={keyOf(row)}>
          {columns.map((column) => (
            <span key={column.id} className="entry-line">
              <span className="entry-label">{column.head}</span>
              <span className="cell-value">
                <Shown of={column.id} row={row} />
              </span>
            </span>
          ))}
        </GridListItem>
      )}
    </GridList>
  )
}
