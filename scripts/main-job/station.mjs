// The station, through holdfastctl: each verb of the main job with the exit codes that it may end with.

import { ProgramFailed, run } from './programs.mjs'

const verb_max_s = 60

export class Station {
  #program
  #options
  #env

  constructor(program, { data, config, passphrase, env }) {
    this.#program = program
    this.#options = ['--data-dir', data, '--config', config, '--key-provider', 'passphrase', '--passphrase-file', passphrase, '--json']
    this.#env = env
  }

  init(sor_url) {
    return this.#ask(['init', '--sor', sor_url, '--station', 'front-1'])
  }

  signIn(user, password) {
    return this.#ask(['sign-in', '--user', user], { input: `${password}\n` })
  }

  refreshContract() {
    return this.#ask(['contract', 'refresh'])
  }

  /** Exit 6: some rows were refused, by line; the others were taken. */
  importFile(file) {
    return this.#ask(['import', file], { may_end_with: [0, 6] })
  }

  submit(operation) {
    return this.#ask(['submit', '-'], { input: JSON.stringify(operation) })
  }

  /** Exit 3: done, but the station is degraded. */
  status() {
    return this.#ask(['status'], { may_end_with: [0, 3] })
  }

  /** In the order of work. */
  async waiting() {
    const { operations } = await this.#ask(['queue', 'list'])
    return operations
  }

  /** Waits through open breakers; exit 3: the time was over before the queue was empty. */
  drain(max_s) {
    return this.#ask(['drain', '--until-empty', '--max-s', String(max_s)], { may_end_with: [0, 3], max_s: max_s + verb_max_s })
  }

  verifyAudit() {
    return this.#ask(['audit', 'verify'], { may_end_with: [0, 4] })
  }

  async #ask(verb, { input, may_end_with = [0], max_s = verb_max_s } = {}) {
    const { code, data, talk } = await run(this.#program, [...this.#options, ...verb], { env: this.#env, input, max_s })
    if (!may_end_with.includes(code)) {
      throw new ProgramFailed(`holdfastctl ${verb.join(' ')} ended with ${code}:\n${talk}\n${data.trim()}`)
    }
    return { code, ...(data.trim() ? JSON.parse(data) : {}) }
  }
}
