// Addresses of screens: `#/counter/waiting?x=y`. The window's back and forward move in them, and nothing else does.

import { useMemo, useSyncExternalStore } from 'react'

export type Route = { path: string; query: URLSearchParams }

const PATH_CHARACTERS_MAX = 500

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').slice(0, PATH_CHARACTERS_MAX).split('?')
  return { path: path.replace(/\/+$/, ''), query: new URLSearchParams(query) }
}

export function addressOf(path: string): string {
  return `#/${path}`
}

export function go(path: string) {
  window.location.hash = addressOf(path)
}

/** In place of the present address, so that back does not lead to it. */
export function replace(path: string) {
  window.location.replace(addressOf(path))
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(listen, () => window.location.hash)
  return useMemo(() => routeOf(hash), [hash])
}

function listen(changed: () => void) {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}
