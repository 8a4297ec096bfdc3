// Every screen, on the real station in an outage, in every look and both languages: axe finds nothing, nothing is wider
// than its place, and the page throws nothing. HOLDFAST_PICTURES names a folder for pictures of them, at the three sizes.

import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Browser } from './browser.mjs'
import { beforeTheOutage, inTheOutage } from './scene.mjs'
import { looks, screensOf } from './screens.mjs'

const folder = process.env.HOLDFAST_PICTURES
const judged_at = [1280, 800]
const sizes = folder ? [judged_at, [1366, 768], [640, 400]] : [judged_at, [640, 400]]

let browser
let screens

before(async () => {
  browser = await Browser.open({ bridge: process.env.HOLDFAST_BRIDGE, page: process.env.HOLDFAST_PAGE })
  screens = screensOf(await inTheOutage(browser, await beforeTheOutage(browser)))
  await browser.until('.mode-words', /not answering since/)
  if (folder) await mkdir(folder, { recursive: true })
})

after(async () => {
  await browser?.close()
})

for (const look of looks)
  test(`nothing is found on any screen: ${look.language}, ${look.theme}`, async () => {
    await browser.wear(look)
    const found = []
    for (const screen of screens) found.push(...(await seen(screen, look)))
    assert.deepEqual([...found, ...browser.complaints], [])
  })

async function seen(screen, look) {
  await browser.command(screen.person ? 'demo_switch' : 'sign_out', screen.person ? { person: screen.person } : {})
  // Another person begins at a screen of that person's own.
  if (screen.person) await browser.until('.header', new RegExp(`${screen.person}`))
  await browser.go(screen.path)
  for (const key of screen.keys ?? []) await browser.press(key)
  const found = []
  for (const [width, height] of sizes) {
    await browser.page.setViewportSize({ width, height })
    await browser.settled()
    const name = `${screen.name}-${look.language}-${look.theme}-${width}`
    if (folder) await browser.page.screenshot({ path: join(folder, `${name}.png`) })
    found.push(...(await browser.judged()).map((what) => `${name}: ${what}`))
  }
  await browser.page.setViewportSize({ width: judged_at[0], height: judged_at[1] })
  if (screen.keys) await browser.press('Escape')
  return found
}
