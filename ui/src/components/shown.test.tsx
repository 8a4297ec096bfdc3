import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { expectAccessible, pass, show } from '../../tests/inWindow'
import Gallery from '../gallery/Gallery'
import { stepsAt } from '../gallery/samples'
import { AskDialog } from './AskDialog'
import { DataTable } from './DataTable'
import { type ItemState, itemState, looks } from './operationStates'
import { StageStepper } from './StageStepper'
import { Empty, Loading } from './states'

test.each([
  ['pending', 'none', null, 'waiting'],
  ['pending', 'none', '2026-12-08T15:45:00.000Z', 'waiting_until'],
  ['pending', 'sent', null, 'being_checked'],
  ['pending', 'received', null, 'received'],
  ['in_flight', 'none', null, 'sending'],
  ['committed', 'none', null, 'recorded'],
  ['quarantined', 'sent', null, 'needs_decision'],
  ['voided', 'none', null, 'voided'],
  ['what is this', 'none', null, 'unreadable'],
])('an item that is %s, doubt %s, is shown as %s', (state, doubt, waits_until, shown) => {
  expect(itemState({ state, doubt, waits_until })).toBe(shown)
})

test('no two states share icon and shape, but a wait for a time or for another item', () => {
  const faces = (Object.keys(looks) as ItemState[]).map(
    (state) => `${looks[state].icon} ${looks[state].shape}`,
  )
  const twice = faces.filter((face, index) => faces.indexOf(face) !== index)
  expect(twice).toEqual(['schedule outline'])
})

test('a table is read: no controls in its cells, its order is told, a row is opened by Enter', async () => {
  const onOpen = vi.fn()
  const onSort = vi.fn()
  const { container, user } = show(
    <DataTable
      label="Items"
      columns={[
        { id: 'number', head: 'Number', cell: (row) => row.number, isRowHeader: true, sortable: true },
        { id: 'fee', head: 'Fee', cell: (row) => row.fee, numeric: true },
      ]}
      rows={[{ number: 'a', fee: '$1.00' }]}
      keyOf={(row) => row.number}
      total={5000}
      sort={{ column: 'number', direction: 'ascending' }}
      onSort={onSort}
      onOpen={onOpen}
      empty={null}
    />,
  )
  expect(screen.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort')).toBe('ascending')
  expect(container.querySelectorAll('tbody button, tbody a, tbody input')).toHaveLength(0)
  expect(screen.getByText('1 of 5,000')).toBeTruthy()
  within(screen.getByRole('grid')).getAllByRole('row')[1]?.focus()
  await user.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledWith('a')
  await user.click(screen.getByRole('columnheader', { name: 'Number' }))
  expect(onSort).toHaveBeenCalledWith({ column: 'number', direction: 'descending' })
})

test('before what cannot be undone the focus is on the harmless answer, and Escape is that answer', async () => {
  const onAct = vi.fn()
  const onStay = vi.fn()
  const { user } = show(
    <AskDialog
      open
      question="Discard this draft?"
      act="Discard draft"
      stay="Keep draft"
      onAct={onAct}
      onStay={onStay}
    >
      <p>It can’t be brought back.</p>
    </AskDialog>,
  )
  const dialog = screen.getByRole('alertdialog', { name: 'Discard this draft?' })
  expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Keep draft' }))
  await expectAccessible(dialog)
  await user.keyboard('{Escape}')
  expect(onStay).toHaveBeenCalledOnce()
  expect(onAct).not.toHaveBeenCalled()
})

test('the announcer can be heard while a dialog is open', () => {
  show(
    <AskDialog open question="Sure?" act="Go" stay="Stay" onAct={() => {}} onStay={() => {}}>
      <p>Text</p>
    </AskDialog>,
  )
  const log = screen.getByRole('log', { hidden: true })
  expect(log.closest('[aria-hidden="true"], [inert]')).toBeNull()
})

test('loading is nothing, then rows, then words', async () => {
  const { container } = show(<Loading rows={3} label="The list is being read." onCancel={() => {}} />)
  expect(container.querySelectorAll('.skeleton-row')).toHaveLength(0)
  await pass(600)
  expect(container.querySelectorAll('.skeleton-row')).toHaveLength(3)
  await pass(5_000)
  expect(screen.getByText('This takes longer than usual.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
})

test('where an application stands is said, not only drawn', () => {
  show(<StageStepper steps={stepsAt('FeeEstimated')} />)
  const steps = screen.getAllByRole('listitem')
  expect(steps.map((step) => step.textContent)).toEqual([
    'Intake (done)',
    'Preliminary review (done)',
    'Fee estimated',
    'Conditional approval',
    'Approved and recorded',
  ])
  expect(steps[2]?.getAttribute('aria-current')).toBe('step')
})

test('an empty list is a sentence and at most one thing to do', () => {
  show(<Empty action={{ word: 'Fetch again', act: () => {} }}>Nothing waits.</Empty>)
  expect(screen.getAllByRole('button')).toHaveLength(1)
})

test('axe finds nothing in the gallery', async () => {
  const { container } = show(<Gallery />)
  await expectAccessible(container)
})
