// A supervisor decides by keyboard alone about what the permit system refused: sent again, it comes back; voided, it is
// gone from the list and the books still balance. In Chromium, on the real station.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'
import { becomes, rowTo, tabTo, theBooksOf } from './journey.mjs'
import { beforeTheOutage, untilItems } from './scene.mjs'

const TITLE = '.screen-title'
const MAIN = '.main'

let browser

before(async () => {
  browser = await Browser.open({ bridge: process.env.HOLDFAST_BRIDGE, page: process.env.HOLDFAST_PAGE })
  await beforeTheOutage(browser)
  await becomes(browser, 'supervisor')
})

after(async () => {
  await browser?.close()
})

async function opens() {
  await browser.press('Alt+2')
  await browser.untilFocused(/Decide/)
  await rowTo(browser, /front-1-\d/, /front-1-\d/)
  await browser.press('Enter')
  await browser.until(MAIN, /Why it is here/)
  await browser.untilFocused(/14 OAK ST/)
}

test('without a reason nothing is decided, and the field says so', async () => {
  await opens()
  await browser.press('Ctrl+Enter')
  await browser.untilFocused(/There is 1 problem/)
  await browser.until(MAIN, /Enter the reason/)
  await untilItems(browser, 'decisions', 1)
})

test('sent again with a reason, the item is refused again and comes back for a decision', async () => {
  await tabTo(browser, /^Reason/)
  await browser.type('The record was looked at.')
  await browser.press('Ctrl+Enter')
  await browser.until(TITLE, /Decide/)
  await browser.untilFocused(/Decide|sent again/)
  await browser.until(MAIN, /is sent again/)
  await untilItems(browser, 'decisions', 1)
  await untilItems(browser, 'waiting', 0)
})

test('voiding asks first, with the focus on what leaves all as it is; then the books hold it as voided', async () => {
  await opens()
  await tabTo(browser, /^Reason/)
  await browser.type('It was recorded at city hall.')
  await tabTo(browser, /^Void/)
  await browser.press('Enter')
  await browser.untilFocused(/Keep item/)
  await browser.press('Escape')
  await browser.untilFocused(/^Void/)
  await browser.press('Enter')
  await browser.untilFocused(/Keep item/)
  await tabTo(browser, /Void item/)
  await browser.press('Enter')
  await browser.until(MAIN, /Nothing needs a decision/)
  await browser.until(MAIN, /is voided/)
  assert.equal((await theBooksOf(browser)).voided, 1)
  assert.deepEqual(await browser.judged(), [])
})
