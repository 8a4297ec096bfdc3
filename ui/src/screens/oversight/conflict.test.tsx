import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import type { Decision } from '../../api/generated/wire'
import type { memoryBackend } from '../../api/memory'

type Station = ReturnType<typeof memoryBackend>
const supervisor = { session: signedIn('supervisor'), mode: 'calm' as const }

/** A window on one conflict; what is decided about it is kept. */
async function openConflict(known: 'known' | 'unknown', settings: Record<string, string> = {}) {
  const decided: Decision[] = []
  let id = ''
  const shown = await openWindow({
    ...supervisor,
    settings,
    path: 'oversight/decide',
    before: async (opened: Station) => {
      const made = await opened.submit({ kind: 'application', payload: { OriginalAddress1: '12 Oak St' } })
      id = made.operation_id
      opened.meetAnother(id, known)
      const decide = opened.decide
      opened.decide = (request) => {
        decided.push(request.decision)
        return decide(request)
      }
    },
  })
  act(() => {
    window.location.hash = `#/decision/${id}`
  })
  await screen.findByRole('heading', { level: 2, name: /two versions|dos versiones/ })
  return { ...shown, decided }
}

const reason = () => screen.getByRole('textbox', { name: /Reason/ })
const sign = () => screen.getByRole('button', { name: /Sign decision/ })

test('three versions stand side by side, and who changed a field is said by a word and an icon', async () => {
  const { container } = await openConflict('known')
  const table = screen.getByRole('table', { name: 'Fields that somebody changed' })
  const heads = within(table).getAllByRole('columnheader')
  expect(heads.map((head) => head.textContent)).toEqual([
    'Field',
    'Before',
    'At this counter',
    'In the permit system',
    'Changed',
  ])
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual([
    'In the permit system',
    'At this counter',
    'By both, differently',
  ])
  expect(rows.every((row) => row.querySelector('svg'))).toBe(true)
  expect(rows[0]?.textContent).toContain('Stop work: Gas smell')
  expect(rows[2]?.textContent).toMatch(/555-0100.*555-0101.*555-0102/)
  expect(screen.getByText('2 fields are the same in both').closest('details')?.open).toBe(false)
  expect(screen.getByText(/Which is right\?/)).toBeTruthy()
  await expectAccessible(container)
})

test('nothing is signed before a version is chosen, and the first choice is nobody’s', async () => {
  const { user, decided } = await openConflict('known')
  await user.type(reason(), 'Asked the owner')
  await user.click(sign())
  expect((await screen.findAllByText('Choose which version holds.')).length).toBeGreaterThan(0)
  expect(decided).toEqual([])
})

test('by keyboard: the counter’s version is chosen and signed upon the version that was seen', async () => {
  const { user, decided } = await openConflict('known')
  await user.keyboard('{Control>}1{/Control}')
  await user.type(reason(), 'Asked the owner')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(decided).toEqual([{ take_ours: { seen: '"2"' } }]))
  await screen.findByText(/is sent again/)
})

test('the permit system’s version voids the item, which is asked for once more', async () => {
  const { user, decided } = await openConflict('known')
  await user.keyboard('{Control>}2{/Control}')
  await user.type(reason(), 'City hall is right')
  await user.click(sign())
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.textContent).toContain('never sent')
  await user.click(within(dialog).getByRole('button', { name: 'Void item' }))
  await waitFor(() => expect(decided).toEqual([{ take_theirs: { seen: '"2"' } }]))
  await screen.findByText(/is voided/)
})

test('both are merged field by field, and only what both changed is asked for', async () => {
  const { user, decided, container } = await openConflict('known')
  await user.click(screen.getByRole('radio', { name: 'Both together' }))
  const fields = screen.getAllByRole('radiogroup', { name: /^Which (?!version)/ })
  expect(fields).toHaveLength(1)
  await user.click(within(fields[0] as HTMLElement).getByRole('radio', { name: 'In the permit system' }))
  await user.type(reason(), 'The owner has a new telephone')
  await expectAccessible(container)
  await user.click(sign())
  await waitFor(() =>
    expect(decided).toEqual([{ choose: { seen: '"2"', ours: [], theirs: ['/payload/ApplicantPhone'] } }]),
  )
})

test('what the permit system has is not known yet is said, and it can be asked', async () => {
  const { user } = await openConflict('unknown')
  expect(screen.getByText(/We don’t know yet what the permit system has/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Sign decision/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: /Ask the permit system/ }))
  await screen.findByRole('button', { name: /Sign decision/ })
  expect(screen.queryByText(/We don’t know yet what the permit system has/)).toBeNull()
})

test('in Spanish the bench is Spanish', async () => {
  await openConflict('known', { language: 'es-US' })
  const main = screen.getByRole('main')
  expect(main.textContent).toContain('Ambos cambiaron el mismo campo. ¿Cuál vale?')
  expect(main.textContent).toContain('Orden de suspensión: Gas smell')
  expect(screen.getByRole('button', { name: /Firmar decisión/ })).toBeTruthy()
})
