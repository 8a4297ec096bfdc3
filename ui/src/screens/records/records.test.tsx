import { act, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { emptyShelf, expectAccessible, newPerson, pass } from '../../../tests/inWindow'
import { App } from '../../App'
import { Refusal } from '../../api/backend'
import { memoryBackend } from '../../api/memory'
import { manyItems } from '../../api/memory/manyItems'
import { startCatalogue } from '../../catalogue/catalogue'

afterEach(() => vi.restoreAllMocks())

type Options = Parameters<typeof memoryBackend>[0] & { settings?: Record<string, string> }

async function open(address: string, { settings, ...options }: Options = {}) {
  startCatalogue()
  window.location.hash = `#/${address}`
  const items = options.items ?? manyItems(6)
  const backend = memoryBackend({ mode: 'not_answering', ...options, items })
  const user = newPerson()
  const shown = render(<App backend={backend} shelf={emptyShelf(settings)} />)
  await screen.findByRole('main')
  await pass(50)
  return { ...shown, backend, items, user }
}

const changed = async (backend: ReturnType<typeof memoryBackend>) => {
  act(() => backend.tell({ told: 'changed', topics: ['queue', 'standing'] }))
  await pass(50)
}
/** jsdom lays nothing out; a list that keeps only what can be seen wants to know how much that is. */
function withSizes() {
  vi.spyOn(window.HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(window.HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
  vi.spyOn(window.HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(32)
}
const bodyRows = () => screen.getAllByRole('row').slice(1)
const numbers = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const spoken = () => [...screen.getByRole('log', { hidden: true }).children].map((one) => one.textContent)
const applicationOf = (items: ReturnType<typeof manyItems>, n = 0) => items[n]?.application_id ?? ''

test('waiting says what each item is, in words, and when it is tried again, once', async () => {
  const { container, items } = await open('waiting')
  expect(numbers()).toEqual(items.map((item) => item.receipt_no))
  const follower = bodyRows()[4]?.textContent
  expect(follower).toContain('Move to Preliminary review')
  expect(follower).toContain('Waiting for front-1-4')
  expect(bodyRows()[1]?.textContent).toContain('No answer')
  expect(screen.getAllByText(/Next try/)).toHaveLength(1)
  await expectAccessible(container)
})

test('items of one application stand together, whatever was accepted between them', async () => {
  const items = manyItems(5)
  const [a, b, c, d, follower] = items as [never, never, never, never, (typeof items)[0]]
  await open('waiting', { items: [a, b, c, d, { ...follower, application_id: applicationOf(items, 1) }] })
  expect(numbers()).toEqual(['front-1-1', 'front-1-2', 'front-1-5', 'front-1-3', 'front-1-4'])
})

test('changed_cells_update_in_place_and_the_focus_stays', async () => {
  const { backend, items, user } = await open('waiting')
  await user.click(screen.getByRole('heading', { level: 1 }))
  const second = bodyRows()[1] as HTMLElement
  act(() => second.focus())
  Object.assign(items[1] as object, { state: 'in_flight' })
  await changed(backend)
  expect(within(bodyRows()[1] as HTMLElement).getByText('Sending')).toBeTruthy()
  expect(document.activeElement).toBe(bodyRows()[1])
})

test('new_rows_wait_behind_a_button', async () => {
  const { backend, items, user } = await open('waiting')
  act(() => bodyRows()[0]?.focus())
  items.push(...manyItems(8).slice(6))
  await changed(backend)
  expect(bodyRows()).toHaveLength(6)
  expect(screen.getByRole('button', { name: /2 new rows. Show/ })).toBeTruthy()
  await user.keyboard('{F5}')
  await pass(50)
  expect(bodyRows()).toHaveLength(8)
  expect(screen.queryByRole('button', { name: /new rows/ })).toBeNull()
})

test.each([
  ['in the middle', 1, 'front-1-3'],
  ['at the end', 5, 'front-1-5'],
])('focus_goes_to_the_row_that_took_its_place: %s', async (_, at, next) => {
  const { backend, items } = await open('waiting')
  act(() => bodyRows()[at]?.focus())
  Object.assign(items[at] as object, { state: 'committed', committed_at: items[0]?.accepted_at })
  await changed(backend)
  expect(document.activeElement?.textContent).toContain(next)
})

test('when the last row goes the sentence in its place has the focus', async () => {
  const items = manyItems(1)
  const { backend } = await open('waiting', { items })
  act(() => bodyRows()[0]?.focus())
  Object.assign(items[0] as object, { state: 'committed', committed_at: new Date().toISOString() })
  await changed(backend)
  expect(document.activeElement?.textContent).toMatch(/Nothing waits. Last item recorded \d/)
})

test('the filter asks the station when the hand rests, says how many once, and Escape empties it', async () => {
  const { backend, user } = await open('waiting', { items: manyItems(30) })
  const asked = vi.spyOn(backend, 'items')
  await user.keyboard('{Control>}f{/Control}')
  await user.keyboard('Mill')
  await pass(300)
  expect(asked.mock.calls.filter(([request]) => request.text !== '')).toHaveLength(1)
  const found = bodyRows().length
  expect(screen.getByText(`${found} of 30`)).toBeTruthy()
  await pass(3_000)
  expect(spoken()).toContain(`${found} found.`)
  await user.keyboard('{Escape}')
  await pass(300)
  expect(screen.getByText('30 items')).toBeTruthy()
})

test('a row is opened by Enter, and Shift+F10 has its menu', async () => {
  const { items, user } = await open('waiting')
  act(() => bodyRows()[0]?.focus())
  await user.keyboard('{Shift>}{F10}{/Shift}')
  const menu = screen.getByRole('menu')
  expect(
    within(menu)
      .getAllByRole('menuitem')
      .map((one) => one.textContent),
  ).toEqual(['Open', 'Open the application'])
  await user.keyboard('{Escape}')
  await pass(50)
  expect(document.activeElement).toBe(bodyRows()[0])
  await user.keyboard('{Enter}')
  expect(window.location.hash).toBe(`#/receipt/${items[0]?.operation_id}`)
})

test('a long list keeps only what can be seen in the page, and says its length to a reader', async () => {
  withSizes()
  await open('waiting', { items: manyItems(1_000) })
  await pass(3_000)
  const grid = screen.getByRole('grid')
  expect(grid.getAttribute('aria-rowcount')).toBe('1001')
  expect(screen.getAllByRole('row').length).toBeLessThan(100)
  expect(screen.getAllByRole('row')[1]?.getAttribute('aria-rowindex')).toBe('2')
})

test('find finds by name, opens what it found, and offers a new application for what it did not', async () => {
  const { user } = await open('find')
  const asked = vi.fn()
  window.addEventListener('hashchange', (event) => asked(new URL(event.newURL).hash))
  const box = screen.getByRole('searchbox')
  await user.type(box, 'Ortiz')
  await pass(300)
  expect(bodyRows()).toHaveLength(1)
  expect(bodyRows()[0]?.textContent).toContain('from this counter')
  await user.clear(box)
  await user.type(box, '99 Nowhere St')
  await pass(300)
  await user.click(screen.getByRole('button', { name: 'New application here' }))
  await pass(100)
  expect(asked).toHaveBeenCalledWith('#/counter/new?address=99+Nowhere+St')
})

test('what came back says why and whom to ask, and the navigation counts it', async () => {
  const items = manyItems(3)
  Object.assign(items[1] as object, { state: 'quarantined', reason: 'conflict' })
  Object.assign(items[2] as object, { state: 'quarantined', reason: 'what-is-this', actor: 'another' })
  await open('sent-back', { items })
  expect(numbers()).toEqual(['front-1-2'])
  expect(bodyRows()[0]?.textContent).toContain('The record was changed in the permit system meanwhile.')
  expect(screen.getByText(/A supervisor decides. To ask, call IT desk/)).toBeTruthy()
  expect(screen.getByRole('link', { name: /Sent back/ }).textContent).toContain('1')
})

test('a_refused_move_says_why_in_text', async () => {
  const { items, container } = await open('waiting')
  window.location.hash = `#/app/${applicationOf(items)}`
  await pass(100)
  const list = screen.getByRole('heading', { name: 'Not possible now' }).parentElement as HTMLElement
  expect(within(list).getAllByText(/Only this role may: supervisor/)).toHaveLength(2)
  expect(within(list).getByText(/The permit system sets this when it records/)).toBeTruthy()
  expect(within(list).queryAllByRole('button')).toEqual([])
  await expectAccessible(container)
})

test('a step is made once however often it is pressed, and the line that says so has the focus', async () => {
  const items = manyItems(1)
  const { backend, user } = await open(`app/${applicationOf(items)}`, { items })
  const submitted = vi.spyOn(backend, 'submit')
  await user.dblClick(screen.getByRole('button', { name: 'Move to Preliminary review' }))
  await pass(100)
  await screen.findByText(/^Moved to Preliminary review/)
  expect(submitted).toHaveBeenCalledOnce()
  expect(document.activeElement?.textContent).toMatch(/^Moved to Preliminary review. Saved on this computer./)
  expect(screen.getByText('Preliminary review', { selector: '[aria-current=step]' })).toBeTruthy()
})

test('pressed again after a lost answer it is the same operation', async () => {
  const items = manyItems(1)
  const { backend, user } = await open(`app/${applicationOf(items)}`, { items })
  const submitted = vi.spyOn(backend, 'submit').mockRejectedValueOnce(new Error('the answer was lost'))
  const button = screen.getByRole('button', { name: 'Move to Preliminary review' })
  await user.click(button)
  await pass(100)
  expect(document.activeElement?.textContent).toContain('Press again: it counts once.')
  await user.click(button)
  await pass(100)
  const ids = submitted.mock.calls.map(([request]) => request.operation_id)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test.each([
  ['busy', 'Holdfast is busy.'],
  ['rules_out_of_date', 'Intake is paused: the rules are too old.'],
  ['not_signed_in', 'Sign in first.'],
  ['integrity', 'Code integrity.'],
] as const)('a step that the station refuses with %s says so in the line', async (code, sentence) => {
  const items = manyItems(1)
  const { backend, user } = await open(`app/${applicationOf(items)}`, { items })
  vi.spyOn(backend, 'submit').mockRejectedValueOnce(new Refusal({ code }))
  await user.click(screen.getByRole('button', { name: 'Move to Preliminary review' }))
  await pass(100)
  expect(document.activeElement?.textContent).toContain(sentence)
})

test('Ctrl+M has the steps, and a first letter chooses; a reason is asked for where it is needed', async () => {
  const items = manyItems(1)
  const { backend, user } = await open(`app/${applicationOf(items)}`, { items })
  const submitted = vi.spyOn(backend, 'submit')
  await user.keyboard('{Control>}m{/Control}')
  await pass(50)
  await user.keyboard('w')
  await pass(50)
  const dialog = screen.getByRole('dialog', { name: /Withdraw application/ })
  expect(document.activeElement).toBe(within(dialog).getByRole('textbox', { name: /Reason/ }))
  await user.keyboard('{Control>}{Enter}{/Control}')
  await pass(50)
  expect(within(dialog).getByText('Enter the reason.')).toBeTruthy()
  await user.keyboard('Asked by phone{Control>}{Enter}{/Control}')
  await pass(100)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(submitted.mock.lastCall?.[0].payload).toEqual({ to: 'Withdrawn', reason: 'Asked by phone' })
  expect(document.activeElement?.textContent).toContain('Moved to Withdrawn.')
})

test('facts have the labels of the form, and history is a sentence with both times', async () => {
  const items = manyItems(1)
  const { user } = await open(`app/${applicationOf(items)}`, { items })
  expect(screen.getByText('Site address').parentElement?.textContent).toContain('1 Oak St')
  const tab = screen.getByRole('tab', { name: 'History' })
  act(() => screen.getByRole('tab', { name: 'Facts' }).focus())
  await user.keyboard('{Control>}{PageDown}{/Control}')
  await pass(50)
  expect(tab.getAttribute('aria-selected')).toBe('true')
  expect(document.activeElement).not.toBe(screen.getByRole('heading', { level: 1 }))
  const entry = within(screen.getByRole('tabpanel')).getByRole('listitem')
  expect(entry.textContent).toMatch(/clerk took in the application: Building/)
  expect(entry.textContent).toMatch(/Accepted .*; Not yet recorded/)
})

test('an application that is not here, and one that cannot be read, say so and what to do', async () => {
  const { backend, user } = await open('app/nobody')
  expect(screen.getByText('This application is not on this computer.')).toBeTruthy()
  vi.spyOn(backend, 'record').mockRejectedValueOnce(new Error('broken'))
  window.location.hash = '#/app/other'
  await pass(50)
  expect(screen.getByText('The application could not be read.')).toBeTruthy()
  await user.keyboard('{F5}')
  await pass(50)
  expect(screen.getByText('This application is not on this computer.')).toBeTruthy()
})

test('names of any script stand alone in their cells, and markup is text', async () => {
  const { container } = await open('find', { items: manyItems(30) })
  const name = screen.getAllByText('<b>Bold Builders</b>')[0]
  expect(name?.tagName).toBe('BDI')
  expect(name?.getAttribute('dir')).toBe('auto')
  expect(container.querySelector('.cell b')).toBeNull()
})

test('the order of work is kept for this person', async () => {
  const items = manyItems(3)
  const { user } = await open('waiting', { items })
  await user.click(screen.getByRole('columnheader', { name: 'Accepted' }))
  await pass(100)
  expect(numbers()).toEqual(['front-1-3', 'front-1-2', 'front-1-1'])
})

test('by Tab one comes to the filter, the head and the rows, and no further into them', async () => {
  const { user } = await open('waiting')
  act(() => screen.getByRole('heading', { level: 1 }).focus())
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  await user.tab()
  expect(screen.getByRole('grid').contains(document.activeElement)).toBe(true)
  await user.tab()
  expect(screen.getByRole('grid').contains(document.activeElement)).toBe(false)
})

test('in Spanish nothing of a list is left in English', async () => {
  const { container } = await open('waiting', { settings: { language: 'es-US' } })
  expect(container.textContent).toContain('En espera de front-1-4')
  expect(container.querySelector('.list')?.textContent).not.toMatch(/Waiting|Accepted|No answer|Move to/)
})

test('Ctrl+K finds records and actions, each action with its key, and opens what is chosen', async () => {
  const { items, user } = await open('waiting')
  await user.keyboard('{Control>}k{/Control}')
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole('menuitem', { name: /^Waiting/ }).textContent).toMatch(/Alt\+\d/)
  await user.keyboard('Ortiz')
  await pass(300)
  expect(within(dialog).getAllByRole('menuitem')).toHaveLength(1)
  await user.keyboard('{ArrowDown}{Enter}')
  await pass(100)
  expect(window.location.hash).toBe(`#/app/${applicationOf(items, 1)}`)
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})
