// Where the page begins. Until the window brings its own way to the station, the page runs on a station in memory and
// says DEMO all round.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import { memoryBackend } from './api/memory'
import { startCatalogue } from './catalogue/catalogue'
import './look/index.css'

const HEARTBEAT_MS = 2_000

startCatalogue()
const backend = memoryBackend()
setInterval(backend.beat, HEARTBEAT_MS)

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App backend={backend} shelf={window.localStorage} />
    </StrictMode>,
  )
