import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyShelf, expectAccessible, newPerson, pass } from '../../../tests/inWindow'
import { App } from '../../App'
import type { ParcelView } from '../../api/generated/wire'
import { memoryBackend } from '../../api/memory'
import { manyItems } from '../../api/memory/manyItems'
import { startCatalogue } from '../../catalogue/catalogue'

const KNOWN: ParcelView = {
  pin: '0010-22-417',
  seen: 'known',
  address: '61 HIGH ST',
  zoning: 'R-2',
  overlays: ['Flood zone AE'],
  as_of: '2026-11-30T08:00:00.000Z',
  age_s: 10_800,
  warning: null,
}
const UNKNOWN: ParcelView = {
  ...KNOWN,
  pin: '9999-99-999',
  seen: 'unknown',
  address: null,
  zoning: null,
  overlays: [],
  warning: 'parcel-unknown',
}

test('a record says what was known of its parcels and as of when', async () => {
  startCatalogue()
  const items = manyItems(1)
  const [item] = items
  if (!item) throw new Error('an item')
  window.location.hash = `#/app/${item.application_id}/facts`
  const backend = memoryBackend({ mode: 'not_answering', items })
  const record = backend.record
  backend.record = async (id) => ({ ...(await record(id)), parcels: [KNOWN, UNKNOWN] })
  const { container } = render(<App backend={backend} shelf={emptyShelf()} />)
  await screen.findByRole('main')
  await pass(50)
  expect(screen.getByText(/R-2 · Flood zone AE, as of/)).toBeTruthy()
  expect(screen.getByText(/Not among the city’s parcels/)).toBeTruthy()
  await expectAccessible(container)
})

test('a parcel number that is typed is told beside its field, and what is unknown is no problem', async () => {
  startCatalogue()
  window.location.hash = '#/counter/new'
  const backend = memoryBackend({ mode: 'not_answering' })
  backend.parcels = async ({ pins }) => ({
    parcels: pins.map((pin) => (pin === KNOWN.pin ? KNOWN : { ...UNKNOWN, pin })),
    copy: null,
  })
  const user = newPerson()
  render(<App backend={backend} shelf={emptyShelf()} />)
  const field = await screen.findByRole('textbox', { name: /^Parcel/ })
  await user.type(field, KNOWN.pin)
  await pass(400)
  expect(screen.getByText(/61 HIGH ST · R-2 · Flood zone AE/)).toBeTruthy()
  await user.type(field, '9')
  await pass(400)
  expect(screen.getByText(/Not among the city’s parcels/)).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
})

test('a receipt says what was not known of its parcels, and that nothing was refused', async () => {
  startCatalogue()
  const items = manyItems(1)
  const [item] = items
  if (!item) throw new Error('an item')
  item.parcels = [UNKNOWN]
  window.location.hash = `#/receipt/${item.operation_id}`
  const { container } = render(
    <App backend={memoryBackend({ mode: 'not_answering', items })} shelf={emptyShelf()} />,
  )
  await screen.findByRole('main')
  await pass(50)
  expect(screen.getByRole('heading', { name: 'Parcels' })).toBeTruthy()
  expect(screen.getByText(/Check the number/)).toBeTruthy()
  await expectAccessible(container)
})
