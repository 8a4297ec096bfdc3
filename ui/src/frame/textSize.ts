// Size of everything in the window: kept per person, put on at the start, changed by Ctrl with plus, minus and zero. The
// shell's own zoom keys are off, since they keep a size of their own and forget it.

import { useEffect } from 'react'
import type { Backend } from '../api/backend'
import { useKey } from '../keys/Keys'
import { useSettings } from '../settings/SettingsProvider'
import { textSizeBeside, usual } from '../settings/settings'

export function useTextSize(backend: Backend) {
  const { settings, change } = useSettings()
  const { textSize } = settings
  useEffect(() => {
    // A window that cannot be zoomed is as readable as before; there is nothing to tell.
    void backend.setTextSize(textSize).catch(() => {})
  }, [backend, textSize])
  useKey('larger', () => change({ textSize: textSizeBeside(textSize, 1) }))
  useKey('smaller', () => change({ textSize: textSizeBeside(textSize, -1) }))
  useKey('usual_size', () => change({ textSize: usual.textSize }))
}
