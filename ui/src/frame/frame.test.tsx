import { act, render, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { emptyShelf, expectAccessible, newPerson, pass, show } from '../../tests/inWindow'
import { App } from '../App'
import { memoryBackend } from '../api/memory'
import { startCatalogue } from '../catalogue/catalogue'
import { PageDialog } from '../components/AskDialog'
import { Button } from '../components/Button'
import { FrameShown } from '../gallery/FrameShown'
import { modes } from '../gallery/samples'

async function open(mode: Parameters<typeof memoryBackend>[0] = {}, settings?: Record<string, string>) {
  startCatalogue()
  const backend = memoryBackend(mode)
  const user = newPerson()
  render(<App backend={backend} shelf={emptyShelf(settings)} />)
  await screen.findByRole('main')
  return { backend, user }
}

const spoken = (politeness: 'log' | 'alert') =>
  [...screen.getByRole(politeness, { hidden: true }).children].map((message) => message.textContent)
const modeBar = () => screen.getByRole('region', { name: 'Status' })

test('the regions stand in the order of reading', () => {
  const { container } = show(<FrameShown mode="away" />)
  const landmarks = [...container.querySelectorAll('[role]')].map(
    (element) => element.getAttribute('role') ?? '',
  )
  const wanted = ['banner', 'region', 'navigation', 'main', 'complementary', 'contentinfo']
  expect(landmarks.filter((role) => wanted.includes(role))).toEqual(wanted)
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
})

test.each(Object.keys(modes))('axe finds nothing in the frame when the mode is %s', async (mode) => {
  const { container } = show(<FrameShown mode={mode} />)
  await expectAccessible(container)
})

test('an outage is shown at once and said once, by a new element, after two seconds', async () => {
  const { backend } = await open()
  expect(modeBar().textContent).toContain('Permit system answering.')
  act(() => backend.become('not_answering'))
  await pass(100)
  expect(modeBar().textContent).toContain('Permit system not answering since')
  expect(spoken('log')).toEqual([])
  await pass(3_000)
  expect(spoken('log')).toEqual([
    'Permit system not answering. Keep working; work is saved on this computer.',
  ])
  act(() => backend.become('not_answering'))
  await pass(10_000)
  expect(spoken('log')).toHaveLength(1)
})

test('a silent station is told within six seconds, before everything else, and its return too', async () => {
  const { backend } = await open()
  await pass(7_000)
  expect(modeBar().textContent).toContain('This window lost contact')
  await pass(500)
  expect(spoken('alert')).toEqual(['This window lost contact.'])
  act(() => backend.beat())
  await pass(3_000)
  expect(modeBar().textContent).not.toContain('lost contact')
})

test('the end of a drain is said once', async () => {
  const { backend } = await open()
  act(() => backend.tell({ told: 'drain_ended', recorded: 71, decisions: 2, waiting: 0 }))
  await pass(1_000)
  expect(spoken('log')).toEqual(['71 items are recorded, 2 need a decision.'])
})

test('Details take the focus and give it back', async () => {
  const { user } = await open()
  const help = screen.getByRole('button', { name: /Help/ })
  help.focus()
  await user.keyboard('{F8}')
  const details = screen.getByRole('complementary', { name: 'Details' })
  expect(document.activeElement).toBe(within(details).getByRole('heading', { name: 'Details' }))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('complementary', { name: 'Details' })).toBeNull()
  expect(document.activeElement).toBe(help)
})

test('help and find open by their keys and show the keys of the registry', async () => {
  const { user } = await open()
  await user.keyboard('{F1}')
  expect(within(screen.getByRole('dialog')).getByText('Ctrl+K')).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(within(screen.getByRole('dialog')).getByRole('searchbox'), 'sett')
  await user.keyboard('{ArrowDown}{Enter}')
  await pass(100)
  expect(window.location.hash).toBe('#/settings')
})

test('a change of address moves the focus to the heading and names the window', async () => {
  await open()
  act(() => {
    window.location.hash = '#/about'
  })
  await pass(100)
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'About' }))
  expect(document.title).toBe('DEMO – About – Holdfast')
})

