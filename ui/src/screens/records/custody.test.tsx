import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyShelf, expectAccessible, pass } from '../../../tests/inWindow'
import { App } from '../../App'
import { memoryBackend } from '../../api/memory'
import { manyItems } from '../../api/memory/manyItems'
import { startCatalogue } from '../../catalogue/catalogue'

async function open(address: (id: string) => string) {
  startCatalogue()
  const items = manyItems(2)
  const [first] = items
  if (!first) throw new Error('an item')
  first.copy = 'held'
  window.location.hash = `#/${address(first.operation_id)}`
  const shown = render(<App backend={memoryBackend({ mode: 'not_answering', items })} shelf={emptyShelf()} />)
  await screen.findByRole('main')
  await pass(50)
  return shown
}

test('beside the state of an item, and of it alone, stands that a copy lies at the mirror', async () => {
  const { container } = await open(() => 'waiting')
  expect(screen.getAllByText('Copy at the mirror')).toHaveLength(1)
  await expectAccessible(container)
})

test('an opened item says so too, and stays what it was: it waits', async () => {
  await open((id) => `receipt/${id}`)
  expect(screen.getAllByText('Copy at the mirror').length).toBeGreaterThan(0)
  expect(screen.getByRole('main').textContent).toContain('Waiting')
})
