// A working day by keyboard alone: what three people do at the window, whichever driver carries their keys. `desk` is a
// `Window` or a `Browser`; `look(name)` is called wherever a screen is whole, for whoever wants to judge it.

import assert from 'node:assert/strict'

const MODE_WORDS = '.mode-words'
const MODE_BAR = '.mode'
const HEADER = '.header'
const TITLE = '.screen-title'
const MAIN = '.main'
const RECEIPT = /^Receipt (front-1-\d+)$/
const tabs_max = 60

/** Presses Tab until what has the focus is named so. */
export async function tabTo(desk, wanted) {
  const passed = []
  for (let tab = 0; tab < tabs_max; tab += 1) {
    const at = await desk.focused()
    if (wanted.test(at ?? '')) return at
    passed.push(at)
    await desk.press('Tab')
  }
  throw new Error(`Tab never came to ${wanted}; it passed: ${passed.join(' | ')}`)
}

const rows_max = 30

/** Into the list, which is one stop of Tab, and down to the row that is named so. */
export async function rowTo(desk, anyRow, wanted) {
  await tabTo(desk, anyRow)
  for (let row = 0; row < rows_max; row += 1) {
    if (wanted.test((await desk.focused()) ?? '')) return
    await desk.press('ArrowDown')
  }
  throw new Error(`no row is named ${wanted}`)
}

/** The panel of the demonstration, in Details: F8, Tab, Enter, and back with Escape. */
async function panel(desk, button) {
  await desk.press('F8')
  await desk.untilFocused(/Details/)
  await tabTo(desk, button)
  await desk.press('Enter')
  await desk.press('Escape')
}

export async function becomes(desk, person) {
  await panel(desk, new RegExp(`^${person}$`, 'i'))
  await desk.until(HEADER, new RegExp(`${person}, ${person}`))
}

export async function breaks(desk) {
  await panel(desk, /Refuse/i)
}

export async function mends(desk) {
  await panel(desk, /Mend/i)
}

/** The heading comes before the form, which the station has to give first. */
export async function formIsThere(desk) {
  await desk.until(TITLE, /New application/)
  await desk.untilFocused(/New application/)
  await desk.until(MAIN, /Site address/)
}

/** An application, from the key for a new one to its receipt. Answers the receipt number. */
export async function takesIn(desk, { address, parcel, type, applicant, valuation }) {
  await desk.press('Alt+1')
  await formIsThere(desk)
  await tabTo(desk, /^Site address/)
  await desk.type(address)
  await tabTo(desk, /^Parcel/)
  await desk.type(parcel)
  await tabTo(desk, /^Permit type/)
  await desk.type(type)
  await desk.press('Enter')
  await tabTo(desk, /^Applicant/)
  await desk.type(applicant)
  await tabTo(desk, /^Valuation/)
  await desk.type(valuation)
  await desk.press('Ctrl+Enter')
  const said = await desk.until(TITLE, RECEIPT)
  await desk.untilFocused(RECEIPT)
  return RECEIPT.exec(said)[1]
}

const intakes = [
  { address: '12 Oak St', parcel: '0010-22-417', type: 'Roof', applicant: 'Ana María Ñúñez', valuation: '2,512.00' },
  { address: '7 Mill Rd', parcel: '0010-22-418', type: 'Plumbing', applicant: 'J. Dunmore', valuation: '$4,000' },
  { address: '101 River Ave', parcel: '0010-22-419', type: 'Fence', applicant: 'Lee Park', valuation: '800' },
]

/** Takes one, breaks the permit system, takes two more, and sees what waits. */
export async function clerkTakesThree(desk, look = async () => {}) {
  await desk.until(MODE_WORDS, /Permit system answering/)
  const first = await takesIn(desk, intakes[0])
  await desk.until(MAIN, /Recorded (\d|today)/)
  await look('receipt recorded')
  await breaks(desk)
  const second = await takesIn(desk, intakes[1])
  await desk.until(MAIN, /Not yet in the permit system/)
  await look('receipt waiting')
  const third = await takesIn(desk, intakes[2])
  await desk.until(MODE_WORDS, /not answering since/)
  await desk.until(MODE_BAR, /2 waiting/)
  await desk.press('Alt+3')
  await desk.untilFocused(/Waiting/)
  for (const receipt of [second, third]) await desk.until(MAIN, new RegExp(`${receipt}\\b`))
  await look('waiting')
  return { first, second, third }
}

/** Records a failed footing in the outage; the next one is due 48 hours later. */
export async function inspectorRecordsAFailedFooting(desk, look = async () => {}) {
  await becomes(desk, 'inspector')
  await desk.press('Alt+1')
  await desk.until(MAIN, /Footing/)
  await look('today')
  await rowTo(desk, /AF-2026-/, /Footing/)
  await desk.press('Enter')
  await desk.until(TITLE, /Footing/)
  await desk.until(MAIN, /Passed/)
  await look('inspection')
  await desk.press('Alt+R')
  await desk.press('2')
  await desk.press('Alt+N')
  await desk.type('Rebar too close to the form on the north side.')
  await desk.press('Ctrl+Enter')
  await desk.until(MAIN, /Rejected/)
  const said = await desk.until(MAIN, /[Rr]e-inspection due/)
  await look('result saved')
  return said
}

/** As supervisor sees the outage from above, and after it the books balance. */
export async function supervisorSeesTheBooks(desk, { accepted }, look = async () => {}) {
  await becomes(desk, 'supervisor')
  await desk.press('Alt+1')
  await desk.until(MAIN, /Balanced/)
  await desk.until(MAIN, new RegExp(`\\b${accepted}\\b.*Accepted`))
  await look('sync')
  await desk.press('Alt+3')
  await desk.until(MAIN, /Permits/)
  await look('outages')
}

/** The permit system answers again: what waits becomes recorded before the eyes of whoever looks at it. */
export async function watchesThemBecomeRecorded(desk, look = async () => {}) {
  await becomes(desk, 'clerk')
  await desk.press('Alt+3')
  await desk.untilFocused(/Waiting/)
  await mends(desk)
  await desk.until(MAIN, /Nothing waits/)
  await desk.until(MODE_WORDS, /answering\.|is over/)
  await look('nothing waits')
}

export async function theBooksOf(desk) {
  const { status } = await desk.command('standing')
  const { books } = status
  assert.equal(books.accepted, books.pending + books.in_flight + books.committed + books.quarantined + books.voided)
  return books
}
