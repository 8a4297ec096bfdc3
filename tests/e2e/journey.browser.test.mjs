// The day of three people by keyboard alone, in Chromium on the real station; axe judges every screen on the way.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'
import {
  clerkTakesThree,
  inspectorRecordsAFailedFooting,
  supervisorSeesTheBooks,
  theBooksOf,
  watchesThemBecomeRecorded,
} from './journey.mjs'

let browser
const found = []
const look = async (name) => found.push(...(await browser.judged()).map((what) => `${name}: ${what}`))

before(async () => {
  browser = await Browser.open({ bridge: process.env.HOLDFAST_BRIDGE, page: process.env.HOLDFAST_PAGE })
})

after(async () => {
  await browser?.close()
})

test('a clerk takes in three applications through an outage, an inspector and a supervisor do their part', async () => {
  await clerkTakesThree(browser, look)
  await inspectorRecordsAFailedFooting(browser, look)
  await supervisorSeesTheBooks(browser, { accepted: 4 }, look)
  await watchesThemBecomeRecorded(browser, look)
  assert.deepEqual({ ...(await theBooksOf(browser)) }, {
    accepted: 4, pending: 0, in_flight: 0, committed: 4, quarantined: 0, voided: 0,
  })
  assert.deepEqual([...found, ...browser.complaints], [])
})
