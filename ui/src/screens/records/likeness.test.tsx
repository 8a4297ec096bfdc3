import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyShelf, expectAccessible, newPerson, pass } from '../../../tests/inWindow'
import { App } from '../../App'
import { memoryBackend } from '../../api/memory'
import { manyItems } from '../../api/memory/manyItems'
import { startCatalogue } from '../../catalogue/catalogue'

async function open(address: (item: ReturnType<typeof manyItems>[number]) => string) {
  startCatalogue()
  const items = manyItems(2)
  const [first, second] = items
  if (!first || !second) throw new Error('two items')
  second.looks_like = [
    {
      application_id: first.application_id,
      receipt_no: first.receipt_no,
      permit_num: null,
      filed_at: first.accepted_at,
    },
  ]
  window.location.hash = `#/${address(second)}`
  const backend = memoryBackend({ mode: 'not_answering', items })
  const user = newPerson()
  const shown = render(<App backend={backend} shelf={emptyShelf()} />)
  await screen.findByRole('main')
  await pass(50)
  return { ...shown, user, first, second }
}

test('a list says which one an application looks like', async () => {
  const { first } = await open(() => 'waiting')
  expect(screen.getByText(`looks like ${first.receipt_no}`)).toBeTruthy()
})

test('a receipt says which, and whoever looked says with a reason that both are right', async () => {
  const { container, user, first } = await open((item) => `receipt/${item.operation_id}`)
  const mark = screen.getByRole('region', { name: 'Looks like another application' })
  expect(mark.textContent).toContain(`Looks like ${first.receipt_no}`)
  expect(within(mark).getByRole('link').getAttribute('href')).toContain(first.application_id)
  await expectAccessible(container)
  await user.click(within(mark).getByRole('button', { name: /Both are right/ }))
  await user.click(screen.getByRole('button', { name: /Keep both/ }))
  expect(screen.getByText('Say why both are right.')).toBeTruthy()
  await user.type(screen.getByRole('textbox'), 'two gates')
  await user.click(screen.getByRole('button', { name: /Keep both/ }))
  await pass(100)
  expect(screen.queryByRole('region', { name: 'Looks like another application' })).toBeNull()
})

test('a record that was changed there under waiting work says so', async () => {
  startCatalogue()
  const items = manyItems(1)
  const backend = memoryBackend({ mode: 'not_answering', items })
  const record = backend.record
  backend.record = async (id) => ({ ...(await record(id)), changed_there_at: '2026-11-30T08:02:00.000Z' })
  window.location.hash = `#/app/${items[0]?.application_id}/facts`
  render(<App backend={backend} shelf={emptyShelf()} />)
  expect(await screen.findByText(/Changed in the permit system/)).toBeTruthy()
})

test('the record says it, too', async () => {
  const { first } = await open((item) => `app/${item.application_id}/facts`)
  expect(screen.getByText(new RegExp(`Looks like ${first.receipt_no}`))).toBeTruthy()
})
