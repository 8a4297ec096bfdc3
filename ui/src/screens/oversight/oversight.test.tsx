import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import { Refusal } from '../../api/backend'
import type { ReceiptView } from '../../api/generated/wire'
import type { memoryBackend } from '../../api/memory'

type Station = ReturnType<typeof memoryBackend>
const supervisor = { session: signedIn('supervisor'), mode: 'not_answering' as const }

/** Three applications; all but the last need a decision. */
async function twoToDecide(station: Station): Promise<ReceiptView[]> {
  const made = []
  for (const street of ['1 Oak St', '2 Elm St', '3 Ash St'])
    made.push(await station.submit({ kind: 'application', payload: { OriginalAddress1: street } }))
  const answer = {
    status: 422,
    problem: 'rejected',
    pointers: ['/payload/OriginalAddress1'],
    codes: ['HF-77'],
  }
  station.setAside(made[0]?.operation_id ?? '', 'rejected', answer)
  station.setAside(made[1]?.operation_id ?? '', 'conflict')
  return made
}

test('the books are shown as a sum with every term', async () => {
  const { container } = await openWindow({ ...supervisor, before: twoToDecide })
  const sum = (await screen.findByText('Balanced')).closest('section') as HTMLElement
  const terms = [...sum.querySelectorAll('.books-part')].map((part) => part.textContent)
  expect(terms).toEqual(['3Accepted', '1Waiting', '0Sending', '0Recorded', '2Need a decision', '0Voided'])
  await expectAccessible(container)
})

test('books that do not balance are told by word, with both numbers and whom to call', async () => {
  const { container } = await openWindow({
    ...supervisor,
    before: (station: Station) => {
      const standing = station.standing
      station.standing = async () => {
        const view = await standing()
        const books = { ...view.status.books, accepted: 71, committed: 70 }
        return { ...view, status: { ...view.status, books } }
      }
    },
  })
  const told = (await screen.findByText('Not balanced: difference of 1')).closest('section') as HTMLElement
  expect(told.dataset).toMatchObject({ tone: 'stop', shape: 'solid' })
  expect(told.textContent).toContain('Accepted: 71. Accounted for: 70.')
  expect(told.textContent).toContain('(555) 010-0199')
  expect(screen.queryByText('Balanced')).toBeNull()
  await expectAccessible(container)
})

test('the breaker’s own words stand under Technical details only', async () => {
  await openWindow({ ...supervisor, before: twoToDecide })
  await screen.findByText('Balanced')
  const own = screen.getAllByText(/\b(open|closed|half_open)\b/)
  expect(own.length).toBeGreaterThan(0)
  expect(own.every((element) => element.closest('details'))).toBe(true)
})

test('the backlog has a sentence, a picture for the eye, and the same figures as a table', async () => {
  await openWindow({ ...supervisor, before: twoToDecide })
  expect(await screen.findByText(/^1 item waits, since .*It was accepted in the hour from/)).toBeTruthy()
  const table = document.querySelector('.figures-table') as HTMLElement
  expect(document.querySelectorAll('.bar')).toHaveLength(table.querySelectorAll('tbody tr').length)
  expect(document.querySelector('.bars')?.getAttribute('aria-hidden')).toBe('true')
})

