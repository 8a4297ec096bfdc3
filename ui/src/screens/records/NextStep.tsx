// The screen's main action: the steps that are possible now, as a menu. The first letter of a step chooses it, when no
// other step begins with it.

import { type KeyboardEvent, useState } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { MoveView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { useMoveWord } from './moveWords'

type Props = { moves: readonly MoveView[]; onChoose: (move: MoveView) => void; onNone: () => void }

export function NextStep({ moves, onChoose, onNone }: Props) {
  const { t } = useTranslation()
  const word = useMoveWord()
  const [open, setOpen] = useState(false)
  const choose = (move: MoveView | undefined) => {
    setOpen(false)
    if (move) onChoose(move)
  }
  const byLetter = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return
    const letter = event.key.toLocaleLowerCase()
    const meant = moves.filter(({ to }) => word(to).toLocaleLowerCase().startsWith(letter))
    if (letter.length !== 1 || letter === ' ' || meant.length !== 1) return
    event.preventDefault()
    event.stopPropagation()
    choose(meant[0])
  }
  return (
    <MenuTrigger isOpen={open && moves.length > 0} onOpenChange={setOpen}>
      <Button
        kind="primary"
        keyId="next_step"
        onPress={() => (moves.length === 0 ? onNone() : setOpen(true))}
      >
        {t('move.next_step')}
      </Button>
      <Popover className="options" placement="top start">
        <div onKeyDownCapture={byLetter}>
          <Menu
            className="menu"
            autoFocus="first"
            aria-label={t('move.menu')}
            onAction={(to) => choose(moves.find((move) => move.to === to))}
          >
            {moves.map((move) => (
              <MenuItem key={move.to} id={move.to} className="option">
                {word(move.to)}
              </MenuItem>
            ))}
          </Menu>
        </div>
      </Popover>
    </MenuTrigger>
  )
}
