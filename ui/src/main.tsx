// Where the page begins: on the station behind the window, or, opened in a browser, on one in memory that says DEMO all
// round.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import type { Backend } from './api/backend'
import { memoryBackend } from './api/memory'
import { inWindow, tauriBackend } from './api/tauri'
import { startCatalogue } from './catalogue/catalogue'
import './look/index.css'

const HEARTBEAT_MS = 2_000

startCatalogue()
const backend = inWindow() ? tauriBackend : beating()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App backend={backend} shelf={window.localStorage} />
    </StrictMode>,
  )

function beating(): Backend {
  const memory = memoryBackend()
  setInterval(memory.beat, HEARTBEAT_MS)
  return memory
}
