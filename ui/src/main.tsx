// Where the page begins: on the station behind the window, or, opened in a browser, on one in memory that says DEMO all
// round. Built in the mode `bridge`, for browser tests, on the station behind the loopback bridge.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import type { Backend } from './api/backend'
import { bridgeBackend } from './api/bridge'
import { memoryBackend } from './api/memory'
import { manyItems } from './api/memory/manyItems'
import { sessionOf, startOf } from './api/memory/wanted'
import { memoryModes } from './api/memoryConditions'
import { inWindow, tauriBackend } from './api/tauri'
import { startCatalogue } from './catalogue/catalogue'
import './look/index.css'

const HEARTBEAT_MS = 2_000
const ITEMS_MAX = 20_000

startCatalogue()
const backend = backendHere()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App backend={backend} shelf={window.localStorage} />
    </StrictMode>,
  )

// The comparison is decided when the page is built; what it excludes is not in the bundle.
function backendHere(): Backend {
  if (import.meta.env.MODE === 'bridge') return bridgeBackend()
  return inWindow() ? tauriBackend : beating()
}

/**
 * `?items=5000&mode=not_answering`: as many made-up items as a measurement wants, in that condition. `?start=key_locked`:
 * a program that could not begin; `?person=`: who is signed in, nobody if it is empty.
 */
function beating(): Backend {
  const wanted = new URLSearchParams(window.location.search)
  const items = manyItems(Math.min(Number(wanted.get('items')) || 0, ITEMS_MAX))
  const person = wanted.get('person')
  const memory = memoryBackend({
    items,
    mode: memoryModes.find((mode) => mode === wanted.get('mode')),
    session: person === null ? undefined : sessionOf(person),
    start: startOf(wanted.get('start')),
  })
  setInterval(memory.beat, HEARTBEAT_MS)
  return memory
}
