import { act, render, screen, within } from '@testing-library/react'
import type { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { emptyShelf, expectAccessible, newPerson, pass } from '../../../tests/inWindow'
import { App } from '../../App'
import { type Backend, Refusal } from '../../api/backend'
import type { ApiCode, CheckView } from '../../api/generated/wire'
import { type MemoryBackend, memoryBackend } from '../../api/memory'
import { startCatalogue } from '../../catalogue/catalogue'

const visit = (hash: string) =>
  act(() => {
    window.location.hash = hash
  })
const heading = (level = 1) => screen.getByRole('heading', { level })
const addressField = () => screen.getByRole('combobox', { name: /^Site address/ })
const spoken = (politeness: 'log' | 'alert') =>
  [...screen.getByRole(politeness, { hidden: true }).children].map((message) => message.textContent)

type Changed = Partial<Backend>

async function open({
  at = 'counter/new',
  mode = 'not_answering',
  changed = () => ({}),
  language,
}: {
  at?: string
  mode?: Parameters<MemoryBackend['become']>[0]
  changed?: (memory: MemoryBackend) => Changed
  language?: string
} = {}) {
  startCatalogue()
  const memory = memoryBackend({ mode })
  const backend = Object.assign(memory, changed({ ...memory }))
  const user = newPerson()
  window.location.hash = `#/${at}`
  const shown = render(<App backend={backend} shelf={emptyShelf(language ? { language } : undefined)} />)
  await pass(300)
  return { backend, user, ...shown }
}

const filled = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.type(addressField(), '12 Oak St')
  await user.type(screen.getByRole('textbox', { name: /^Applicant name/ }), 'Ana Ruiz')
}

const accept = (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Control>}{Enter}{/Control}')

test('an address that Find did not know begins the new application, and no draft that was begun before', async () => {
  const { backend, user } = await open()
  await user.type(addressField(), '12 Oak St')
  await pass(1_000)
  visit(`counter/new?${new URLSearchParams({ address: '9 Elm & 3rd' })}`)
  await pass(300)
  expect(addressField()).toHaveProperty('value', '9 Elm & 3rd')
  expect((await backend.drafts()).map(({ about }) => about)).toEqual(['12 Oak St', '9 Elm & 3rd'])
})

