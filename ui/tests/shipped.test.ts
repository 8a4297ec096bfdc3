// What is built for the window has no way to the bridge of browser tests; what is built for them has.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

function built(mode: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-page-'))
  try {
    execFileSync('node_modules/.bin/vite', [
      'build',
      '--mode',
      mode,
      '--outDir',
      folder,
      '--logLevel',
      'error',
    ])
    const scripts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
    return scripts.map((name) => readFileSync(join(folder, 'assets', name), 'utf8')).join('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.each([
  ['production', false],
  ['bridge', true],
])('the page built in the mode %s has a way to the bridge: %s', (mode, expected) => {
  const code = built(mode)
  expect(code).toContain('refresh_contract')
  expect([code.includes('EventSource'), code.includes('command/')]).toEqual([expected, expected])
})
