// A paste beyond all measure is left out whole, and the field says so until the next one.

import { type ClipboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tooMuchToPaste } from './pasting'

export function useRefusedPaste() {
  const { t } = useTranslation()
  const [refused, setRefused] = useState(false)
  const onPaste = (event: ClipboardEvent) => {
    const much = tooMuchToPaste(event.clipboardData.getData('text'))
    setRefused(much)
    if (much) event.preventDefault()
  }
  return { problem: refused ? t('form.paste_refused') : null, onPaste }
}