test('a new application opens a draft of its own, and an untouched form shows no problem', async () => {
  const { backend, container } = await open()
  expect(window.location.hash).toMatch(/^#\/draft\//)
  expect(heading().textContent).toBe('New application')
  const id = window.location.hash.replace('#/draft/', '')
  expect((await backend.draft(id)).values).toEqual({})
  expect(container.querySelector('[data-invalid], [aria-invalid=true]')).toBeNull()
  expect(screen.getByText(/fields to fill/)).toBeTruthy()
})

test('what is typed is on the disk 0.8 s later, and the heading says when', async () => {
  const { backend, user } = await open()
  await user.type(addressField(), '12 Oak St')
  await pass(1_000)
  expect((await backend.drafts())[0]?.about).toBe('12 Oak St')
  expect(screen.getByText(/^Draft saved/)).toBeTruthy()
})

test('a half filled draft is back after the window was killed', async () => {
  const { backend, user, unmount } = await open()
  await user.type(addressField(), '12 Oak St')
  await pass(1_000)
  const address = window.location.hash
  unmount()
  render(<App backend={backend} shelf={emptyShelf()} />)
  await pass(300)
  expect(window.location.hash).toBe(address)
  expect(addressField()).toHaveProperty('value', '12 Oak St')
})

test('leaving never asks: what was typed a moment ago is there on coming back', async () => {
  const { user, backend } = await open()
  await user.type(addressField(), '12 Oak')
  const address = window.location.hash
  visit('#/about')
  await pass(200)
  expect((await backend.drafts())[0]?.about).toBe('12 Oak')
  visit(address)
  await pass(200)
  expect(addressField()).toHaveProperty('value', '12 Oak')
})

test('a form that was left blank leaves no draft in the list, and is the next new one', async () => {
  const { user, backend } = await open()
  const before = window.location.hash
  visit('#/counter/new')
  visit('#/about')
  visit('#/counter/new')
  await pass(200)
  expect(await backend.drafts()).toEqual([])
  expect(window.location.hash).toBe(before)
  await user.type(addressField(), '12 Oak')
  await pass(1_000)
  expect(await backend.drafts()).toMatchObject([{ about: '12 Oak' }])
})

test('accepted: the receipt has the focus, the number, both times and the true state', async () => {
  const { user } = await open()
  await filled(user)
  await accept(user)
  await pass(300)
  expect(document.activeElement).toBe(heading())
  expect(heading().textContent).toBe('Receipt front-1-1')
  const main = screen.getByRole('main')
  expect(within(main).getByText('Saved on this computer. Not yet in the permit system.')).toBeTruthy()
  expect(within(main).getByText('Permit number follows')).toBeTruthy()
  expect(within(main).getByText('Accepted').parentElement?.textContent).toMatch(/\d:\d\d/)
  expect(within(main).getByText('Recorded').parentElement?.textContent).toContain('–')
})

test('the receipt turns into recorded in place, and the focus stays', async () => {
  const { user, backend } = await open()
  await filled(user)
  await accept(user)
  await pass(300)
  const button = screen.getByRole('button', { name: /New for the same applicant/ })
  button.focus()
  await act(async () => {
    backend.become('calm')
    await backend.drain({ until_empty: true, max_s: null })
    backend.tell({ told: 'changed', topics: ['queue'] })
  })
  await pass(300)
  expect(within(screen.getByRole('main')).getByText(/^Recorded \d/)).toBeTruthy()
  expect(document.activeElement).toBe(button)
})

test('refused: the summary has the focus, leads into the field, and says the same words there', async () => {
  const { user } = await open()
  await user.type(screen.getByRole('textbox', { name: /^Applicant email/ }), 'ana')
  await accept(user)
  await pass(300)
  expect(document.activeElement?.textContent).toBe('There are 2 problems')
  expect(document.title).toContain('2 problems')
  const links = screen.getAllByRole('link', { name: /address|email/ }).map((link) => link.textContent)
  expect(links).toEqual(['Enter the site address.', 'Applicant email must look like name@example.org.'])
  await user.click(screen.getByRole('link', { name: 'Enter the site address.' }))
  expect(document.activeElement).toBe(addressField())
  expect(screen.getAllByText('Enter the site address.')).toHaveLength(2)
})

test('Ctrl+Enter accepts from every place of the form, and presses nothing else', async () => {
  const submit = vi.fn(() => new Promise<never>(() => {}))
  const places = [
    () => screen.getByRole('radio', { name: 'Residential' }),
    () => screen.getAllByRole('spinbutton')[0],
    () => screen.getByRole('button', { name: 'Discard draft' }),
    () => screen.getByRole('textbox', { name: /^Work description/ }),
  ]
  for (const [index, place] of places.entries()) {
    const { user, unmount } = await open({ changed: () => ({ submit }) })
    act(() => place()?.focus())
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(submit).toHaveBeenCalledTimes(index + 1)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    unmount()
  }
})

test('F3 goes from problem to problem and round, Shift+F3 back', async () => {
  const { user } = await open()
  await user.type(screen.getByRole('textbox', { name: /^Applicant email/ }), 'ana')
  await accept(user)
  await pass(300)
  const email = screen.getByRole('textbox', { name: /^Applicant email/ })
  await user.keyboard('{F3}')
  expect(document.activeElement).toBe(addressField())
  await user.keyboard('{F3}')
  expect(document.activeElement).toBe(email)
  await user.keyboard('{F3}')
  expect(document.activeElement).toBe(addressField())
  await user.keyboard('{Shift>}{F3}{/Shift}')
  expect(document.activeElement).toBe(email)
})

test('a shown problem clears half a second after it was mended', async () => {
  const { user } = await open()
  await accept(user)
  await pass(300)
  await user.type(addressField(), '12 Oak St')
  expect(screen.getAllByText('Enter the site address.').length).toBeGreaterThan(0)
  await pass(700)
  expect(screen.queryByText('Enter the site address.')).toBeNull()
})

test('a field is asked about when it is left, changed and not empty, and the problem is said once', async () => {
  const check = vi.fn()
  const { user } = await open({
    changed: (memory) => ({
      check: (request) => {
        check(request.pointers)
        return memory.check(request)
      },
    }),
  })
  const email = screen.getByRole('textbox', { name: /^Applicant email/ })
  await user.click(email)
  await user.tab()
  expect(check).not.toHaveBeenCalled()
  await user.type(email, 'ana')
  await user.tab()
  await pass(100)
  expect(check).toHaveBeenCalledTimes(1)
  expect(check).toHaveBeenCalledWith(['/payload/ApplicantEmail'])
  expect(screen.getByText('Applicant email must look like name@example.org.')).toBeTruthy()
  await pass(3_000)
  expect(spoken('log')).toContain('Applicant email must look like name@example.org.')
})

test('an answer about an older value is dropped', async () => {
  const answers: ((view: CheckView) => void)[] = []
  const { user } = await open({
    changed: () => ({ check: () => new Promise<CheckView>((resolve) => answers.push(resolve)) }),
  })
  const email = screen.getByRole('textbox', { name: /^Applicant email/ })
  await user.type(email, 'ana')
  await user.tab()
  await user.type(email, '@example.com')
  await act(async () =>
    answers[0]?.({ problems: [{ pointer: '/payload/ApplicantEmail', code: 'format', message: '' }] }),
  )
  expect(answers).toHaveLength(1)
  expect(screen.queryByText(/must look like/)).toBeNull()
})

test('while it is being accepted the button keeps the focus and further presses do nothing', async () => {
  const submit = vi.fn(() => new Promise<never>(() => {}))
  const { user, backend } = await open({ changed: () => ({ submit }) })
  await filled(user)
  const button = screen.getByRole('button', { name: /Accept application/ })
  button.focus()
  await user.keyboard('{Enter}')
  await user.keyboard('{Control>}{Enter}{/Control}{Enter}')
  expect(submit).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(button)
  await pass(400)
  expect(button.textContent).toContain('Accepting…')
  act(() => backend.beat())
  await pass(4_000)
  act(() => backend.beat())
  await pass(2_000)
  expect(screen.getByText(/This takes longer than usual/)).toBeTruthy()
})

test('a press whose answer was lost ends in the receipt of the first one', async () => {
  let lose = true
  const { user, backend } = await open({
    changed: (memory) => ({
      submit: async (request) => {
        const receipt = await memory.submit(request)
        if (!lose) return receipt
        lose = false
        throw new Error('lost on the way')
      },
    }),
  })
  await filled(user)
  await accept(user)
  await pass(300)
  expect(document.activeElement?.textContent).toBe('We don’t know whether this was accepted.')
  await accept(user)
  await pass(300)
  expect(heading().textContent).toMatch(/^Already accepted as front-1-1 at /)
  const all = { of: 'own', text: '', order: 'oldest_first', skip: 0, rows: 10 } as const
  expect((await backend.items(all)).rows).toHaveLength(1)
})

test('a draft that was accepted leads to its receipt', async () => {
  const { user } = await open()
  await filled(user)
  const address = window.location.hash
  await accept(user)
  await pass(300)
  visit(address)
  await pass(300)
  expect(heading().textContent).toMatch(/^Already accepted as front-1-1/)
})

test.each<[ApiCode, RegExp]>([
  ['busy', /Holdfast is busy\. Nothing was saved by this press\./],
  ['rules_out_of_date', /Intake is paused: the rules are too old/],
  ['disk_full', /this computer has too little room/],
  ['not_permitted', /Your role may not accept applications/],
  ['not_signed_in', /Nobody is signed in/],
  ['storage', /could not write to its disk/],
  ['integrity', /do not fit together/],
  ['not_found', /This was not accepted/],
])('%s: says what happened, what is safe and what to do, with the focus there', async (code, lead) => {
  const { user } = await open({
    changed: () => ({
      submit: async () => {
        throw new Refusal({ code })
      },
    }),
  })
  await filled(user)
  await pass(1_000)
  await accept(user)
  await pass(300)
  expect(document.activeElement?.textContent).toMatch(lead)
  expect(screen.getByText('Your draft is saved.')).toBeTruthy()
  expect(addressField()).toHaveProperty('value', '12 Oak St')
})

test('a draft that cannot be saved is told at once, and saved when it can be', async () => {
  let broken = true
  const { user, backend } = await open({
    changed: (memory) => ({
      keepDraft: async (request) => {
        if (broken) throw new Refusal({ code: 'storage' })
        return memory.keepDraft(request)
      },
    }),
  })
  await user.type(addressField(), '12 Oak St')
  await pass(1_500)
  await pass(500)
  expect(screen.getByText('Draft not saved yet')).toBeTruthy()
  expect(spoken('alert')).toEqual(['Your draft is not being saved.'])
  broken = false
  await pass(6_000)
  expect(screen.getByText(/^Draft saved/)).toBeTruthy()
  expect((await backend.drafts())[0]?.about).toBe('12 Oak St')
})

test('without contact accept says why it cannot run, and typing goes on', async () => {
  const submit = vi.fn()
  const { user, backend } = await open({ changed: () => ({ submit }) })
  backend.become('lost')
  await pass(7_000)
  expect(screen.getByText(/^No contact with Holdfast since/)).toBeTruthy()
  await user.type(addressField(), '12 Oak St')
  await accept(user)
  await pass(200)
  expect(submit).not.toHaveBeenCalled()
  expect(document.activeElement?.textContent).toMatch(/^Nothing was accepted: this window lost contact/)
  expect(addressField()).toHaveProperty('value', '12 Oak St')
})

test('discarding asks, keeps by Escape, and then begins anew', async () => {
  const { user, backend } = await open()
  await user.type(addressField(), '12 Oak St')
  await pass(1_000)
  await user.click(screen.getByRole('button', { name: 'Discard draft' }))
  const dialog = screen.getByRole('alertdialog', { name: 'Discard this draft?' })
  expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Keep draft' }))
  await user.keyboard('{Escape}')
  await pass(300)
  expect(await backend.drafts()).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Discard draft' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Discard draft' }))
  await pass(500)
  expect(addressField()).toHaveProperty('value', '')
  expect(await backend.drafts()).toEqual([])
})

