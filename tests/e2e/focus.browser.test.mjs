// Where the focus goes, in what order, and how many keys a whole application takes. In Chromium, on the real station.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'
import { breaks, formIsThere, mends, rowTo, tabTo, takesIn } from './journey.mjs'

const TITLE = '.screen-title'
const MAIN = '.main'
/** What a whole application may cost beyond its own data. */
const presses_max = 60

let browser

before(async () => {
  browser = await Browser.open({ bridge: process.env.HOLDFAST_BRIDGE, page: process.env.HOLDFAST_PAGE })
})

after(async () => {
  await browser?.close()
})

const intake = { address: '77 Elm St', parcel: '0010-22-440', type: 'Roof', applicant: 'Yuki Tanaka', valuation: '9000' }

test('a whole application takes at most sixty presses beyond its own data', async () => {
  browser.presses = 0
  await takesIn(browser, intake)
  console.log(`# presses beyond the data: ${browser.presses}`)
  assert.ok(browser.presses <= presses_max, `${browser.presses} presses`)
})

test('Tab goes through the window in the order in which it is read', async () => {
  await browser.go('waiting')
  await browser.go('counter/new')
  await formIsThere(browser)
  const order = [/Discard draft|Site address/, /Unit/, /ZIP/, /Parcel/, /Permit type/, /Class of work|New/, /description/]
  for (const next of order) await tabTo(browser, next)
  await browser.press('F6')
  const regions = []
  for (let n = 0; n < 6; n += 1) {
    regions.push(await browser.region())
    await browser.press('F6')
  }
  const known = ['Holdfast', 'Status', 'Workspace', 'New application', 'At this address', 'Facts']
  assert.ok(regions.every((region) => known.includes(region)), regions.join(' | '))
  assert.equal(new Set(regions).size, regions.length, regions.join(' | '))
})

test('refused, the focus is on the summary; its links lead into the fields; F3 goes from one to the next', async () => {
  await browser.go('waiting')
  await browser.go('counter/new')
  await formIsThere(browser)
  await browser.press('Ctrl+Enter')
  await browser.untilFocused(/There are 2 problems/)
  assert.match(await browser.title(), /^DEMO – 2 problems/)
  await browser.press('Tab')
  assert.match(await browser.focused(), /Enter the site address/)
  await browser.press('Enter')
  await browser.untilFocused(/^Site address/)
  await browser.press('F3')
  await browser.untilFocused(/Parcel/)
})

test('accepted, it is on the receipt; its state changes without moving it', async () => {
  await breaks(browser)
  await takesIn(browser, { ...intake, address: '79 Elm St' })
  await browser.until(MAIN, /Not yet in the permit system/)
  await mends(browser)
  await browser.until(MAIN, /Recorded (\d|today)/)
  await browser.until(TITLE, /Receipt/)
})

test('a move puts it on what confirms the move', async () => {
  await browser.go('find')
  await browser.untilFocused(/Find/)
  await rowTo(browser, /front-1-\d|AF-2026-\d/, /77 Elm St/i)
  await browser.press('Enter')
  await browser.until(MAIN, /Possible now/)
  await browser.press('Ctrl+M')
  await browser.untilFocused(/Preliminary review/)
  await browser.press('Enter')
  await browser.untilFocused(/Preliminary review/)
  await browser.until(MAIN, /Saved on this computer/)
})

test('an overlay gives it back to where it was opened from', async () => {
  await browser.go('waiting')
  await browser.untilFocused(/Waiting/)
  for (const key of ['F1', 'Ctrl+K', 'F8']) {
    await tabTo(browser, /Filter|Help F1/)
    const before = await browser.focused()
    await browser.press(key)
    await browser.press('Escape')
    await browser.untilFocused(new RegExp(before.slice(0, 6)))
  }
})
