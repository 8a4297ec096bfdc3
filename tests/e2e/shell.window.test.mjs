// The real window on the real station, by keyboard and pointer. It needs a display and a session bus (see
// scripts/unseen-display.sh) and the program: HOLDFAST_WINDOW names it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Window } from './webdriver.mjs'

const program = process.env.HOLDFAST_WINDOW
const MODE_WORDS = '.mode-words'
const MODE_BAR = '.mode'
const HEADER = '.header'

const looks_max = 50

let window

before(async () => {
  assert.ok(program, 'HOLDFAST_WINDOW names no program')
  window = await Window.open(program, ['--demo'])
})

after(async () => {
  await window?.close()
})

const panel = (words) => `//section[contains(@class, "demo")]//button[contains(., "${words}")]`

const application = (address) =>
  JSON.stringify({
    kind: 'application',
    payload: {
      OriginalAddress1: address,
      OriginalCity: 'ALDER FALLS',
      PIN: ['0010-22-401'],
      PermitTypeMapped: 'Roof',
      WorkClassMapped: 'Existing',
      EstProjectCost: '2500.00',
      AppliedDate: '2026-11-30',
    },
  })

test('it opens calm, says that it is a demonstration, and is told that the station lives', async () => {
  await window.until(MODE_WORDS, /Permit system answering/)
  assert.match(await window.words(MODE_BAR), /DEMO/)
  assert.match(await window.title(), /Holdfast/)
})

test('the page runs under the content policy that is shipped', async () => {
  const outside = await window.evaluate(`
    let refused = 0
    for (const text of ['return 1']) { try { new Function(text)() } catch { refused++ } }
    const script = document.createElement('script')
    script.textContent = 'window.__inline = true'
    document.head.append(script)
    return { refused, inline: window.__inline === true, tauri: window.__TAURI__ === undefined }`)
  assert.deepEqual(outside, { refused: 1, inline: false, tauri: true })
})

test('what no capability grants is refused, whoever asks in the page', async () => {
  await assert.rejects(window.command('plugin:window|close'), /not allowed/)
  await assert.rejects(window.command('plugin:webview|create_webview_window'), /not allowed/)
})

test('the permit system is broken, work is taken, and the mode bar says so until it is mended and recorded', async () => {
  await window.press('F8')
  await window.click(panel('Refuse'))
  const receipt = await window.command('submit', { document: application('12 OAK ST') })
  assert.match(receipt.receipt_no, /^front-1-/)
  await window.command('submit', { document: application('14 OAK ST') })
  await window.until(MODE_WORDS, /not answering since/i)
  await window.until(MODE_BAR, /2 waiting/)

  await window.click(panel('Mend'))
  await window.until(MODE_WORDS, /Outage .* is over/)
  const { status } = await window.command('standing')
  assert.deepEqual([status.books.accepted, status.books.committed, status.backlog.count], [2, 2, 0])
})

test('persons change while the permit system does not answer', async () => {
  await window.click(panel('Time-out'))
  for (const person of ['inspector', 'supervisor', 'clerk']) {
    await window.click(panel(person))
    // Another person begins with nothing open.
    await window.until(HEADER, new RegExp(person))
    await window.press('F8')
    assert.deepEqual((await window.command('session')).roles, [person])
  }
  await window.click(panel('Mend'))
})

test('everything grows and shrinks with the text size, and comes back to the usual one', async () => {
  const width = () => window.evaluate('return window.innerWidth')
  const usual = await width()
  await window.press('Ctrl++')
  await untilWidth((now) => now < usual)
  await window.press('Ctrl+-')
  await window.press('Ctrl+-')
  await untilWidth((now) => now > usual)
  await window.press('Ctrl+0')
  await untilWidth((now) => now === usual)

  async function untilWidth(wanted) {
    for (let look = 0; look < looks_max; look += 1) {
      if (wanted(await width())) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.fail(`the page stayed ${await width()} wide; usually it is ${usual}`)
  }
})
