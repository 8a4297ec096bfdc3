// The same person at the same page, in Chromium on the loopback bridge: looks, presses keys, and lets axe judge what is
// shown. Knows nothing of permits. HOLDFAST_BRIDGE names the bridge, HOLDFAST_PAGE the folder of the page built for it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { browserChord } from './keys.mjs'
import { NAME_OF_THE_FOCUSED } from './webdriver.mjs'

// The screens' own packages: the browser's driver and axe are installed with them.
const screens = createRequire(new URL('../../ui/package.json', import.meta.url))
const { chromium } = screens('playwright-core')

const opens_max_ms = 30_000
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

export class Browser {
  #bridge
  #profile
  #context
  #page
  #axe
  #address
  /** What the page complained of. */
  complaints = []
  /** Chords pressed so far. */
  presses = 0

  static async open({ bridge, page, seed = 0, look = {} }) {
    const browser = new Browser()
    try {
      await browser.#begin({ bridge, page, seed, look })
      return browser
    } catch (error) {
      await browser.close()
      throw error
    }
  }

  async #begin({ bridge, page, seed, look }) {
    const seeding = seed > 0 ? [`--seed=${seed}`] : []
    this.#bridge = spawn(bridge, [`--page=${page}`, ...seeding], { stdio: ['pipe', 'pipe', 'inherit'] })
    const [line] = await once(createInterface({ input: this.#bridge.stdout }), 'line')
    this.#axe = await readFile(screens.resolve('axe-core/axe.min.js'), 'utf8')
    this.#profile = await mkdtemp(join(tmpdir(), 'holdfast-browser-'))
    this.#context = await chromium.launchPersistentContext(this.#profile, {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: flags,
      headless: true,
      viewport: { width: 1280, height: 800 },
    })
    this.#page = await this.#context.newPage()
    this.#page.on('pageerror', (error) => this.complaints.push(String(error)))
    await this.#page.addInitScript((kept) => {
      for (const person of ['anyone', 'clerk', 'inspector', 'supervisor']) {
        const key = `holdfast.settings.${person}`
        if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(kept))
      }
    }, { motion: 'none', ...look })
    this.#address = JSON.parse(line).listening
    await this.#page.goto(this.#address)
    await this.#page.locator('h1').waitFor({ state: 'attached', timeout: opens_max_ms })
  }

  /** For what only a browser can do. */
  get page() {
    return this.#page
  }

  /** The station stops where it is, as if it hung; `false` lets it go on. */
  hang(hangs) {
    this.#bridge.kill(hangs ? 'SIGSTOP' : 'SIGCONT')
  }

  async close() {
    this.#bridge?.kill('SIGCONT')
    await this.#context?.close()
    if (this.#profile) await rm(this.#profile, { recursive: true, force: true })
    if (!this.#bridge || this.#bridge.exitCode !== null) return
    this.#bridge.stdin.end()
    await once(this.#bridge, 'exit')
  }

  /** Asks the station what the page would ask, as the page would; a refusal is thrown. */
  async command(name, args = {}) {
    const answer = await fetch(new URL(`command/${name}`, this.#address), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    const body = await answer.json()
    if (!answer.ok) throw Object.assign(new Error(`${name} was refused: ${JSON.stringify(body)}`), { refused: body })
    return body
  }

  /** Another language, theme or density, kept for everybody, and the page anew. */
  async wear(look) {
    await this.#page.evaluate((kept) => {
      for (const person of ['anyone', 'clerk', 'inspector', 'supervisor'])
        localStorage.setItem(`holdfast.settings.${person}`, JSON.stringify(kept))
    }, { motion: 'none', ...look })
    await this.#page.reload()
    await this.#page.locator('h1').waitFor({ state: 'attached', timeout: opens_max_ms })
  }

  /** Goes to a screen of the window, and waits until it is whole. */
  async go(path) {
    await this.#page.evaluate((hash) => { location.hash = hash }, `#/${path}`)
    await this.#page.locator('h1').waitFor({ state: 'attached', timeout: opens_max_ms })
    await this.#page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
    await this.#page.evaluate(() => document.fonts.ready)
  }

  title() {
    return this.#page.title()
  }

  words(selector) {
    return this.#page.evaluate((wanted) => {
      const found = document.querySelector(wanted)
      return found ? found.innerText.replace(/\s+/g, ' ').trim() : null
    }, selector)
  }

  async until(selector, wanted, max_ms = 30_000) {
    const end = Date.now() + max_ms
    let seen = null
    for (;;) {
      seen = await this.words(selector)
      if (wanted.test(seen ?? '')) return seen
      if (Date.now() > end) throw new Error(`${selector} never said ${wanted}; at last it said: ${seen}`)
      await this.#page.waitForTimeout(100)
    }
  }

  /** Every chord counts, letters of a text do not. */
  press(chord) {
    this.presses += 1
    return this.#page.keyboard.press(browserChord(chord))
  }

  type(text) {
    return this.#page.keyboard.type(text)
  }

  focused() {
    return this.#page.evaluate(`(() => {${NAME_OF_THE_FOCUSED}})()`)
  }

  async untilFocused(wanted, max_ms = 30_000) {
    const end = Date.now() + max_ms
    let seen = null
    for (;;) {
      seen = await this.focused()
      if (wanted.test(seen ?? '')) return seen
      if (Date.now() > end) throw new Error(`the focus never came to ${wanted}; at last it was on: ${seen}`)
      await this.#page.waitForTimeout(100)
    }
  }

  /** The region of the page that has the focus, by its name. */
  region() {
    return this.#page.evaluate(() => {
      const place = document.activeElement?.closest('header, nav, main, aside, footer, section[aria-label], [role=region]')
      return place?.getAttribute('aria-label') ?? place?.tagName ?? null
    })
  }

  evaluate(text) {
    return this.#page.evaluate(`(() => {${text}})()`)
  }

  /** Two frames after the last change of size. */
  settled() {
    return this.#page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }

  /** What axe finds on what is shown now, and what is wider than its place, one line each. */
  async judged() {
    await this.#page.evaluate(this.#axe)
    return this.#page.evaluate(async () => {
      // While a dialog is open the page behind it is hidden from everybody, its heading and its landmarks with it.
      const behind = document.querySelector('[role="dialog"]') ? ['landmark-one-main', 'page-has-heading-one'] : []
      const rules = Object.fromEntries(behind.map((rule) => [rule, { enabled: false }]))
      const { violations } = await globalThis.axe.run(document, { rules })
      const places = [document.documentElement, ...document.querySelectorAll('.screen, .details, .dialog-place, .actions')]
      const wide = places.filter((place) => place.scrollWidth > place.clientWidth + 1)
      return [
        ...violations.flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
        ),
        ...wide.map((place) => `wider than its place: ${place.className || 'the page'}`),
      ]
    })
  }
}
