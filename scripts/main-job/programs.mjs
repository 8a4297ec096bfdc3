// Starts the programs of the main job, speaks to them, and ends every one that it started.
// Deliberately knows nothing of books or ledgers: it hands on what the programs print.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const ready_max_ms = 30_000
const end_max_ms = 5_000
const talk_kept_max_chars = 4_000

/** A program that could not do what the job needs of it; its own words are in the message. */
export class ProgramFailed extends Error {}

const running = new Set()
let ending = false

function begin(program, args, env) {
  if (ending) throw new ProgramFailed('the job is ending')
  const child = spawn(program, args, { env: { ...inherited(), ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  running.add(child)
  child.once('close', () => running.delete(child))
  child.stdin.on('error', () => {}) // a program that ends early need not read what it was told
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  return child
}

/** Settings of the person who runs this must not change what is shown. */
function inherited() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_')))
}

function talkOf(child) {
  let talk = ''
  child.stderr.on('data', (text) => {
    talk = (talk + text).slice(-talk_kept_max_chars)
  })
  return () => talk.trim()
}

/**
 * Runs a program to its end. Answers with its exit code and what it said.
 * After `max_s` seconds it is ended and the job fails.
 */
export async function run(program, args, { env, input = '', max_s }) {
  const child = begin(program, args, env)
  const talk = talkOf(child)
  let data = ''
  child.stdout.on('data', (text) => (data += text))
  child.stdin.end(input)
  const limit = setTimeout(() => child.kill('SIGKILL'), max_s * 1000)
  try {
    const [code, signal] = await once(child, 'close')
    if (code === null) throw new ProgramFailed(`${args.join(' ')} was ended by ${signal} (limit ${max_s} s)`)
    return { code, data, talk: talk() }
  } catch (error) {
    if (error instanceof ProgramFailed) throw error
    throw new ProgramFailed(`${program} cannot be started: ${error.message}`)
  } finally {
    clearTimeout(limit)
  }
}

/** Starts a server and waits for the addresses that it prints, one JSON object a line: {"listening": URL} first. */
export async function serve(program, args, { env, names }) {
  const child = begin(program, args, env)
  const talk = talkOf(child)
  child.stdin.end()
  const limit = setTimeout(() => child.kill('SIGKILL'), ready_max_ms)
  const addresses = {}
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      Object.assign(addresses, JSON.parse(line))
      if (names.every((name) => name in addresses)) break
    }
  } finally {
    clearTimeout(limit)
  }
  if (!names.every((name) => name in addresses)) throw new ProgramFailed(`${program} did not come up: ${talk()}`)
  child.stdout.resume()
  return addresses
}

/** Ends whatever still runs, asks first, then insists; from here on nothing is started any more. */
export async function endAll() {
  ending = true
  const children = [...running]
  const ended = children.map((child) => once(child, 'close'))
  for (const child of children) child.kill('SIGTERM')
  const insist = setTimeout(() => children.forEach((child) => child.kill('SIGKILL')), end_max_ms)
  await Promise.allSettled(ended)
  clearTimeout(insist)
}
