// The day of three people by keyboard alone, in the real window. A screen reader's ear hears it: what is said, and that
// nothing else is. HOLDFAST_WINDOW names the program, HOLDFAST_EAR the one that listens on the accessibility bus.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ear } from './ear.mjs'
import {
  clerkTakesThree,
  inspectorRecordsAFailedFooting,
  supervisorSeesTheBooks,
  theBooksOf,
  watchesThemBecomeRecorded,
} from './journey.mjs'
import { Window } from './webdriver.mjs'

let window
let ear

before(async () => {
  window = await Window.open(process.env.HOLDFAST_WINDOW, ['--demo'])
  await window.until('.mode-words', /Permit system answering/)
  ear = await Ear.open(process.env.HOLDFAST_EAR)
})

after(async () => {
  await ear?.close()
  await window?.close()
})

test('three people get through an outage by keyboard alone, and the books balance', async () => {
  await clerkTakesThree(window)
  await inspectorRecordsAFailedFooting(window)
  await supervisorSeesTheBooks(window, { accepted: 4 })
  await watchesThemBecomeRecorded(window)
  const { accepted, committed } = await theBooksOf(window)
  assert.deepEqual({ accepted, committed }, { accepted: 4, committed: 4 })
})

test('a screen reader hears the outage once and the end of the drain once, and no countdown', async () => {
  const heard = await ear.until(/All 3 items are recorded/)
  const about = (words) => heard.filter((text) => words.test(text)).length
  assert.equal(about(/not answering/i), 1, heard.join('\n'))
  assert.equal(about(/items are recorded/), 1, heard.join('\n'))
  assert.equal(about(/not being saved/), 0, heard.join('\n'))
  assert.equal(about(/next try|\d+ s\b|second/i), 0, heard.join('\n'))
})
