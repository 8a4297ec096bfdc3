import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { expectAccessible } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import type { StartProblem } from '../../api/generated/wire'
import { WRONG_PASSWORD } from '../../api/memory'
import { startProblems } from '../../api/memory/wanted'

const began = (problem: StartProblem, contact: string | null = 'IT desk') => ({
  start: { start: 'problem' as const, problem, folder: '/srv/holdfast', contact },
})

test.each(startProblems)(
  'of $problem the page says what is intact and has exactly one thing to do',
  async (problem) => {
    const { container } = await openWindow(began(problem))
    const main = screen.getByRole('main')
    expect(within(main).getAllByRole('button')).toHaveLength(1)
    expect(document.activeElement).toBe(within(main).getByRole('button', { name: /Try again/ }))
    expect(within(main).getByText('What is intact').nextElementSibling?.textContent).not.toBe('')
    expect(main.textContent).toContain('IT desk')
    expect(main.textContent).not.toContain('{{')
    await expectAccessible(container)
  },
)

test.each(['{Enter}', '{F5}'])('%s tries again, and leads on when all is well', async (key) => {
  const { user } = await openWindow(began({ problem: 'key_locked' }))
  await user.keyboard(key)
  expect(await screen.findByRole('banner', { name: 'Holdfast' })).toBeTruthy()
  expect(await screen.findByRole('navigation')).toBeTruthy()
})

test('a try that changes nothing says so and keeps the focus', async () => {
  const { user, backend } = await openWindow({
    ...began({ problem: 'in_use' }),
    before: (station) => {
      station.startAgain = station.start
    },
  })
  await user.keyboard('{Enter}')
  expect(await screen.findByText(/It is as before/)).toBeTruthy()
  expect(document.activeElement?.textContent).toContain('Try again')
  expect(backend).toBeTruthy()
})

test('help is there before the program has begun, with whom to call', async () => {
  const { user } = await openWindow(began({ problem: 'damaged' }, null))
  await user.keyboard('{F1}')
  expect(within(screen.getByRole('dialog')).getByText(/Whoever looks after this computer/)).toBeTruthy()
})

const name = () => screen.getByRole('textbox', { name: 'Name' })
const password = () => screen.getByLabelText('Password')

test('Enter signs in, and the first screen of the person takes the focus', async () => {
  const { user } = await openWindow({ session: null })
  expect(document.activeElement).toBe(name())
  await user.keyboard('inspector{Tab}demo-inspector{Enter}')
  const heading = await screen.findByRole('heading', { level: 1, name: 'Today' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

test('a password is pasted, shown when asked, and offered to password managers', async () => {
  const { user } = await openWindow({ session: null })
  await user.click(password())
  await user.paste('correct horse')
  expect((password() as HTMLInputElement).value).toBe('correct horse')
  expect(password().getAttribute('type')).toBe('password')
  expect(password().getAttribute('autocomplete')).toBe('current-password')
  expect(name().getAttribute('autocomplete')).toBe('username')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password().getAttribute('type')).toBe('text')
})

test.each([
  ['calm', WRONG_PASSWORD, /does not know this name with this password/],
  ['not_answering', 'right', /nobody can sign in here now/],
] as const)('when it is %s, a refused sign-in says so and takes the focus', async (mode, typed, words) => {
  const { user, container } = await openWindow({ session: null, mode })
  await user.keyboard(`clerk{Tab}${typed}{Tab}{Enter}`)
  const problem = await screen.findByRole('heading', { level: 2, name: words })
  expect(document.activeElement).toBe(problem)
  await expectAccessible(container)
})

test('signing out leads to the sign-in, and another person begins at one’s own first screen', async () => {
  const { user } = await openWindow({ session: signedIn('supervisor'), path: 'oversight/outages' })
  await user.click(screen.getByRole('button', { name: /supervisor, supervisor/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
  await screen.findByRole('heading', { level: 1, name: 'Sign in' })
  expect(screen.queryByRole('navigation')).toBeNull()
  await user.keyboard('inspector{Tab}x{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Today' })).toBeTruthy()
})

test('who has two roles has one desk at a time and changes between them', async () => {
  const { user } = await openWindow({ session: signedIn('R. Ortiz', 'supervisor', 'inspector') })
  expect(document.documentElement.dataset.density).toBe('desk')
  await user.click(screen.getByRole('button', { name: /R. Ortiz, supervisor/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Go to Field' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Today' })).toBeTruthy()
  expect(screen.getByRole('button', { name: /R. Ortiz, inspector/ })).toBeTruthy()
  expect(document.documentElement.dataset.density).toBe('field')
})

test('settings and text size are each person’s own, and put on when one signs in', async () => {
  const sizes: number[] = []
  const { user, backend } = await openWindow({
    session: signedIn('clerk'),
    before: (station) => {
      station.setTextSize = async (percent) => void sizes.push(percent)
    },
  })
  await waitFor(() => expect(sizes.at(-1)).toBe(100))
  await user.keyboard('{Control>}+{/Control}{Control>}={/Control}{Control>}+{/Control}{Control>}-{/Control}')
  await waitFor(() => expect(sizes.at(-1)).toBe(125))
  await act(() => backend.demo?.switchPerson('supervisor'))
  await waitFor(() => expect(sizes.at(-1)).toBe(100))
  await act(() => backend.demo?.switchPerson('clerk'))
  await waitFor(() => expect(sizes.at(-1)).toBe(125))
  await user.keyboard('{Control>}0{/Control}')
  await waitFor(() => expect(sizes.at(-1)).toBe(100))
})

test('closing while something waits is asked, with the harmless answer in focus', async () => {
  const { user, backend } = await openWindow()
  const close = vi.spyOn(backend, 'closeWindow')
  act(() => backend.tell({ told: 'closing', waiting: 7 }))
  const asked = await screen.findByRole('alertdialog', { name: 'Close the window?' })
  expect(asked.textContent).toContain('7 items wait. They go on being sent after you close.')
  expect(document.activeElement?.textContent).toBe('Stay')
  await user.keyboard('{Escape}')
  expect(close).not.toHaveBeenCalled()
  act(() => backend.tell({ told: 'closing', waiting: 7 }))
  await user.click(await screen.findByRole('button', { name: 'Close the window' }))
  expect(close).toHaveBeenCalledTimes(1)
})

test('help lists the keys that act on this screen and no others', async () => {
  const { user } = await openWindow({ session: signedIn('inspector'), path: 'inspection/AF-I-0000002' })
  await screen.findByRole('radio', { name: /Passed/ })
  await user.keyboard('{F1}')
  const help = within(screen.getByRole('dialog'))
  for (const key of ['Alt+R', 'Alt+N', 'Ctrl+Enter', 'F6']) expect(help.getByText(key)).toBeTruthy()
  for (const key of ['Ctrl+L', 'Alt+C', 'Ctrl+1', 'Ctrl+M']) expect(help.queryByText(key)).toBeNull()
  expect(help.getByText('Today')).toBeTruthy()
})

test('the engine’s own menu opens in text fields only', async () => {
  await openWindow({ session: null })
  const menu = (on: Element) => {
    const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
    on.dispatchEvent(event)
    return !event.defaultPrevented
  }
  expect(menu(name())).toBe(true)
  expect(menu(screen.getByRole('main'))).toBe(false)
})

test('diagnostics name nobody', async () => {
  await openWindow({ session: signedIn('Casey Rivers', 'clerk'), path: 'about' })
  const text = document.querySelector('.diagnostics')?.textContent ?? ''
  expect(text).toContain('books: accepted=0')
  expect(text).not.toContain('Casey')
})