test('F9 says the status as often as it is asked', async () => {
  const { user } = await open()
  await user.keyboard('{F9}')
  await pass(1_000)
  await user.keyboard('{F9}')
  await pass(3_000)
  expect(spoken('alert')).toEqual(['Permit system answering.', 'Permit system answering.'])
})

test('the window speaks Spanish when a person chose it', async () => {
  await open({ mode: 'not_answering' }, { language: 'es-US' })
  expect(screen.getByRole('region', { name: 'Estado' }).textContent).toContain(
    'El sistema de permisos no responde desde',
  )
  expect(document.documentElement.lang).toBe('es-US')
})

test('the waiting list shows what was accepted without a reload', async () => {
  window.location.hash = '#/waiting'
  const { backend } = await open({ mode: 'not_answering' })
  expect(await screen.findByText('Nothing waits.')).toBeTruthy()
  await act(() =>
    backend.submit({ kind: 'application', operation_id: 'a', payload: { OriginalAddress1: '12 Oak St' } }),
  )
  await pass(100)
  expect(screen.getByRole('rowheader', { name: /front-1-1/ })).toBeTruthy()
  expect(modeBar().textContent).toContain('1 waiting')
})

test('an address that is not there is told so', async () => {
  window.location.hash = '#/nowhere/at/all'
  await open()
  expect(screen.getByRole('heading', { level: 1, name: 'No such screen' })).toBeTruthy()
})

test('the demonstration breaks and mends the system and changes who works', async () => {
  const { user } = await open()
  await user.keyboard('{F8}')
  await user.click(screen.getByRole('button', { name: 'Captive portal' }))
  await pass(100)
  expect(modeBar().textContent).toContain('Permit system not answering')
  await user.click(screen.getByRole('button', { name: 'Mend it' }))
  await user.click(screen.getByRole('button', { name: 'supervisor' }))
  await pass(1_000)
  expect(modeBar().textContent).toContain('Permit system answering.')
  expect(screen.getByRole('heading', { level: 1, name: 'Sync' })).toBeTruthy()
})

test('the key of a button presses it, but not from behind a dialog', async () => {
  const pressed = vi.fn()
  const { user, rerender } = show(
    <Button keyId="primary" onPress={pressed}>
      Accept
    </Button>,
  )
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(pressed).toHaveBeenCalledTimes(1)
  rerender(<div />)
  const inside = vi.fn()
  show(
    <>
      <Button keyId="save_draft" onPress={pressed}>
        Save
      </Button>
      <PageDialog open title="Sign" onClose={() => {}}>
        <Button keyId="primary" onPress={inside}>
          Sign decision
        </Button>
      </PageDialog>
    </>,
  )
  await user.keyboard('{Control>}s{/Control}{Control>}{Enter}{/Control}')
  expect(pressed).toHaveBeenCalledTimes(1)
  expect(inside).toHaveBeenCalledTimes(1)
})

test('a key of ours never falls through to the engine', () => {
  show(<p>Nothing listens here.</p>)
  const reload = new KeyboardEvent('keydown', { key: 'F5', cancelable: true, bubbles: true })
  window.dispatchEvent(reload)
  expect(reload.defaultPrevented).toBe(true)
})

test('the end of an outage is put away once read, and the next one is told again', async () => {
  const { backend, user } = await open()
  const over = (until: string) =>
    ({ cause: 'outage_over', from: '2026-12-08T08:05:00Z', until, recorded: 71, decisions: 0 }) as const
  const standing = backend.standing
  const ended = async (until: string) => {
    backend.standing = async () => ({ ...(await standing()), causes: [over(until)] })
    act(() => backend.tell({ told: 'changed', topics: ['standing'] }))
    await pass(100)
  }
  await ended('2026-12-08T10:31:00Z')
  expect(modeBar().textContent).toContain('All 71 items recorded.')
  await user.click(within(modeBar()).getByRole('button', { name: 'Close' }))
  expect(modeBar().textContent).toContain('Permit system answering.')
  expect(document.activeElement).toBe(within(modeBar()).getByRole('button', { name: /Details/ }))
  await ended('2026-12-08T10:31:00Z')
  expect(modeBar().textContent).not.toContain('is over')
  await ended('2026-12-08T14:02:00Z')
  expect(modeBar().textContent).toContain('is over')
})