test('the other drafts of the same person are offered', async () => {
  const { user, backend } = await open({ at: 'about' })
  const old = await backend.openDraft({ kind: 'application', application_id: null })
  await backend.keepDraft({ operation_id: old.operation_id, values: { OriginalAddress1: '7 Elm St' } })
  visit('#/counter/new')
  await pass(300)
  await user.click(screen.getByRole('button', { name: /1 draft of yours/ }))
  await user.click(screen.getByRole('button', { name: 'Open the draft for 7 Elm St' }))
  await pass(300)
  expect(addressField()).toHaveProperty('value', '7 Elm St')
})

test('new for the same applicant takes the people along, and nothing else', async () => {
  const { user } = await open()
  await filled(user)
  await accept(user)
  await pass(300)
  await user.keyboard('{Control>}{Shift>}N{/Shift}{/Control}')
  await pass(500)
  expect(screen.getByRole('textbox', { name: /^Applicant name/ })).toHaveProperty('value', 'Ana Ruiz')
  expect(addressField()).toHaveProperty('value', '')
  await user.keyboard('{Control>}{Shift>}N{/Shift}{/Control}')
  await pass(500)
  expect(screen.getByRole('textbox', { name: /^Applicant name/ })).toHaveProperty('value', 'Ana Ruiz')
})

