// The main job, in the terminal: work accepted while the SoR is down reaches it, once and in order, when it answers.
//
//   node scripts/main-job.mjs --target DIR [--keep]     (./run.sh builds the programs and calls this)
//
// Nothing here is simulated: the programs are the real ones, the store is encrypted and on a real disk, the SoR is
// reached over HTTP. Exit 0 only if every promise that is checked at the end holds; 4 if one does not; 1 if the job
// could not be done.

import { randomBytes } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { endAll, serve } from './main-job/programs.mjs'
import { RecordSystem } from './main-job/record-system.mjs'
import { Station } from './main-job/station.mjs'
import { heading, judge, note, Table, title, verdict } from './main-job/table.mjs'
import { notAudited, notExactlyOnce, notRising, unbalanced, unfinished } from './main-job/verdict.mjs'

const SAMPLE = fileURLToPath(new URL('../tests/samples/permits-sample.csv', import.meta.url))

// Shorter than in an office, so that nobody waits half a minute for a breaker; no rule is looser.
const CONFIG = `
breaker_reset_s = 2
first_drain_jitter_s = 0
attempt_backoff_max_s = 2
`

const write_delay_ms = 40
const look_every_ms = 100
const wait_max_s = 90
const drain_max_s = 180
const TMPFS = [0x01021994, 0x858458f6]

async function mainJob({ station, sor, sor_url }) {
  heading('1  The SoR answers: the station enrols, the clerk signs in, the rules are fetched.')
  const { identity } = await station.init(sor_url)
  const { actor, roles } = await station.signIn('clerk', 'demo-clerk')
  const rules = await station.refreshContract()
  note(`SoR ${identity}; ${actor} signed in as ${roles.join(', ')}; rules version ${rules.version}`)

  heading('2  The SoR is cut, and the counter stays open.')
  await sor.cut()
  const accepted_keys = await acceptWork(station)

  heading('3  Everything is brought to the SoR, which comes back and is cut again twice on the way.')
  const table = new Table()
  const watching = watch(station, sor, table)
  const drained = await Promise.all([station.drain(drain_max_s), breakAndMend(station, sor, accepted_keys.length)])
    .finally(() => watching.stop())
  note(`the drain ended: ${drained[0].stopped_because}`)

  heading('4  What is left to show.')
  return judgeAll(station, sor, accepted_keys)
}

/** Imports the sample and moves one application on by two stages. Answers with the keys of all that was accepted. */
async function acceptWork(station) {
  const taken = await station.importFile(SAMPLE)
  note(`imported: ${taken.accepted} rows accepted, each on this disk and with a receipt; ${taken.refused.length} refused`)
  for (const { line, problems } of taken.refused) note(`  line ${line}: ${problems.map((p) => p.message).join('; ')}`)
  const [{ application_id }] = await station.waiting()
  for (const to of ['PrelimReview', 'FeeEstimated']) {
    const { receipt_no } = await station.submit({ kind: 'stage', application_id, payload: { to } })
    note(`the first of them goes on to ${to}: receipt ${receipt_no}`)
  }
  return (await station.waiting()).map(({ idempotency_key }) => idempotency_key)
}

/** Mends the SoR, cuts it at a third, and at two thirds once more, this time after an answer was lost on the way. */
async function breakAndMend(station, sor, all) {
  await untilBreaker(station, 'open')
  await sor.mend(write_delay_ms)

  await untilLedger(sor, all / 3)
  await sor.cut()
  await untilBreaker(station, 'open')
  await sor.mend(write_delay_ms)

  await untilLedger(sor, (all * 2) / 3)
  await sor.loseAnswers()
  await untilLedger(sor, (await sor.ledger()).length + 1)
  await sor.cut()
  await untilBreaker(station, 'open')
  await sor.mend(write_delay_ms)
}

