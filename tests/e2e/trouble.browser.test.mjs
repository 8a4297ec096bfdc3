// What goes wrong at a counter: the station hangs, the permit system hangs, a person types what nobody can read. In
// Chromium, on the real station.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'
import { formIsThere, mends, tabTo, takesIn } from './journey.mjs'

const TITLE = '.screen-title'
const MAIN = '.main'
const MODE_WORDS = '.mode-words'
const intake = { address: '77 Elm St', parcel: '0010-22-440', type: 'Roof', applicant: 'Yuki Tanaka', valuation: '9000' }

let browser

before(async () => {
  browser = await Browser.open({ bridge: process.env.HOLDFAST_BRIDGE, page: process.env.HOLDFAST_PAGE })
})

after(async () => {
  await browser?.close()
})

test('a window that lost its station says so, keeps what is typed, and saves it when contact is back', async () => {
  await browser.press('Alt+1')
  await formIsThere(browser)
  await tabTo(browser, /^Site address/)
  await browser.type('12 1/2 Oak')
  await browser.until('.screen-aside', /Draft saved/)
  browser.hang(true)
  await browser.until(MODE_WORDS, /lost contact/)
  assert.deepEqual(await browser.judged(), [])
  await browser.type(' St')
  browser.hang(false)
  await browser.until(MODE_WORDS, /answering/)
  const [row] = await browser.command('drafts')
  await untilKept(row.operation_id, '12 1/2 Oak St')
})

async function untilKept(id, address) {
  for (let look = 0; look < 100; look += 1) {
    const { values } = await browser.command('draft', { id })
    if (values.OriginalAddress1 === address) return
    await browser.page.waitForTimeout(100)
  }
  assert.fail('what was typed without contact was never kept')
}

test('work is taken while the permit system hangs, as it is while it answers', async () => {
  await browser.command('demo_break', { fault: 'timeout' })
  await takesIn(browser, intake)
  await browser.until(MAIN, /Not yet in the permit system/)
  await mends(browser)
  await browser.until(MAIN, /Recorded (\d|today)/)
})

for (const typed of ['12,5', '1.234,56', '1e3', '-5'])
  test(`${typed} is no amount, is said to be none beside the field, and stays as it was typed`, async () => {
    await browser.go('waiting')
    await browser.go('counter/new')
    await formIsThere(browser)
    await tabTo(browser, /^Valuation/)
    await browser.type(typed)
    await browser.press('Tab')
    await browser.until(MAIN, /Valuation must look like 1,234\.56/)
    await browser.press('Shift+Tab')
    assert.equal(await browser.page.evaluate(() => document.activeElement.value), typed)
    await browser.page.mouse.wheel(0, 300)
    assert.equal(await browser.page.evaluate(() => document.activeElement.value), typed)
    await browser.press('Ctrl+A')
    await browser.press('Backspace')
  })

test('names of every script and a million pasted characters leave the form whole', async () => {
  await browser.go('waiting')
  await browser.go('counter/new')
  await formIsThere(browser)
  await tabTo(browser, /^Applicant/)
  await browser.type('יעל בן־דוד 🏊 <b>Ñ</b>')
  await tabTo(browser, /description/)
  await browser.page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'x'.repeat(1_000_000))
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await browser.until(MAIN, /too (much|long)|characters|pasted/i)
  assert.deepEqual(await browser.judged(), [])
  assert.match(await browser.words(TITLE), /New application/)
  assert.deepEqual(browser.complaints, [])
})
