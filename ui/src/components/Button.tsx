// A button that says its verb and its key, acts on both, and stays where it is while it works. `primary` is the one of a screen.

import { type ReactNode, useEffect, useState } from 'react'
import { Button as Pressable } from 'react-aria-components'
import { ariaName } from '../keys/chords'
import { KeyHint } from '../keys/KeyHint'
import { useKey } from '../keys/Keys'
import { chordOf, type KeyId } from '../keys/registry'
import { Icon, type IconName } from '../look/Icon'
import './button.css'

type Props = {
  children: ReactNode
  onPress: () => void
  kind?: 'primary' | 'plain' | 'quiet' | 'grave'
  keyId?: KeyId
  icon?: IconName
  /** Working: further presses do nothing, the focus stays. `pendingWord` replaces the verb after 0.3 s. */
  pending?: boolean
  pendingWord?: string
  label?: string
  describedBy?: string
  autoFocus?: boolean
}

const PENDING_WORD_AFTER_MS = 300

export function Button({ children, onPress, kind = 'plain', keyId, icon, pending = false, ...rest }: Props) {
  useKey(keyId, pending ? null : onPress)
  const slow = useLasting(pending, PENDING_WORD_AFTER_MS)
  return (
    <Pressable
      className={`button button-${kind}`}
      onPress={onPress}
      isPending={pending}
      aria-label={rest.label}
      aria-describedby={rest.describedBy}
      autoFocus={rest.autoFocus}
      {...(keyId ? { 'aria-keyshortcuts': ariaName(chordOf(keyId)) } : {})}
    >
      {icon && <Icon name={pending ? 'loop' : icon} />}
      <span>{slow && rest.pendingWord ? rest.pendingWord : children}</span>
      {keyId && <KeyHint of={keyId} />}
    </Pressable>
  )
}

/** Whether `on` has held for so long. */
export function useLasting(on: boolean, afterMs: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!on) return setLasting(false)
    const timer = setTimeout(() => setLasting(true), afterMs)
    return () => clearTimeout(timer)
  }, [on, afterMs])
  return lasting && on
}
