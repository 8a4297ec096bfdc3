// The engine's own menu offers Reload and Back, which throw away what is typed. It stays in text fields only, for
// pasting and spelling; our row menus answer Shift+F10 and the Menu key by themselves.

import { useEffect } from 'react'

export function useOwnMenusOnly() {
  useEffect(() => {
    window.addEventListener('contextmenu', keepOut)
    return () => window.removeEventListener('contextmenu', keepOut)
  }, [])
}

function keepOut(event: Event) {
  const inText = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')
  if (!inText) event.preventDefault()
}
