// Five thousand waiting items: the list shows a few of them at a time, and the station filters. Frame times are reported,
// not judged. In Chromium, on the real station.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'

const MAIN = '.main'
const items = 5_000
const rows_in_page_max = 100

let browser

before(async () => {
  const bridge = process.env.HOLDFAST_BRIDGE
  browser = await Browser.open({ bridge, page: process.env.HOLDFAST_PAGE, seed: items })
})

after(async () => {
  await browser?.close()
})

for (const screen of ['waiting', 'find'])
  test(`${screen} scrolls and filters among ${items} rows`, async () => {
    await browser.go(screen)
    if (screen === 'find') await filter('a')
    await browser.until(MAIN, /[0-9],[0-9]{3}/)
    const scrolled = await frames(() => browser.page.mouse.wheel(0, 900), 40)
    const rows = await browser.page.evaluate(() => document.querySelectorAll('[role=row]').length)
    assert.ok(rows <= rows_in_page_max, `${rows} rows are in the page`)
    const filtered = await frames(() => filter('12'), 1)
    await browser.until(MAIN, screen === 'waiting' ? /\d of 5,000/ : /\d/)
    console.log(`# ${screen}: rows in the page ${rows}; scrolling ${told(scrolled)}; filtering ${told(filtered)}`)
  })

async function filter(text) {
  await browser.press('Ctrl+F')
  await browser.press('Ctrl+A')
  await browser.type(text)
  await browser.page.waitForTimeout(400)
}

/** Milliseconds between frames while something is done so many times. */
async function frames(act, times) {
  const box = await browser.page.locator(MAIN).boundingBox()
  await browser.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await browser.page.evaluate(() => {
    globalThis.frames_ms = []
    let before = performance.now()
    const frame = (now) => {
      globalThis.frames_ms.push(now - before)
      before = now
      globalThis.framing = requestAnimationFrame(frame)
    }
    globalThis.framing = requestAnimationFrame(frame)
  })
  for (let n = 0; n < times; n += 1) await act()
  return browser.page.evaluate(() => {
    cancelAnimationFrame(globalThis.framing)
    return globalThis.frames_ms
  })
}

function told(frames_ms) {
  const sorted = frames_ms.toSorted((a, b) => a - b)
  const at = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))])
  return `${sorted.length} frames, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${at(1)} ms`
}
