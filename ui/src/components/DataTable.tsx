// A list that is read and opened, never edited: rows by key, no controls in cells (focus gets lost in them). Order and
// filter are the station's; this shows which ones are asked for. Narrow, each row becomes an entry with its labels.

import { type ReactNode, useRef } from 'react'
import {
  Cell,
  Column,
  Input,
  Label,
  Row,
  SearchField,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
} from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { count } from '../format/format'
import { KeyHint } from '../keys/KeyHint'
import { useKey } from '../keys/Keys'
import { Icon } from '../look/Icon'
import { useSettings } from '../settings/SettingsProvider'
import './table.css'

export type ColumnOf<T> = {
  id: string
  head: string
  cell: (row: T) => ReactNode
  numeric?: boolean
  sortable?: boolean
  isRowHeader?: boolean
}

type Props<T> = {
  label: string
  columns: readonly ColumnOf<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Of how many; the rows may be a part. */
  total: number
  onOpen?: (key: string) => void
  filter?: { value: string; onChange: (value: string) => void }
  sort?: SortDescriptor
  onSort?: (sort: SortDescriptor) => void
  empty: ReactNode
}

export function DataTable<T extends object>(props: Props<T>) {
  const { columns, rows, keyOf, sort } = props
  return (
    <div className="list">
      {(props.total > 0 || props.filter) && (
        <FilterLine shown={rows.length} total={props.total} filter={props.filter} />
      )}
      {rows.length === 0 ? (
        props.empty
      ) : (
        <Table
          className="table"
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
              >
                <span className="head-text">
                  {column.head}
                  {column.sortable && <Icon name={sortIcon(sort, column.id)} />}
                </span>
              </Column>
            ))}
          </TableHeader>
          <TableBody>
            {rows.map((row) => (
              <Row key={keyOf(row)} id={keyOf(row)} className="row">
                {columns.map((column) => (
                  <Cell key={column.id} className={column.numeric ? 'cell number' : 'cell'}>
                    <span className="cell-label" aria-hidden="true">
                      {column.head}
                    </span>
                    <span className="cell-value">{column.cell(row)}</span>
                  </Cell>
                ))}
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  )
}

function sortIcon(sort: SortDescriptor | undefined, column: string) {
  if (sort?.column !== column) return 'sort_arrow'
  return sort.direction === 'ascending' ? 'arrow_upward' : 'arrow_downward'
}

function FilterLine({ shown, total, filter }: Pick<Props<object>, 'total' | 'filter'> & { shown: number }) {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const reading = { locale: settings.language, clock: settings.clock, now: new Date(0) }
  const input = useRef<HTMLInputElement>(null)
  useKey('filter', filter ? () => input.current?.focus() : null)
  const figures = { shown: count(reading, shown), total: count(reading, total) }
  return (
    <div className="list-line">
      {filter && (
        <SearchField className="filter" value={filter.value} onChange={filter.onChange}>
          <Label className="field-label">
            {t('list.filter')} <KeyHint of="filter" />
          </Label>
          <Input ref={input} className="control width-lg" dir="auto" />
        </SearchField>
      )}
      <p className="list-count">{t(shown === total ? 'list.all' : 'list.some', figures)}</p>
    </div>
  )
}