test('an item says why it is here, what was answered, and what was handed in', async () => {
  const { user, container } = await openWindow({
    ...supervisor,
    path: 'oversight/decide',
    before: twoToDecide,
  })
  await screen.findByText('1 Oak St')
  screen.getByRole('row', { name: /front-1-1/ }).focus()
  await user.keyboard('{Enter}')
  const heading = await screen.findByRole('heading', { level: 1, name: 'Application, 1 Oak St' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  const main = screen.getByRole('main')
  expect(main.textContent).toContain('The permit system refused it.')
  expect(main.textContent).toContain('It named: Site address.')
  expect(within(main).getByText(/HF-77/).closest('details')).toBeTruthy()
  expect(main.textContent).toContain('Item 1 of 2')
  await user.keyboard('{Control>}{ArrowDown}{/Control}')
  await screen.findByRole('heading', { level: 1, name: 'Application, 2 Elm St' })
  await user.keyboard('{Control>}{ArrowUp}{/Control}')
  await screen.findByRole('heading', { level: 1, name: 'Application, 1 Oak St' })
  await expectAccessible(container)
})

const opened = (made: ReceiptView[]) => `decision/${made[0]?.operation_id}`

async function openFirst() {
  let made: ReceiptView[] = []
  const shown = await openWindow({
    ...supervisor,
    path: 'oversight/decide',
    before: async (station: Station) => {
      made = await twoToDecide(station)
    },
  })
  act(() => {
    window.location.hash = `#/${opened(made)}`
  })
  await screen.findByRole('heading', { level: 1, name: 'Application, 1 Oak St' })
  return { ...shown, made }
}

test('a decision without a reason is answered beside the field and in the summary', async () => {
  const { user } = await openFirst()
  await user.keyboard('{Control>}{Enter}{/Control}')
  const summary = await screen.findByRole('heading', { level: 2, name: 'There is 1 problem' })
  await waitFor(() => expect(document.activeElement).toBe(summary))
  expect(screen.getAllByText('Enter the reason.')).toHaveLength(2)
})

test('what the station says against a decision is said as it is, and not as a missing reason', async () => {
  const { user, backend } = await openFirst()
  const problems = [{ pointer: '/state', code: 'not-waiting', message: 'waits for no decision' }]
  backend.decide = () => Promise.reject(new Refusal({ code: 'refused', problems }))
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Corrected there')
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText(/This waits for no decision now/)).toBeTruthy()
  expect(screen.queryByText('Enter the reason.')).toBeNull()
})

test('sent again, the next item’s heading takes the focus, and the last one leads to the list', async () => {
  const { user } = await openFirst()
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Corrected there')
  await user.keyboard('{Control>}{Enter}{/Control}')
  const next = await screen.findByRole('heading', { level: 1, name: 'Application, 2 Elm St' })
  await waitFor(() => expect(document.activeElement).toBe(next))
  expect(screen.getByText('front-1-1 is sent again.')).toBeTruthy()
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Corrected there, too')
  await user.keyboard('{Control>}{Enter}{/Control}')
  const list = await screen.findByRole('heading', { level: 1, name: 'Decide' })
  await waitFor(() => expect(document.activeElement).toBe(list))
  expect(await screen.findByText('Nothing needs a decision.')).toBeTruthy()
  expect(screen.getByText('front-1-2 is sent again.')).toBeTruthy()
})

test('voiding is asked for once more, and the harmless answer has the focus', async () => {
  const { user, backend, made } = await openFirst()
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Filed twice')
  await user.click(screen.getByRole('button', { name: 'Void…' }))
  expect(await screen.findByRole('alertdialog', { name: 'Void front-1-1?' })).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Keep item')
  await user.keyboard('{Escape}')
  expect((await backend.item(made[0]?.operation_id ?? '')).state).toBe('quarantined')
  await user.click(screen.getByRole('button', { name: 'Void…' }))
  await user.click(await screen.findByRole('button', { name: 'Void item' }))
  await screen.findByRole('heading', { level: 1, name: 'Application, 2 Elm St' })
  expect((await backend.item(made[0]?.operation_id ?? '')).state).toBe('voided')
})

test('what was decided elsewhere meanwhile can be read and no more', async () => {
  const { user, backend, made } = await openFirst()
  const item = await backend.item(made[0]?.operation_id ?? '')
  await act(() => backend.decide({ key: item.idempotency_key, decision: 'void', reason: 'x' }))
  expect(await screen.findByRole('heading', { name: 'This was decided meanwhile' })).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: /Reason/ })).toBeNull()
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Application, 2 Elm St' })).toBeTruthy()
})

test('an outage that goes on has no end, and its figures are so far', async () => {
  const { container } = await openWindow({ ...supervisor, path: 'oversight/outages', before: twoToDecide })
  const rows = (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent ?? '')
  expect(rows[0]).toMatch(/–.*Going on, 2 h.*3 so far/)
  expect(rows[1]).not.toContain('so far')
  await expectAccessible(container)
})

test('an empty register says so', async () => {
  await openWindow({
    ...supervisor,
    path: 'oversight/outages',
    before: (station: Station) => {
      station.outages = async () => ({ rows: [], all: 0 })
    },
  })
  expect(await screen.findByText('No outage on record.')).toBeTruthy()
})

test('an outage is opened, and says why it began, what was tried and how much of that is not shown', async () => {
  const { user, container } = await openWindow({
    ...supervisor,
    path: 'oversight/outages',
    before: twoToDecide,
  })
  await user.click((await screen.findAllByRole('row'))[1] as HTMLElement)
  expect(await screen.findByRole('heading', { level: 2, name: /Outage of/ })).toBeTruthy()
  expect(screen.getByText('612 tries')).toBeTruthy()
  expect(screen.getByText('607 tries between the first and the latest are not shown.')).toBeTruthy()
  expect(screen.getByRole('grid', { name: 'Tries, oldest first' })).toBeTruthy()
  await expectAccessible(container)
})

test('a supervisor stops sending until a time with a reason, and sends again', async () => {
  const { user, container } = await openWindow({ ...supervisor, path: 'oversight/sync' })
  await user.click(await screen.findByRole('button', { name: /Stop sending/ }))
  const dialog = await screen.findByRole('dialog', { name: /Stop sending to/ })
  await user.click(within(dialog).getByRole('button', { name: 'Stop sending' }))
  expect(await within(dialog).findByText(/Enter the day and the time/)).toBeTruthy()
  expect(within(dialog).getByText(/Enter a reason/)).toBeTruthy()
  await expectAccessible(dialog)
  const [hour] = within(dialog).getAllByRole('spinbutton', { name: /hour/ })
  await user.click(hour as HTMLElement)
  await user.keyboard('11')
  await user.keyboard('30')
  await user.keyboard('p')
  await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'The vendor updates it')
  await user.click(within(dialog).getByRole('button', { name: 'Stop sending' }))
  expect(await screen.findByRole('button', { name: 'Send again' })).toBeTruthy()
  expect((await screen.findAllByText(/The vendor updates it/)).length).toBeGreaterThan(0)
  await user.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByRole('button', { name: /Stop sending/ })).toBeTruthy()
  await expectAccessible(container)
})