test('a known address is offered, and choosing it fills the parcels and says from where', async () => {
  const { user, backend } = await open({ at: 'about' })
  await backend.submit({
    kind: 'application',
    operation_id: 'earlier',
    payload: { OriginalAddress1: '12 Oak St', PIN: ['0010-22-417'] },
  })
  visit('#/counter/new')
  await pass(300)
  await user.type(addressField(), '12 oa')
  await pass(500)
  expect(screen.getByRole('option', { name: /12 Oak St/ })).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Unit or suite/ }))
  expect(addressField()).toHaveProperty('value', '12 oa')
  await user.type(addressField(), 'k')
  await pass(500)
  await user.keyboard('{ArrowDown}{Enter}')
  await pass(500)
  expect(addressField()).toHaveProperty('value', '12 Oak St')
  expect(screen.getByRole('textbox', { name: /^Parcel number/ })).toHaveProperty('value', '0010-22-417')
  expect(screen.getByText('From a record on this computer')).toBeTruthy()
  expect(screen.getByText('1 record at this address on this computer')).toBeTruthy()
})

test('a whole application takes at most 60 key presses beyond its own data', async () => {
  const { user, backend } = await open()
  let presses = 0
  const press = async (keys: string) => {
    presses += 1
    await user.keyboard(keys)
    await pass(20)
  }
  const filling: Record<string, string> = {
    OriginalAddress1: '12 Oak St',
    OriginalZip: '98101',
    'PIN-0': '0010-22-417',
    Description: 'Replace the roof',
    HousingUnits: '1',
    TotalSqFt: '1840.5',
    ApplicantName: 'Ana Ruiz',
    ApplicantPhone: '5550100142',
    ApplicantEmail: 'ana@example.com',
    EstProjectCost: '250500',
  }
  const inside = (name: string) =>
    document.getElementById(`field-${name}`)?.contains(document.activeElement) ?? false
  for (const [name, data] of Object.entries(filling)) {
    while (!inside(name) && presses < 100) await press('{Tab}')
    await user.keyboard(data.replaceAll(/[{[]/g, '$&$&'))
    await pass(20)
  }
  await press('{Control>}{Enter}{/Control}')
  await pass(500)
  expect(heading().textContent).toBe('Receipt front-1-1')
  expect(presses).toBeLessThanOrEqual(60)
  const items = await backend.items({ of: 'own', text: '', order: 'oldest_first', skip: 0, rows: 1 })
  const { payload } = await backend.item(items.rows[0]?.operation_id ?? '')
  expect(payload).toEqual({
    OriginalAddress1: '12 Oak St',
    PIN: ['0010-22-417'],
    OriginalZip: '98101',
    Description: 'Replace the roof',
    TotalSqFt: '1840.5',
    HousingUnits: 1,
    ApplicantName: 'Ana Ruiz',
    ApplicantPhone: '5550100142',
    ApplicantEmail: 'ana@example.com',
    EstProjectCost: '250500',
  })
})

test('the window speaks Spanish: legends, problems, receipt', async () => {
  const { user } = await open({ language: 'es-US' })
  expect(heading().textContent).toBe('Nueva solicitud')
  await accept(user)
  await pass(300)
  expect(document.activeElement?.textContent).toBe('Hay 1 problema')
  expect(screen.getAllByText('Escriba la dirección de la obra.')).toHaveLength(2)
})

test('axe finds nothing in the form, refused or not, and in the receipt', async () => {
  const { user, container } = await open()
  await expectAccessible(container)
  await accept(user)
  await pass(300)
  await expectAccessible(container)
})
