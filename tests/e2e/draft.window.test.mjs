// A form that is half filled when the window is killed comes back as it was typed. HOLDFAST_WINDOW names the program.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { formIsThere, tabTo } from './journey.mjs'
import { Window } from './webdriver.mjs'

const TITLE = '.screen-title'
const MAIN = '.main'

let folder
let args
let window

before(async () => {
  // On a real disk: a station refuses a folder in memory.
  folder = await mkdtemp(join(homedir(), '.holdfast-killed-'))
  const words = join(folder, 'words')
  await writeFile(words, 'made-up words for one test\n', { mode: 0o600 })
  args = ['--demo', '--keep', join(folder, 'kept'), '--passphrase-file', words]
  window = await Window.open(process.env.HOLDFAST_WINDOW, args)
})

after(async () => {
  await window?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a half-filled form is there again after the window was killed', async () => {
  await window.press('Alt+1')
  await formIsThere(window)
  await tabTo(window, /^Site address/)
  await window.type('12 1/2 Oak St')
  await tabTo(window, /^Applicant/)
  await window.type('Ana María Ñúñez')
  await window.until('.screen-aside', /Draft saved/)
  await kept('Ana María Ñúñez')
  await window.kill()

  window = await Window.open(process.env.HOLDFAST_WINDOW, args)
  await window.until(TITLE, /New application/)
  const draft = await window.until('.drafts', /1 draft/)
  assert.match(draft, /draft/)
  await tabTo(window, /1 draft/)
  await window.press('Enter')
  await tabTo(window, /^Open/)
  await window.press('Enter')
  await window.until(MAIN, /Draft saved/)
  await tabTo(window, /^Site address/)
  assert.equal(await window.value(), '12 1/2 Oak St')
  await tabTo(window, /^Applicant/)
  assert.equal(await window.value(), 'Ana María Ñúñez')
  assert.doesNotMatch(await window.words(MAIN), /problem/)
})

const looks_max = 100

/** Typed is kept by itself a moment later: what the station has, not what the page shows. */
async function kept(applicant) {
  for (let look = 0; look < looks_max; look += 1) {
    const [row] = await window.command('drafts')
    const values = row && (await window.command('draft', { id: row.operation_id })).values
    if (Object.values(values ?? {}).includes(applicant)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the draft was never kept')
}
