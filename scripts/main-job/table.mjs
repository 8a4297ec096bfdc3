// What a person sees: headings, a table that grows by a row only when something changed, and the verdict.
// Plain text wherever nobody is looking at a terminal or NO_COLOR is set; a word always says what a colour says.

const COLUMNS = [
  ['time', 7],
  ['SoR', 12],
  ['mode', 13],
  ['breaker', 9],
  ['waiting', 7],
  ['in flight', 9],
  ['recorded', 8],
  ['set aside', 9],
  ['ledger', 6],
]
const FIRST_NUMBER = 4

// Numbers alone make a new row at most this often; a change of a word always does.
const numbers_every_ms = 900

const coloured = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code) => (text) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text)
const bold = paint('1')
const dim = paint('2')
const good = paint('32')
const warn = paint('33')
const bad = paint('1;31')

const MOODS = { normal: good, recovering: good, answers: good, closed: good }

const print = (text = '') => process.stdout.write(`${text}\n`)

export const title = (text) => print(bold(text))
export const heading = (text) => print(`\n${bold(text)}`)
export const note = (text) => print(`  ${text}`)

/** Says whether one thing holds, with what is wrong when it does not. */
export function judge(what, wrong) {
  print(`  ${wrong.length === 0 ? good('holds ') : bad('BROKEN')}  ${what}`)
  for (const line of wrong.slice(0, 5)) print(`          ${line}`)
  if (wrong.length > 5) print(`          and ${wrong.length - 5} more`)
}

export const verdict = (holds, text) => print(`\n${(holds ? good : bad)(text)}`)

export class Table {
  #began = Date.now()
  #last = []
  #printed_at = 0

  /** Takes what is known now; prints it if it differs from the last row. */
  show(condition, status, ledger_count) {
    const row = rowOf(condition, status, ledger_count)
    const words_changed = differ(row.slice(0, FIRST_NUMBER - 1), this.#last)
    const rested = Date.now() - this.#printed_at >= numbers_every_ms
    if (words_changed || (rested && differ(row, this.#last))) this.#print(row)
  }

  /** The same without a rest: how it stands at the end is always shown. */
  close(condition, status, ledger_count) {
    const row = rowOf(condition, status, ledger_count)
    if (differ(row, this.#last)) this.#print(row)
  }

  #print(row) {
    const first = this.#last.length === 0
    if (first) print(line(COLUMNS.map(([name]) => name), dim))
    this.#last = row
    this.#printed_at = Date.now()
    print(line([`${((Date.now() - this.#began) / 1000).toFixed(1)} s`, ...row], mood))
  }
}

const differ = (cells, others) => cells.some((cell, at) => cell !== others[at])

function rowOf(condition, { mode, breakers, books }, ledger_count) {
  const { state } = breakers.find(({ endpoint }) => endpoint === 'primary')
  const numbers = [books.pending, books.in_flight, books.committed, books.quarantined, ledger_count]
  return [condition, mode, state, ...numbers].map((cell) => String(cell).replaceAll('_', ' '))
}

/** Pads first and paints then, since colours have no width. */
function line(cells, colour) {
  const padded = cells.map((cell, at) => {
    const width = COLUMNS[at][1]
    return colour(isWord(at) ? cell.padEnd(width) : cell.padStart(width), at)
  })
  return `  ${padded.join('  ')}`.trimEnd()
}

const isWord = (at) => at > 0 && at < FIRST_NUMBER

function mood(padded, at) {
  if (at === 0) return dim(padded)
  return isWord(at) ? (MOODS[padded.trim()] ?? warn)(padded) : padded
}
