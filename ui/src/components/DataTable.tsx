// A list that is read and opened, never edited: rows by key, no controls in cells (focus gets lost in them). Order and
// filter are the station's; this shows which ones are asked for, and keeps the rows still under a focused hand.

import { type FocusEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { SortDescriptor } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { useKey } from '../keys/Keys'
import { Button } from './Button'
import { type ColumnOf, ColumnsContext, type RowAction } from './table/columns'
import { type Filter, FilterLine } from './table/FilterLine'
import { NarrowList } from './table/NarrowList'
import { RowMenu } from './table/RowMenu'
import { useNarrow } from './table/useNarrow'
import { useSteadyRows } from './table/useSteadyRows'
import { WideTable } from './table/WideTable'
import './table.css'

export type { ColumnOf, RowAction } from './table/columns'

type Props<T> = {
  label: string
  columns: readonly ColumnOf<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /** How many there are without the filter. */
  total: number
  /** How many match the filter; the rows may be the first of them. */
  matching?: number
  /** What the rows are the answer to: with another one they are another list. */
  request?: string
  /** How many pages of the list the rows are. */
  pages?: number
  /** Whether these are the rows that were asked for last, all of them. */
  settled?: boolean
  onOpen?: (key: string) => void
  /** What can be done with a row, beside opening it. */
  menu?: (row: T) => readonly RowAction[]
  filter?: Filter
  sort?: SortDescriptor
  onSort?: (sort: SortDescriptor) => void
  /** Asks the station again: F5. */
  onAgain?: () => void
  empty: ReactNode
}

export function DataTable<T extends object>(props: Props<T>) {
  const { rows, keyOf, filter, pages = 1, settled = true } = props
  const asked = [filter?.value, props.sort?.column, props.sort?.direction].join(' ')
  const request = props.request ?? asked
  const { shown, setHeld, showNew } = useSteadyRows({ request, pages, rows }, keyOf)
  const again = () => {
    showNew()
    props.onAgain?.()
  }
  useKey('fetch_again', props.onAgain ? again : null)
  const matching = props.matching ?? rows.length
  const figures = { here: rows.length, matching, total: props.total, settled }
  return (
    <div className="list">
      {(props.total > 0 || filter) && <FilterLine filter={filter} figures={figures} />}
      {shown.fresh > 0 && <NewRows n={shown.fresh} onShow={again} />}
      <Held onHeld={setHeld} none={shown.rows.length === 0} empty={props.empty}>
        <Body {...props} rows={shown.rows} />
      </Held>
    </div>
  )
}

function NewRows({ n, onShow }: { n: number; onShow: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="list-new">
      <Button kind="quiet" icon="expand_more" keyId="fetch_again" onPress={onShow}>
        {t('list.new_rows', { count: n })}
      </Button>
    </div>
  )
}

/** Knows whether the focus is in the rows; when the last of them goes, the sentence in their place has it. */
function Held({
  onHeld,
  none,
  empty,
  children,
}: {
  onHeld: (held: boolean) => void
  none: boolean
  empty: ReactNode
  children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  const inside = useRef(false)
  const hold = (held: boolean) => {
    inside.current = held
    onHeld(held)
  }
  useEffect(() => {
    if (none && inside.current) place.current?.focus()
  }, [none])
  const left = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) hold(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches where the focus is; the rows inside take it
    <div ref={place} tabIndex={-1} className="list-held" onFocus={() => hold(true)} onBlur={left}>
      {none ? empty : children}
    </div>
  )
}

function Body<T extends object>({ menu, columns, rows, keyOf, onOpen, ...props }: Props<T>) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const actionsOf = (key: string): readonly RowAction[] => {
    const row = rows.find((other) => keyOf(other) === key)
    const open = onOpen ? [{ id: 'open', word: t('action.open'), act: () => onOpen(key) }] : []
    return row ? [...open, ...(menu?.(row) ?? [])] : []
  }
  const body = { label: props.label, columns, rows, keyOf, onOpen, sort: props.sort, onSort: props.onSort }
  return (
    <ColumnsContext value={byId}>
      <RowMenu actionsOf={onOpen || menu ? actionsOf : undefined}>
        {narrow && <Turn {...body} />}
        {narrow ? <NarrowList {...body} /> : <WideTable {...body} />}
      </RowMenu>
    </ColumnsContext>
  )
}

/** Where there is no head to press. */
function Turn<T>({ columns, sort, onSort }: Pick<Props<T>, 'columns' | 'sort' | 'onSort'>) {
  const { t } = useTranslation()
  const column = columns.find(({ id }) => id === sort?.column)
  if (!sort || !onSort || !column) return null
  const rising = sort.direction === 'ascending'
  return (
    <Button
      kind="quiet"
      icon={rising ? 'arrow_upward' : 'arrow_downward'}
      onPress={() => onSort({ column: sort.column, direction: rising ? 'descending' : 'ascending' })}
    >
      {t('list.turn', { column: column.head })}
    </Button>
  )
}
