import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import { Refusal } from '../../api/backend'
import type { memoryBackend } from '../../api/memory'

type Station = ReturnType<typeof memoryBackend>
const supervisor = { session: signedIn('supervisor') }
const lost = (station: Station) => station.loseRecorded(3)

test('what the permit system lacks is named with its numbers, and the bar says that a supervisor is waited for', async () => {
  const { container } = await openWindow({ ...supervisor, before: lost })
  await screen.findByRole('heading', { level: 2, name: 'Missing in the permit system' })
  expect(screen.getByText(/3 recorded items are missing there and wait for a supervisor/)).toBeTruthy()
  expect(screen.getByText(/Permits printed with it are not in the permit system now/)).toBeTruthy()
  const rows = (await screen.findAllByRole('row')).map((row) => row.textContent ?? '')
  expect(rows.filter((row) => row.includes('AF-2026-'))).toHaveLength(3)
  expect(rows.some((row) => row.includes('front-1-2') && row.includes('AF-2026-00002'))).toBe(true)
  await expectAccessible(container)
})

test('sending again is asked for once more, needs a reason, and ends the matter', async () => {
  const { user, backend } = await openWindow({ ...supervisor, before: lost })
  const open = async () => user.click(await screen.findByRole('button', { name: 'Send all again…' }))
  await open()
  expect(await screen.findByRole('alertdialog', { name: 'Send 3 items again?' })).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Not now')
  await user.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Enter the reason.')).toBeTruthy()
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'The copy of Friday was put back')
  await open()
  await user.click(await screen.findByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(screen.queryByText('Missing in the permit system')).toBeNull())
  expect((await backend.restore({ skip: 0, rows: 1 })).restore?.stage).toBe('sent_again')
})

test('what the station says against it is said, and nothing is hidden', async () => {
  const { user, backend } = await openWindow({ ...supervisor, before: lost })
  backend.settleRestore = () => Promise.reject(new Refusal({ code: 'not_permitted' }))
  await user.click(await screen.findByRole('button', { name: 'Leave them missing…' }))
  await user.click(await screen.findByRole('button', { name: 'Leave missing' }))
  expect(await screen.findByText('Only a supervisor may decide. Nothing was changed.')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Missing in the permit system' })).toBeTruthy()
})

test('numbers that are not given out again are told, in Spanish too', async () => {
  const { backend } = await openWindow({ ...supervisor, settings: { language: 'es-US' } })
  backend.restore = async () => ({
    restore: null,
    rows: [],
    skipped: [{ first: 43, last: 57, noticed_at: '2026-11-30T08:00:00.000Z' }],
  })
  act(() => backend.tell({ told: 'changed', topics: ['standing'] }))
  expect(await screen.findByText(/front-1-43 a front-1-57/)).toBeTruthy()
})
