// One drawing of USWDS, in the colour of the text beside it. Hidden from screen readers: the word beside it speaks.

import { drawings } from './generated/icons'
import './icon.css'

export type IconName = keyof typeof drawings

export function Icon({ name, large = false }: { name: IconName; large?: boolean }) {
  return (
    <svg
      className={large ? 'icon icon-large' : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={drawings[name]} />
    </svg>
  )
}
