// Makes pictures of the built page: gallery, frame and screens, in both languages, every theme and the three sizes of
// window, into a folder outside the repository. Fails when axe finds something, when the page throws or breaks the
// window's content policy, and when something is wider than the window.
//
//   node scripts/screens.mjs --out FOLDER [--only WORD] [--page BUILT]        CHROMIUM=/usr/bin/chromium

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { pictures } from './screens/pictures.mjs'
import { serve } from './screens/serve.mjs'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string', default: '' },
    page: { type: 'string', default: fileURLToPath(new URL('../dist/', import.meta.url)) },
  },
})
if (!values.out) {
  console.error('usage: node scripts/screens.mjs --out FOLDER [--only WORD] [--page BUILT]')
  process.exit(2)
}
await mkdir(values.out, { recursive: true })
const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const complaints = new Set()
const site = await serve(values.page)
const profile = await mkdtemp(join(tmpdir(), 'holdfast-screens-'))
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: flags,
  headless: true,
  serviceWorkers: 'block',
})
try {
  const page = await browser.newPage()
  page.on('pageerror', (error) => complaints.add(String(error)))
  page.on('console', (message) => noteConsole(message))
  for (const picture of pictures()) if (picture.name.includes(values.only)) await take(page, picture)
} finally {
  await browser.close()
  await site.close()
  await rm(profile, { recursive: true, force: true })
}
for (const complaint of complaints) console.error(complaint)
if (complaints.size > 0) process.exitCode = 1

/** React Aria adds style elements of its own; without them all else works, and the policy stays strict. */
function noteConsole(message) {
  if (message.type() === 'error' && !/style-src/.test(message.text())) complaints.add(message.text())
}

async function take(page, picture) {
  const { name, hash, asked = '', language, theme, width, height, density = 'desk' } = picture
  await page.setViewportSize({ width, height })
  await page.goto(`${site.origin}/index.html`)
  const settings = { language, theme, density, motion: 'none' }
  await page.evaluate((kept) => {
    for (const who of ['anyone', 'clerk', 'inspector', 'supervisor'])
      localStorage.setItem(`holdfast.settings.${who}`, JSON.stringify(kept))
  }, settings)
  await page.goto(`${site.origin}/index.html?${name}&${asked}${hash}`)
  await page.locator('h1').waitFor({ state: 'attached' })
  await page.evaluate(() => document.fonts.ready)
  if (picture.ready) await page.locator(picture.ready).first().waitFor()
  for (const [field, text] of picture.typed ?? []) await page.locator(field).fill(text)
  if (picture.press) await page.locator(picture.press).click()
  for (const key of picture.keys ?? []) await page.keyboard.press(key)
  if (picture.after) await page.locator(picture.after).first().waitFor()
  await judge(page, name)
  if (picture.whole) await grow(page, width)
  if (picture.grey)
    await page.evaluate(() => document.documentElement.style.setProperty('filter', 'grayscale(1)'))
  await page.screenshot({ path: join(values.out, `${name}.png`) })
}

/** Evaluated by the debugger, which no content policy stops. */
async function judge(page, name) {
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document)
    const wide = [
      document.documentElement,
      ...document.querySelectorAll('.screen, .alone-main, .details, .dialog-place, .actions'),
    ]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => `wider than its place: ${element.className || 'the page'}`)
    return [
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id} ${node.html.slice(0, 150)} ${node.any[0]?.message ?? ''}`),
      ),
      ...wide,
    ]
  })
  for (const what of found) complaints.add(`${name}: ${what}`)
}

/** As high as all of the screen, so that nothing of it is behind a scroll bar. */
async function grow(page, width) {
  const height = await page.evaluate(() => document.querySelector('.screen').scrollHeight + 260)
  await page.setViewportSize({ width, height: Math.min(height, 8000) })
}
