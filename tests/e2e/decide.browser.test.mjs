// A supervisor decides by keyboard alone about what was changed meanwhile: signed with what both sides say, it is recorded;
// voided, it is gone from the list and the books still balance. In Chromium, on the real station.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'
import { becomes, rowTo, tabTo, theBooksOf } from './journey.mjs'
import { beforeTheOutage, submit, untilItems } from './scene.mjs'

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

/** A move of a record that the permit system has in another version than the one it was based on. */
async function changedMeanwhile(address, to) {
  const { rows } = await browser.command('find', { request: { text: address, skip: 0, rows: 10 } })
  const base = '"another-version"'
  await submit(browser, { kind: 'stage', application_id: rows[0].application_id, base, payload: { to } })
  await untilItems(browser, 'decisions', 1)
}

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

test('signed with what both sides say, the item is sent again and recorded', async () => {
  await tabTo(browser, /^Reason/)
  await browser.type('The record was looked at.')
  await browser.press('Ctrl+Enter')
  await browser.until(TITLE, /Decide/)
  await browser.untilFocused(/Decide|sent again/)
  await browser.until(MAIN, /is sent again/)
  await untilItems(browser, 'waiting', 0)
  await untilItems(browser, 'decisions', 0)
})

test('voiding asks first, with the focus on what leaves all as it is; then the books hold it as voided', async () => {
  await changedMeanwhile('14 OAK ST', 'FeeEstimated')
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
