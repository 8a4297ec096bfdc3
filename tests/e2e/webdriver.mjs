// A person at the real window, through WebKitWebDriver: looks, presses keys, clicks. Knows nothing of permits.
//
// The driver starts the program itself. Without the two variables below the program's web view never answers the driver.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { protocolKeys } from './keys.mjs'

const AUTOMATION = { TAURI_AUTOMATION: 'true', TAURI_WEBVIEW_AUTOMATION: 'true' }
const answer_max_ms = 30_000
const ready_max_ms = 15_000
const look_every_ms = 100
/** By its labels, its own words, or the field it is part of. */
export const NAME_OF_THE_FOCUSED = `
  const at = document.activeElement
  if (!at || at === document.body) return null
  const named = (at.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.innerText ?? '')
  const labels = [...(at.labels ?? [])].map((label) => label.innerText)
  const group = at.closest('[role=radiogroup], fieldset')
  const words = [at.getAttribute('aria-label'), ...named, ...labels, at.innerText, group?.getAttribute('aria-label')]
  return words.filter(Boolean).join(' ').replace(/\\s+/g, ' ').trim() || at.tagName.toLowerCase()`
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export class Window {
  #driver
  #session

  /** Opens the program in a window; `close` ends both. */
  static async open(program, args) {
    const window = new Window()
    const port = await freePort()
    window.#driver = spawn('WebKitWebDriver', [`--port=${port}`], { env: { ...inherited(), ...AUTOMATION }, stdio: 'ignore' })
    const base = `http://127.0.0.1:${port}`
    try {
      await within(ready_max_ms, 'the driver does not come up', () => isReady(base))
      const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary: program, args } } }
      const { sessionId } = await ask('POST', `${base}/session`, { capabilities })
      window.#session = `${base}/session/${sessionId}`
      return window
    } catch (error) {
      await window.close()
      throw error
    }
  }

  /** Ends the program as a power cut would: at once, without a word to it. */
  async kill() {
    for (const pid of await childrenOf(this.#driver.pid)) process.kill(pid, 'SIGKILL')
    await this.close()
  }

  async close() {
    if (this.#session) await ask('DELETE', this.#session).catch(() => {})
    if (this.#driver.exitCode !== null || this.#driver.signalCode !== null) return
    this.#driver.kill('SIGTERM')
    await once(this.#driver, 'exit')
  }

  title() {
    return ask('GET', `${this.#session}/title`)
  }

  /** The words of the first element that the selector finds; none when there is none. */
  words(selector) {
    return this.#script(
      'const found = document.querySelector(arguments[0]); return found ? found.innerText.replace(/\\s+/g, " ").trim() : null',
      [selector],
    )
  }

  /** Looks until the words of an element are as wanted; says what they were when they never are. */
  async until(selector, wanted, max_ms = 30_000) {
    let seen = null
    try {
      await within(max_ms, '', async () => wanted.test((seen = await this.words(selector)) ?? ''))
    } catch {
      throw new Error(`${selector} never said ${wanted}; at last it said: ${seen}`)
    }
    return seen
  }

  async click(xpath) {
    const found = await within(answer_max_ms, `nothing to click at ${xpath}`, () =>
      ask('POST', `${this.#session}/element`, { using: 'xpath', value: xpath }).catch(() => null),
    )
    // The driver does not scroll a part of the page, only the page.
    await this.#script('arguments[0].scrollIntoView({ block: "center" })', [found])
    await ask('POST', `${this.#session}/element/${found[ELEMENT]}/click`, {})
  }

  /** One chord, as a person says it: "Ctrl+Enter". */
  async press(chord) {
    const keys = protocolKeys(chord)
    const actions = [
      ...keys.map((value) => ({ type: 'keyDown', value })),
      ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]
    await this.#keyboard(actions)
  }

  /** A text, letter by letter. */
  async type(text) {
    const letters = [...text]
    await this.#keyboard(letters.flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]))
  }

  #keyboard(actions) {
    return ask('POST', `${this.#session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  /** What has the focus, as a person would name it: its label or words. */
  focused() {
    return this.#script(NAME_OF_THE_FOCUSED, [])
  }

  /** What stands in the field that has the focus. */
  value() {
    return this.#script('return document.activeElement?.value ?? null', [])
  }

  /** Looks until what has the focus is named so. */
  async untilFocused(wanted, max_ms = 30_000) {
    let seen = null
    try {
      await within(max_ms, '', async () => wanted.test((seen = await this.focused()) ?? ''))
    } catch {
      throw new Error(`the focus never came to ${wanted}; at last it was on: ${seen}`)
    }
    return seen
  }

  /** Asks the program for what has no screen yet, through the page's own door; a refusal is thrown. */
  async command(name, args = {}) {
    const { answer, refused } = await this.#script(
      `const [name, args, done] = arguments
       window.__TAURI_INTERNALS__.invoke(name, args).then((answer) => done({ answer }), (refused) => done({ refused }))`,
      [name, args],
      'async',
    )
    if (refused !== undefined) throw Object.assign(new Error(`${name} was refused: ${JSON.stringify(refused)}`), { refused })
    return answer
  }

  /** Runs a program text in the page. */
  evaluate(text) {
    return this.#script(text, [])
  }

  #script(script, args, way = 'sync') {
    return ask('POST', `${this.#session}/execute/${way}`, { script, args })
  }
}

/** Settings of the person who runs this must not change what is shown. */
function inherited() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_')))
}

async function childrenOf(parent) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').then(parentIn, () => null)))
  return pids.filter((_, at) => parents[at] === parent).map(Number)
}

/** The name before it, in brackets, may hold anything. */
const parentIn = (stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])

async function ask(method, url, body) {
  const answer = await fetch(url, {
    method,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(answer_max_ms),
  })
  const { value } = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value?.error}: ${value?.message}`)
  return value
}

async function isReady(base) {
  const status = await ask('GET', `${base}/status`).catch(() => null)
  return status?.ready === true
}

/** Tries until it gets something; at most so long. */
async function within(max_ms, complaint, attempt) {
  const end = Date.now() + max_ms
  for (;;) {
    const got = await attempt()
    if (got) return got
    if (Date.now() > end) throw new Error(complaint)
    await new Promise((resolve) => setTimeout(resolve, look_every_ms))
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
