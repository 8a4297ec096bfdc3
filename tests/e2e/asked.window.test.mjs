// Other programs of the computer while the real window is open: a command works through it, and the page shows what came
// of that without a key. It needs a display and a session bus, HOLDFAST_WINDOW, and `holdfastctl` beside that program.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { Window } from './webdriver.mjs'

const program = process.env.HOLDFAST_WINDOW
const MODE_WORDS = '.mode-words'
const MODE_BAR = '.mode'
const HEADER = '.header'
const panel = (words) => `//section[contains(@class, "demo")]//button[contains(., "${words}")]`

let folder
let window

before(async () => {
  assert.ok(program, 'HOLDFAST_WINDOW names no program')
  // Beside the programs there is a real disk; the station lies on no other.
  folder = await mkdtemp(join(dirname(program), 'asked-'))
  await writeFile(join(folder, 'passphrase'), 'made-up words for a test\n', { mode: 0o600 })
  const kept = ['--keep', folder, '--passphrase-file', join(folder, 'passphrase')]
  window = await Window.open(program, ['--demo', ...kept])
})

after(async () => {
  await window?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Runs `holdfastctl` beside the window. */
function command(words, input) {
  const opened = ['--data-dir', join(folder, 'station'), '--passphrase-file', join(folder, 'passphrase')]
  // What the tests are told by the environment would be read as its configuration.
  const env = { HOME: folder }
  const child = spawn(join(dirname(program), 'holdfastctl'), [...opened, ...words, '--json'], { env })
  let said = ''
  let talk = ''
  child.stdout.on('data', (bytes) => (said += bytes))
  child.stderr.on('data', (bytes) => (talk += bytes))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, said, talk }))
  })
}

const application = (address) =>
  JSON.stringify({
    kind: 'application',
    payload: {
      OriginalAddress1: address,
      PIN: ['0010-22-401'],
      PermitTypeMapped: 'Fence',
      EstProjectCost: '2500.00',
    },
  })

test('what a command hands in beside the window stands in its mode bar, and is recorded from there', async () => {
  await window.until(MODE_WORDS, /Permit system answering/)
  await window.press('F8')
  await window.click(panel('Refuse'))
  for (const address of ['12 OAK ST', '14 OAK ST']) {
    const { code, said, talk } = await command(['submit', '-'], application(address))
    assert.equal(code, 0, `${said}${talk}`)
    assert.match(JSON.parse(said).receipt_no, /^front-1-/)
  }
  await window.until(MODE_BAR, /2 waiting/)
  await window.click(panel('Mend'))
  await window.until(MODE_BAR, /Nothing waiting|All 2 items recorded/)
  const { status } = await window.command('standing')
  assert.deepEqual([status.books.accepted, status.books.committed], [2, 2])
})

test('who signs in at the terminal stands in the header of the window', async () => {
  const { code, said, talk } = await command(['sign-in', '--user', 'supervisor'], 'demo-supervisor\n')
  assert.equal(code, 0, `${said}${talk}`)
  await window.until(HEADER, /supervisor/)
})
