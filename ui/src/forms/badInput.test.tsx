import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { everyControl } from '../../tests/everyControl'
import { emptyShelf, expectAccessible, newPerson, pass } from '../../tests/inWindow'
import { App } from '../App'
import { type Backend, Refusal } from '../api/backend'
import { memoryBackend } from '../api/memory'
import { startCatalogue } from '../catalogue/catalogue'

async function open(changed: Partial<Backend> = {}) {
  startCatalogue()
  window.location.hash = '#/counter/new'
  const backend = Object.assign(memoryBackend({ mode: 'not_answering' }), {
    form: async () => everyControl,
    ...changed,
  })
  const shown = render(<App backend={backend} shelf={emptyShelf()} />)
  await pass(300)
  return { backend, user: newPerson(), ...shown }
}

const field = (name: string) => {
  const place = document.getElementById(`field-${name}`)
  const control = place?.matches('input, textarea') ? place : place?.querySelector('input, textarea')
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) throw new Error(name)
  return control
}

test.each([
  ['from right to left', 'شركة البناء الحديثة'],
  ['emoji', '🏗️ Acme 👷🏽‍♀️'],
  ['200 characters', 'Á'.repeat(200)],
  ['markup', '<img src=x onerror=alert(1)> & "quotes" {{n}} $t(x)'],
  ['another script’s digits', '٣٤٥'],
])('a name %s stays as typed, in the draft and in what is handed in', async (_, name) => {
  const { backend, container } = await open()
  fireEvent.change(field('ApplicantName'), { target: { value: name } })
  fireEvent.change(field('OriginalAddress1'), { target: { value: name } })
  await pass(1_000)
  const [row] = await backend.drafts()
  expect((await backend.draft(row?.operation_id ?? '')).values.ApplicantName).toBe(name)
  expect(field('ApplicantName').dir).toBe('auto')
  fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true })
  await pass(500)
  expect((await backend.item(row?.operation_id ?? '')).payload).toMatchObject({ ApplicantName: name })
  expect(container.querySelector('main img')).toBeNull()
  expect(screen.getByRole('main').textContent).toContain(name)
})

test('a million characters are pasted into no field, and each says so', async () => {
  const { user } = await open()
  const text = 'x'.repeat(1_000_000)
  const names = [
    'OriginalAddress1',
    'PIN-0',
    'PermitTypeMapped',
    'Description',
    'TotalSqFt',
    'HousingUnits',
    'ApplicantPhone',
    'ApplicantEmail',
    'EstProjectCost',
    'ExtraSketch',
  ]
  for (const [index, name] of names.entries()) {
    act(() => field(name).focus())
    await user.paste(text)
    expect(field(name).value, name).toBe('')
    expect(screen.getAllByText('Nothing was pasted: the text is longer than 64 KB.')).toHaveLength(index + 1)
  }
})

test.each(['12,5', '1.234,56', '1e3'])(
  'an amount typed as %s stays so, is refused, and says how it must look',
  async (typed) => {
    const { user, backend } = await open()
    await user.type(field('EstProjectCost'), typed)
    await user.tab()
    await pass(300)
    expect(field('EstProjectCost').value).toBe(typed)
    expect(screen.getByText('Valuation must look like 1,234.56.')).toBeTruthy()
    await user.keyboard('{Control>}{Enter}{/Control}')
    await pass(300)
    expect(screen.getAllByText('Valuation must look like 1,234.56.')).toHaveLength(2)
    const all = { of: 'own', text: '', order: 'oldest_first', skip: 0, rows: 1 } as const
    expect((await backend.items(all)).rows).toEqual([])
  },
)

test('the wheel over a field changes nothing', async () => {
  await open()
  for (const name of ['EstProjectCost', 'HousingUnits', 'TotalSqFt']) {
    fireEvent.change(field(name), { target: { value: '100' } })
    act(() => field(name).focus())
    fireEvent.wheel(field(name), { deltaY: 120 })
    expect(field(name).value).toBe('100')
  }
})

