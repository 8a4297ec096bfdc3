// A telephone number: any form of it is taken and kept as typed. Left, an American one is shown as (555) 010-0142; on
// coming back the original stands there again.

import { useState } from 'react'
import { phoneShown } from '../format/phone'
import { TextField, type TextProps } from './TextField'

export function PhoneField(props: TextProps) {
  const [inside, setInside] = useState(false)
  return (
    <TextField
      {...props}
      type="tel"
      inputMode="tel"
      value={inside ? props.value : phoneShown(props.value)}
      onEnter={() => setInside(true)}
      onLeave={() => {
        setInside(false)
        props.onLeave?.()
      }}
    />
  )
}
