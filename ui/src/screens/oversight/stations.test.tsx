import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import type { BoardSaid, StationsView } from '../../api/generated/wire'
import type { memoryBackend } from '../../api/memory'

type Station = ReturnType<typeof memoryBackend>
const supervisor = { session: signedIn('supervisor'), path: 'oversight/stations' }

/** The board says this whenever it is asked. */
function saying(said: BoardSaid, before?: StationsView) {
  return (station: Station) => {
    const none = { as_of: null, stations: [] }
    station.askBoard = async () => ({ ...(before ?? none), board: said })
    station.stations = async () => ({ ...(before ?? none), board: { said: 'not_asked' } })
  }
}

test('every computer is listed with when it was heard, and a silent one is never called well', async () => {
  const { container } = await openWindow(supervisor)
  const silent = await screen.findByRole('row', { name: /back-1/ })
  expect(silent.textContent).toMatch(/Not heard since .*3[78] min/)
  expect(silent.textContent).not.toMatch(/Heard just now|Heard \d/)
  expect(
    within(silent)
      .getByText(/Not heard since/)
      .closest('.pill')
      ?.getAttribute('data-tone'),
  ).toBe('attention')
  expect(screen.getByRole('row', { name: /front-1 \(this one\)/ }).textContent).toContain('Heard just now')
  expect(screen.getByRole('row', { name: /front-2/ }).textContent).toMatch(/Heard [12] min ago/)
  expect(screen.getByText(/^As of /)).toBeTruthy()
  await expectAccessible(container)
})

test('what waits at a computer is named by receipt, number, time and who handed it in', async () => {
  const { user, container } = await openWindow(supervisor)
  const row = await screen.findByRole('row', { name: /back-1/ })
  row.focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { level: 2, name: 'Computer back-1' })).toBeTruthy()
  const item = await screen.findByRole('row', { name: /back-1-28/ })
  expect(item.textContent).toMatch(/AF-2026-00128.*Note.*rosa.*Waiting/)
  expect(screen.getAllByRole('row', { name: /back-1-\d+/ })).toHaveLength(3)
  await expectAccessible(container)
})

test('a board that does not answer leaves its last word standing, with its age', async () => {
  const { container } = await openWindow({
    ...supervisor,
    before: async (station: Station) =>
      saying({ said: 'not_answering', next_try_at: null }, await station.askBoard())(station),
  })
  expect(await screen.findByText(/The board does not answer\. This is what it said at /)).toBeTruthy()
  expect(screen.getByRole('row', { name: /back-1/ })).toBeTruthy()
  await expectAccessible(container)
})

test('a board that never said anything is not shown as an office without work', async () => {
  await openWindow({ ...supervisor, before: saying({ said: 'wrong_system' }) })
  expect(
    await screen.findByText('What answers is not the board. It never said anything before.'),
  ).toBeTruthy()
  expect(screen.getByText('The board was never heard from here.')).toBeTruthy()
})

test('without a board the screen says so', async () => {
  const { container } = await openWindow({ ...supervisor, before: saying({ said: 'no_board' }) })
  expect(await screen.findByText(/^No board is set up for this computer/)).toBeTruthy()
  await expectAccessible(container)
})

test('what cannot be read is told with what is safe and how to try again', async () => {
  const { container } = await openWindow({
    ...supervisor,
    before: (station: Station) => {
      station.stations = () => Promise.reject(new Error('storage'))
    },
  })
  expect(await screen.findByRole('heading', { name: /could not be read/ })).toBeTruthy()
  expect(screen.getByText('HF-506')).toBeTruthy()
  await expectAccessible(container)
})
