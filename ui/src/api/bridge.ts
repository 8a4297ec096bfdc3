// The station behind the loopback bridge, in a browser on the same machine. For browser tests only: a page that is built
// for the window does not contain this file.
//
// The page's own address holds the token that the bridge asks for, so every address here is relative to it.

import type { Backend } from './backend'
import { backendOver } from './commands'

export function bridgeBackend(): Backend {
  return backendOver(overHttp, (hear) => {
    const source = new EventSource('events')
    source.onmessage = ({ data }) => hear(JSON.parse(data))
    return () => source.close()
  })
}

async function overHttp<T>(command: string, args: Record<string, unknown> = {}): Promise<T> {
  const answer = await fetch(`command/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(args),
  })
  const body = await answer.json()
  if (!answer.ok) throw body
  return body
}
