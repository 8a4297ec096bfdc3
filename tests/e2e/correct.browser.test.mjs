// A clerk corrects by keyboard alone what waits, and a supervisor takes it back: each stands in the place of the one before,
// the books hold all of it, and of what was taken back nothing is recorded. In Chromium, on the real station.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'
import { becomes, tabTo, theBooksOf } from './journey.mjs'
import { items, submit, untilItems } from './scene.mjs'

const TITLE = '.screen-title'
const MAIN = '.main'

let browser
let taken

before(async () => {
  browser = await Browser.open({ bridge: process.env.HOLDFAST_BRIDGE, page: process.env.HOLDFAST_PAGE })
  await browser.command('demo_switch', { person: 'clerk' })
  await browser.command('demo_break', { fault: 'refuse' })
  const payload = {
    OriginalAddress1: '12 OAK ST',
    PIN: ['0010-22-417'],
    PermitTypeMapped: 'Fence',
    ApplicantName: 'Olive Oakley',
    Description: 'Six feet, cedar.',
  }
  taken = await submit(browser, { kind: 'application', payload })
  await becomes(browser, 'clerk')
})

after(async () => {
  await browser?.close()
})

test('what waits is corrected in its own form, and the corrected one takes its place', async () => {
  await browser.go(`receipt/${taken.operation_id}`)
  await browser.until(MAIN, /takes its place/)
  await browser.press('Ctrl+E')
  await browser.until(TITLE, /^Correct /)
  await tabTo(browser, /^Applicant name/)
  await browser.press('Control+A')
  await browser.type('Oliver Oakley')
  assert.deepEqual(await browser.judged(), [])
  await browser.press('Ctrl+Enter')
  await browser.until(TITLE, /^Receipt front-1-2/)
  await browser.untilFocused(/Receipt front-1-2/)
  await browser.until(MAIN, /Takes the place of front-1-1/)
  const [waits] = (await items(browser, 'waiting')).rows
  const { payload } = await browser.command('item', { id: waits.operation_id })
  assert.deepEqual([payload.ApplicantName, payload.Description], ['Oliver Oakley', 'Six feet, cedar.'])
})

test('a clerk is told who may take it back', async () => {
  await browser.until(MAIN, /Only this role may: supervisor/i)
  assert.deepEqual(await browser.judged(), [])
})

test('a supervisor takes it back with a reason, and nothing of it is recorded', async () => {
  const [waits] = (await items(browser, 'waiting')).rows
  await becomes(browser, 'supervisor')
  await browser.go(`receipt/${waits.operation_id}`)
  await tabTo(browser, /^Take back/)
  await browser.press('Enter')
  await browser.until('.dialog', /Take back front-1-2\?/)
  await browser.untilFocused(/^Reason/)
  await browser.type('Handed in twice')
  assert.deepEqual(await browser.judged(), [])
  await tabTo(browser, /^Take back item/)
  await browser.press('Enter')
  await browser.until(MAIN, /front-1-2 is taken back/)
  await browser.until(MAIN, /Voided. It is not recorded/)
  await browser.command('demo_mend')
  await untilItems(browser, 'waiting', 0)
  const { accepted, voided, committed } = await theBooksOf(browser)
  assert.deepEqual({ accepted, voided, committed }, { accepted: 2, voided: 2, committed: 0 })
  assert.deepEqual(browser.complaints, [])
})