test('a control that the window does not know is a text field with a note', async () => {
  await open()
  expect(field('ExtraSketch').type).toBe('text')
  expect(screen.getByText('This window does not know the control “sketch”. Type the value.')).toBeTruthy()
})

test('a telephone number is shown in groups on leaving, and is as typed again on coming back', async () => {
  const { user } = await open()
  await user.type(field('ApplicantPhone'), '5550100142')
  await user.tab()
  expect(field('ApplicantPhone').value).toBe('(555) 010-0142')
  act(() => field('ApplicantPhone').focus())
  expect(field('ApplicantPhone').value).toBe('5550100142')
})

test('several, a time and a day are kept and handed in', async () => {
  const { user, backend } = await open()
  fireEvent.change(field('OriginalAddress1'), { target: { value: '12 Oak St' } })
  await user.click(screen.getByRole('checkbox', { name: 'Footing' }))
  await user.click(screen.getByRole('checkbox', { name: 'Final' }))
  act(() => document.querySelector<HTMLElement>('#field-AccessTime [role=spinbutton]')?.focus())
  await user.keyboard('0930A')
  act(() => document.querySelector<HTMLElement>('#field-StartDate [role=spinbutton]')?.focus())
  await user.paste('2026-12-08')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await pass(500)
  const all = { of: 'own', text: '', order: 'oldest_first', skip: 0, rows: 1 } as const
  const [row] = (await backend.items(all)).rows
  expect((await backend.item(row?.operation_id ?? '')).payload).toEqual({
    OriginalAddress1: '12 Oak St',
    Inspections: ['Footing', 'Final'],
    AccessTime: '09:30',
    StartDate: '2026-12-08',
  })
})

test('a station that looks at values too late or not at all gives no verdict, and the hand-in decides', async () => {
  const answers = [() => new Promise<never>(() => {}), () => Promise.reject(new Refusal({ code: 'busy' }))]
  for (const answer of answers) {
    const { user, unmount, container } = await open({ check: answer })
    await user.type(field('ApplicantEmail'), 'ana')
    await user.tab()
    await pass(3_000)
    expect(container.querySelector('form [data-invalid]')).toBeNull()
    await user.keyboard('{Control>}{Enter}{/Control}')
    await pass(300)
    expect(screen.getAllByText('Email must look like name@example.com.')).toHaveLength(2)
    unmount()
  }
})

test('a problem of no field stands in the summary, without a link', async () => {
  const problems = [{ pointer: '', code: 'no-choice-fits', message: '' }]
  const { user } = await open({
    submit: async () => {
      throw new Refusal({ code: 'refused', problems })
    },
  })
  await user.keyboard('{Control>}{Enter}{/Control}')
  await pass(300)
  expect(document.activeElement?.textContent).toBe('There is 1 problem')
  expect(screen.getByText(/^The application must have one of the forms/)).toBeTruthy()
  expect(screen.queryAllByRole('link', { name: /^The application/ })).toEqual([])
})

test('a draft of another version of the window opens, whatever is in it', async () => {
  const { backend } = await open()
  const odd = {
    OriginalAddress1: 7,
    PIN: 'text',
    StartDate: 'tomorrow',
    AccessTime: '99:99',
    Inspections: 'Footing',
    HousingUnits: {},
  }
  const { operation_id } = await backend.openDraft({ kind: 'application', application_id: null })
  await backend.keepDraft({ operation_id, values: odd })
  act(() => {
    window.location.hash = `#/draft/${operation_id}`
  })
  await pass(500)
  expect(screen.getByRole('form', { name: 'New application' })).toBeTruthy()
  expect(field('OriginalAddress1').value).toBe('')
})

test('axe finds nothing in a form with every control', async () => {
  const { container } = await open()
  await expectAccessible(container)
})
