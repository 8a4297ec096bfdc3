// What a screen reader hears of the real window, line by line (see tests/hearing). Knows nothing of permits.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const hears_max_ms = 30_000

export class Ear {
  #program
  #heard = []

  /** After the window is shown: before somebody has looked, it has nothing to hear. */
  static async open(program) {
    const ear = new Ear()
    ear.#program = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: ear.#program.stdout })
    const [first] = await once(lines, 'line', { signal: AbortSignal.timeout(hears_max_ms) })
    if (JSON.parse(first).listening === null) throw new Error('no window is on the accessibility bus')
    lines.on('line', (line) => ear.#heard.push(JSON.parse(line).text))
    return ear
  }

  /** Everything heard so far, in order. */
  get heard() {
    return [...this.#heard]
  }

  /** Listens until something is said; answers all that was heard. */
  async until(wanted) {
    const end = Date.now() + hears_max_ms
    while (!this.#heard.some((text) => wanted.test(text))) {
      if (Date.now() > end) throw new Error(`never heard ${wanted}; heard: ${this.#heard.join(' | ')}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return this.heard
  }

  async close() {
    if (this.#program.exitCode !== null) return
    this.#program.stdin.end()
    await once(this.#program, 'exit')
  }
}
