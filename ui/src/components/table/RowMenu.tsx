// What can be done with the focused row: Shift+F10, the Menu key or the second mouse button, as everywhere on a desktop.
// The engine's own menu, which knows nothing of rows, does not appear.

import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { Menu, MenuItem, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { RowAction } from './columns'

export function RowMenu({
  actionsOf,
  children,
}: {
  /** By the key of a row; none where the list has no menu. */
  actionsOf?: (key: string) => readonly RowAction[]
  children: ReactNode
}) {
  const { t } = useTranslation()
  const row = useRef<HTMLElement>(null)
  const [actions, setActions] = useState<readonly RowAction[]>([])
  const open = (event: MouseEvent | KeyboardEvent) => {
    const target = rowOf(event.target)
    if (!target || !actionsOf) return
    event.preventDefault()
    row.current = target
    setActions(actionsOf(target.dataset.key ?? ''))
  }
  const close = () => {
    setActions([])
    row.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside take the focus; this only hears what they let by
    <div className="list-rows" onContextMenu={open} onKeyDown={(event) => wantsMenu(event) && open(event)}>
      {children}
      <Popover
        className="options row-menu"
        triggerRef={row}
        placement="bottom start"
        isOpen={actions.length > 0}
        onOpenChange={(is) => !is && close()}
      >
        <Menu
          className="menu"
          aria-label={t('list.row_menu')}
          autoFocus="first"
          onAction={(id) => actions.find((action) => action.id === id)?.act()}
          onClose={close}
        >
          {actions.map((action) => (
            <MenuItem key={action.id} id={action.id} className="option">
              {action.word}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </div>
  )
}

function wantsMenu(event: KeyboardEvent): boolean {
  return event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')
}

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.row[data-key], .entry[data-key]') : null
}
