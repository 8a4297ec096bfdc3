// Rows and columns. A short list is an ordinary table whose columns fit their contents; a long one keeps only the rows in
// the page that can be seen, each as high as the look says (measuring what scrolls by costs more than drawing it), and
// shares the width out as the columns ask.

import { type ReactNode, useContext } from 'react'
import {
  Cell,
  Column,
  Row,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  Virtualizer,
} from 'react-aria-components'
import { Icon } from '../../look/Icon'
import { type AnyColumn, ColumnsContext, LONG_FROM_ROWS } from './columns'
import { usualRowPx } from './rowSize'

export type BodyProps<T> = {
  label: string
  columns: readonly AnyColumn[]
  rows: readonly T[]
  keyOf: (row: T) => string
  onOpen?: (key: string) => void
  sort?: SortDescriptor
  onSort?: (sort: SortDescriptor) => void
}

export function WideTable<T extends object>(props: BodyProps<T>) {
  if (props.rows.length < LONG_FROM_ROWS) return <Rows {...props} />
  return (
    <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight: usualRowPx() }}>
      <Rows {...props} long />
    </Virtualizer>
  )
}

function Rows<T extends object>({
  columns,
  rows,
  keyOf,
  sort,
  long,
  ...props
}: BodyProps<T> & { long?: boolean }) {
  const ids = columns.map((column) => column.id)
  return (
    <Table
      className={long ? 'table table-long' : 'table'}
      aria-label={props.label}
      selectionMode="none"
      escapeKeyBehavior="none"
      sortDescriptor={sort}
      onSortChange={props.onSort}
      onRowAction={props.onOpen && ((key) => props.onOpen?.(String(key)))}
    >
      <TableHeader>
        {columns.map((column) => (
          <Column
            key={column.id}
            id={column.id}
            className={column.numeric ? 'head number' : 'head'}
            isRowHeader={column.isRowHeader}
            allowsSorting={column.sortable}
            width={`${column.share ?? 1}fr`}
          >
            <span className="head-text">
              {column.head}
              {column.sortable && <Icon name={sortIcon(sort, column.id)} />}
            </span>
          </Column>
        ))}
      </TableHeader>
      <TableBody items={rows} dependencies={[ids.join()]}>
        {(row) => (
          <Row id={keyOf(row)} className="row">
            {columns.map((column) => (
              <Cell key={column.id} className={column.numeric ? 'cell number' : 'cell'}>
                <span className="cell-value">
                  <Shown of={column.id} row={row} />
                </span>
              </Cell>
            ))}
          </Row>
        )}
      </TableBody>
    </Table>
  )
}

/** What a column says of a row, worked out where it is drawn. */
export function Shown({ of, row }: { of: string; row: object }): ReactNode {
  return useContext(ColumnsContext).get(of)?.cell(row)
}

function sortIcon(sort: SortDescriptor | undefined, column: string) {
  if (sort?.column !== column) return 'sort_arrow'
  return sort.direction === 'ascending' ? 'arrow_upward' : 'arrow_downward'
}
