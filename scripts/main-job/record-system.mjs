// The reference SoR as the drill sees it: it can be cut, mended and asked for its ledger, whatever the station thinks.

const answer_max_ms = 5_000
const OPERATIONS = { path: '/v1/operations', method: 'POST' }

export class RecordSystem {
  #drill
  /** In words, for the table: what was last done to it. */
  condition = 'answers'

  constructor(drill_url) {
    this.#drill = drill_url
  }

  /** Nothing listens any more: connections are refused. */
  async cut() {
    this.condition = 'cut'
    await this.#put([{ do: 'refuse' }])
  }

  /** It answers again, each write a little late, so that there is something to watch. */
  async mend(delay_ms) {
    await this.#put([{ on: OPERATIONS, do: 'slow', delay_ms }])
    this.condition = 'answers'
  }

  /** Every write is applied, and its answer is lost on the way. */
  async loseAnswers() {
    this.condition = 'answers lost'
    await this.#put([{ on: OPERATIONS, do: 'commit_then_drop' }])
  }

  /** One entry per effect, in the order in which they arrived. */
  async ledger() {
    const { effects } = await this.#ask('GET', '/drill/ledger')
    return effects
  }

  #put(faults) {
    return this.#ask('PUT', '/drill/faults', { faults })
  }

  async #ask(method, path, body) {
    const answer = await fetch(new URL(path, this.#drill), {
      method,
      headers: body && { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(answer_max_ms),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`the drill listener answered ${answer.status} to ${method} ${path}: ${text}`)
    return text ? JSON.parse(text) : {}
  }
}
