// Measures how smoothly long lists move: five thousand rows in Waiting and in Find are scrolled and filtered in the built
// page, and the times between frames are printed as JSON (milliseconds). A report, not a judgement.
//
//   node scripts/frames.mjs [--dist FOLDER] [--rows 5000]        CHROMIUM=/usr/bin/chromium

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { serve } from './screens/serve.mjs'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
]
const SCROLLS = 60
const SCROLL_PX = 900
const SETTLE_MS = 1_500
const READY_MS = 60_000

const { values } = parseArgs({
  options: {
    dist: { type: 'string', default: fileURLToPath(new URL('../dist/', import.meta.url)) },
    rows: { type: 'string', default: '5000' },
  },
})
// Every item of Waiting is a row; of five items four are records, so Find is given a quarter more.
const rows = Number(values.rows)
const screens = [
  { name: 'waiting', items: rows, typed: '' },
  { name: 'find', items: Math.ceil(rows * 1.25), typed: '1' },
]
const site = await serve(resolve(values.dist))
const profile = await mkdtemp(join(tmpdir(), 'holdfast-frames-'))
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: flags,
  headless: true,
  viewport: { width: 1280, height: 800 },
})
try {
  const page = await browser.newPage()
  const report = {}
  for (const screen of screens) report[screen.name] = await measured(page, screen)
  console.log(JSON.stringify({ rows, ...report }, null, 2))
} finally {
  await browser.close()
  await site.close()
  await rm(profile, { recursive: true, force: true })
}

async function measured(page, { name, items, typed }) {
  const began = Date.now()
  await page.goto(`${site.origin}/index.html?items=${items}&mode=not_answering&${name}#/${name}`)
  const box = page.getByRole('searchbox')
  await box.waitFor()
  if (typed) await box.fill(typed)
  await page.locator('.table-long').waitFor({ timeout: READY_MS })
  await page.waitForFunction(() =>
    /items|\d of/.test(document.querySelector('.list-count')?.textContent ?? ''),
  )
  const ready_ms = Date.now() - began
  await page.waitForTimeout(SETTLE_MS)
  const here = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1
  const in_page = await page.getByRole('row').count()
  const scroll = await framesOf(page, () => scrolled(page))
  const arrows = await framesOf(page, () => walked(page))
  const filter = await framesOf(page, () => filtered(page, box))
  return { ready_ms, rows_here: here, rows_in_page: in_page, scroll, arrows, filter }
}

async function scrolled(page) {
  await page.mouse.move(700, 500)
  for (let n = 0; n < SCROLLS; n += 1) {
    await page.mouse.wheel(0, n < SCROLLS * 0.75 ? SCROLL_PX : -SCROLL_PX)
    await page.waitForTimeout(16)
  }
}

async function walked(page) {
  await page.getByRole('row').nth(3).focus()
  for (let n = 0; n < SCROLLS; n += 1) await page.keyboard.press('ArrowDown')
}

async function filtered(page, box) {
  await box.focus()
  for (const key of '1 Mill') await page.keyboard.type(key)
  await page.waitForTimeout(SETTLE_MS)
  await page.keyboard.press('Escape')
  await page.waitForTimeout(SETTLE_MS)
}

/** Times between frames while something is done. */
async function framesOf(page, act) {
  await page.evaluate(() => {
    const times = []
    let last = performance.now()
    const frame = (now) => {
      times.push(now - last)
      last = now
      if (globalThis.frameTimes === times) requestAnimationFrame(frame)
    }
    globalThis.frameTimes = times
    requestAnimationFrame(frame)
  })
  await act()
  const times = await page.evaluate(() => {
    const kept = globalThis.frameTimes
    globalThis.frameTimes = null
    return kept
  })
  const sorted = times.slice(1).toSorted((a, b) => a - b)
  const at = (part) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1))
  return { frames: sorted.length, median_ms: at(0.5), p95_ms: at(0.95), worst_ms: at(1) }
}