async function judgeAll(station, sor, accepted_keys) {
  const { books } = await station.status()
  const ledger = await sor.ledger()
  const again = await station.importFile(SAMPLE)
  const audit = await station.verifyAudit()
  const findings = [
    ['the books balance', unbalanced(books)],
    ['nothing is left on the way or set aside', unfinished(books)],
    [`each of the ${accepted_keys.length} accepted operations is in the ledger exactly once`, notExactlyOnce(accepted_keys, ledger)],
    ['the ledger rises within every application', notRising(ledger)],
    ['the same file again brings nothing new', again.accepted === 0 ? [] : [`${again.accepted} were accepted twice`]],
    [`the audit chain is whole (${audit.events} events)`, notAudited(audit, accepted_keys.length)],
  ]
  note(`books: ${Object.entries(books).map(([book, count]) => `${book.replace('_', ' ')} ${count}`).join(', ')}`)
  note(`ledger: ${ledger.length} effects`)
  for (const [what, wrong] of findings) judge(what, wrong)
  return findings.every(([, wrong]) => wrong.length === 0)
}

/** Looks at station and ledger beside the drain and shows what changed, until it is stopped. */
function watch(station, sor, table) {
  let on = true
  const look = async () => {
    const [status, ledger] = [await station.status(), await sor.ledger()]
    return [sor.condition, status, ledger.length]
  }
  const watched = (async () => {
    while (on) {
      table.show(...(await look()))
      await pause(look_every_ms)
    }
    table.close(...(await look()))
  })()
  watched.catch(() => {}) // reported by stop()
  return {
    stop() {
      on = false
      return watched
    },
  }
}

const untilBreaker = (station, wanted) =>
  until(`the breaker is ${wanted}`, async () => {
    const { breakers } = await station.status()
    return breakers.some(({ endpoint, state }) => endpoint === 'primary' && state === wanted)
  })

const untilLedger = (sor, count) =>
  until(`${Math.ceil(count)} effects are in the ledger`, async () => (await sor.ledger()).length >= count)

async function until(what, holds) {
  const last_moment = Date.now() + wait_max_s * 1000
  while (!(await holds())) {
    if (Date.now() > last_moment) throw new Error(`waited ${wait_max_s} s in vain until ${what}`)
    await pause(look_every_ms)
  }
}

/** A folder that is thrown away: under the target folder, else under /var/tmp; never in memory. */
async function makeFolder(target) {
  for (const parent of [join(target, 'main-job'), '/var/tmp']) {
    await mkdir(parent, { recursive: true })
    if (TMPFS.includes(statfsSync(parent).type)) continue
    return mkdtemp(join(parent, 'run-'))
  }
  throw new Error('no folder on a real disk was found: the queue does not go into memory')
}

async function prepare(folder) {
  const paths = Object.fromEntries(['data', 'config.toml', 'passphrase', 'sor.sqlite'].map((name) => [name, join(folder, name)]))
  await writeFile(paths.passphrase, randomBytes(24).toString('base64url'), { mode: 0o600 })
  await writeFile(paths['config.toml'], CONFIG)
  return paths
}

async function start(target, folder) {
  const paths = await prepare(folder)
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') }
  const addresses = await serve(
    join(target, 'debug', 'reference-sor'),
    ['--listen', '127.0.0.1:0', '--db', `sqlite:${paths['sor.sqlite']}`, '--drill-listen', '127.0.0.1:0', '--demo-data'],
    { env, names: ['listening', 'drill_listening'] },
  )
  const options = { data: paths.data, config: paths['config.toml'], passphrase: paths.passphrase, env }
  return {
    station: new Station(join(target, 'debug', 'holdfastctl'), options),
    sor: new RecordSystem(addresses.drill_listening),
    sor_url: addresses.listening,
  }
}

async function main() {
  const { values } = parseArgs({ options: { target: { type: 'string' }, keep: { type: 'boolean', default: false } } })
  const folder = await makeFolder(resolve(values.target ?? 'target'))
  const leave = async (code) => {
    await endAll()
    if (values.keep) process.stderr.write(`kept: ${folder}\n`)
    else await rm(folder, { recursive: true, force: true })
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => leave(1))
  // Whoever reads may go away first, as `| head` does; the programs must not outlive the job.
  process.stdout.on('error', () => leave(1))

  title('Holdfast: the main job')
  try {
    const holds = await mainJob(await start(resolve(values.target ?? 'target'), folder))
    verdict(holds, holds ? 'Everything accepted was recorded, once and in order.' : 'A promise does not hold; see above.')
    await leave(holds ? 0 : 4)
  } catch (error) {
    verdict(false, `The job could not be done: ${error.message}`)
    await leave(1)
  }
}

if (!existsSync(SAMPLE)) throw new Error(`the sample is missing: ${SAMPLE}`)
await main()
