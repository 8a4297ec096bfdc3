import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import type { SubmitRequest } from '../../api/generated/wire'
import type { memoryBackend } from '../../api/memory'
import { documentOf, problemsInForm } from './correction'

type Station = ReturnType<typeof memoryBackend>
type Opening = {
  person?: string
  mode?: 'calm' | 'not_answering'
  reason?: string
  settings?: Record<string, string>
}

const asked = {
  OriginalAddress1: '12 Oak St',
  PIN: ['0010-22-417'],
  ApplicantName: 'Olive Oakley',
  EstProjectCost: '1200.00',
  PermitNum: 'BP-2026-000001',
}

/** A window on the receipt of one application; what is handed in afterwards is kept. */
async function openReceipt({
  person = 'supervisor',
  mode = 'not_answering',
  reason,
  settings,
}: Opening = {}) {
  const handedIn: SubmitRequest[] = []
  let id = ''
  let station: Station | undefined
  const shown = await openWindow({
    session: signedIn(person),
    mode,
    settings,
    path: 'settings',
    before: async (opened: Station) => {
      station = opened
      id = (await opened.submit({ kind: 'application', payload: { ...asked } })).operation_id
      if (reason) opened.setAside(id, reason)
      const submit = opened.submit
      opened.submit = (request) => {
        handedIn.push(request)
        return submit(request)
      }
    },
  })
  act(() => {
    window.location.hash = `#/receipt/${id}`
  })
  await screen.findByRole('heading', { level: 2, name: /Correct or take back|Corregir o retirar/ })
  return { ...shown, id, handedIn, station: station as Station }
}

const box = (name: RegExp) => screen.getByRole('textbox', { name })

test('a waiting item is corrected by keyboard in its own form, and the corrected one takes its place', async () => {
  const { user, id, handedIn } = await openReceipt()
  await user.keyboard('{Control>}e{/Control}')
  await screen.findByRole('heading', { level: 1, name: /^Correct / })
  expect(screen.getByText(/takes its place/)).toBeTruthy()
  const name = box(/^Applicant name/)
  expect((name as HTMLInputElement).value).toBe('Olive Oakley')
  expect(screen.queryByText(/^Draft saved/), 'nothing was typed yet').toBeNull()
  await user.clear(name)
  await user.type(name, 'Oliver Oakley')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByRole('heading', { level: 1, name: /^Receipt front-1-2/ })
  expect(document.activeElement?.tagName).toBe('H1')
  expect(handedIn).toHaveLength(1)
  expect(handedIn[0]).toMatchObject({
    kind: 'correction',
    payload: { of: id, payload: { ...asked, ApplicantName: 'Oliver Oakley' } },
  })
  expect(screen.getByText('Takes the place of').parentElement?.textContent).toContain('front-1-1')
})

test('what the rules refuse stands at its field, and what was typed stays', async () => {
  const { user, container } = await openReceipt()
  await user.click(screen.getByRole('button', { name: /^Correct item/ }))
  const cost = await screen.findByRole('textbox', { name: /valuation/i })
  await user.clear(cost)
  await user.type(cost, '12,5')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByRole('heading', { name: /1 problem/ })
  expect(cost.getAttribute('aria-invalid')).toBe('true')
  expect((cost as HTMLInputElement).value).toContain('12,5')
  await expectAccessible(container)
})

test('an item is taken back with a reason, and its receipt says so', async () => {
  const { user, handedIn, id, container } = await openReceipt()
  await user.click(screen.getByRole('button', { name: /^Take back/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Take back front-1-1?' })
  expect(document.activeElement?.tagName).toBe('TEXTAREA')
  await user.click(within(dialog).getByRole('button', { name: 'Take back item' }))
  await within(dialog).findByText('Enter the reason.')
  await user.type(within(dialog).getByRole('textbox'), 'Handed in twice')
  await expectAccessible(container)
  await user.click(within(dialog).getByRole('button', { name: 'Take back item' }))
  const told = await screen.findByText('front-1-1 is taken back. It is never sent.')
  await waitFor(() => expect(document.activeElement?.contains(told)).toBe(true))
  expect(handedIn.at(-1)).toMatchObject({ kind: 'void', payload: { of: id, reason: 'Handed in twice' } })
  await screen.findByText('Voided. It is not recorded.')
})

test('what is recorded is followed, and that is said before', async () => {
  await openReceipt({ mode: 'calm' })
  expect(screen.getByText(/correction is an item of its own/)).toBeTruthy()
  expect(screen.getByText(/void is an item of its own/)).toBeTruthy()
})

test('what may have arrived is neither corrected nor taken back, and says why', async () => {
  const { user, id } = await openReceipt({ reason: 'unprovable' })
  expect(screen.queryByRole('button', { name: /^Correct item|^Take back/ })).toBeNull()
  expect(screen.getAllByText(/may have arrived/)).toHaveLength(2)
  await user.keyboard('{Control>}e{/Control}')
  expect(window.location.hash).toBe(`#/receipt/${id}`)
  act(() => {
    window.location.hash = `#/correct/${id}`
  })
  await screen.findByRole('button', { name: 'Open the receipt' })
  expect(screen.getByText(/may have arrived/)).toBeTruthy()
})

test('a clerk corrects what was sent back by the screen’s first action, and may not take it back', async () => {
  const { user } = await openReceipt({ person: 'clerk', reason: 'rejected' })
  expect(screen.queryByRole('button', { name: /^Take back/ })).toBeNull()
  expect(screen.getByText(/Only this role may: supervisor/i)).toBeTruthy()
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByRole('heading', { level: 1, name: /^Correct / })
})

test('what was typed is there again after the screen was left', async () => {
  const { user, id } = await openReceipt()
  await user.keyboard('{Control>}e{/Control}')
  const name = await screen.findByRole('textbox', { name: /^Applicant name/ })
  await user.type(name, ' Jr.')
  act(() => {
    window.location.hash = `#/receipt/${id}`
  })
  await screen.findByRole('heading', { level: 1, name: /^Receipt/ })
  await user.keyboard('{Control>}e{/Control}')
  const again = await screen.findByRole('textbox', { name: /^Applicant name/ })
  expect((again as HTMLInputElement).value).toBe('Olive Oakley Jr.')
  expect(screen.getByText(/^Draft saved/)).toBeTruthy()
})

test('in Spanish all of it is Spanish', async () => {
  const { user } = await openReceipt({ settings: { language: 'es-US' } })
  expect(screen.getByText(/toma su lugar/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Retirar/ }))
  await screen.findByRole('dialog', { name: '¿Retirar front-1-1?' })
})

test('a correction of a correction carries both, and its problems find their way back into the form', () => {
  const correcting = { kind: 'note', payload: { text: 'a', other: 1 }, of: ['x', 'y'] }
  const form = { kind: 'note', contract_version: 1, groups: [] }
  expect(documentOf(correcting, form, { text: 'b' })).toEqual({
    of: 'x',
    payload: { of: 'y', payload: { text: 'b', other: 1 } },
  })
  const at = (pointer: string) => ({ pointer, code: 'missing', message: '' })
  const inside = problemsInForm(correcting, [at('/payload/payload/payload/text'), at('/payload/of')])
  expect(inside.map(({ pointer }) => pointer)).toEqual(['/payload/text', '/payload/of'])
})
