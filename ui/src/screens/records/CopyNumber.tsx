// Takes the number of an application along, to be pasted elsewhere.

import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/Button'

const COPIED_SHOWN_MS = 3_000

export function CopyNumber({ number }: { number: string }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    void navigator.clipboard?.writeText(number).then(() => setCopied(true))
  }
  return (
    <Button kind="quiet" icon={copied ? 'check' : 'content_copy'} onPress={copy}>
      {copied ? t('action.copied') : t('action.copy_number')}
    </Button>
  )
}
