import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAccessible, pass } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import { Refusal } from '../../api/backend'
import type { InspectionsView, SubmitRequest } from '../../api/generated/wire'
import type { memoryBackend } from '../../api/memory'

const inspector = { session: signedIn('inspector') }
const footing = { ...inspector, path: 'inspection/AF-I-0000002' }
const radio = (name: RegExp) => screen.findByRole('radio', { name })
type Station = ReturnType<typeof memoryBackend>

test('today lists overdue visits first and says how old the copy is', async () => {
  const { container } = await openWindow(inspector)
  const rows = await screen.findAllByRole('row')
  expect(rows.slice(1).map((row) => row.textContent)[0]).toContain('7 Mill Ln')
  expect(within(rows[1] as HTMLElement).getByText('Overdue 2 days')).toBeTruthy()
  expect(screen.getByText(/^Copy from .* \(3 h\)$/)).toBeTruthy()
  expect(document.documentElement.dataset.density).toBe('field')
  await expectAccessible(container)
})

const copied = '2026-12-08T12:12:00Z'
const view = (part: Partial<InspectionsView>): InspectionsView => ({
  copied_at: copied,
  age: 'usable',
  day: '2026-12-08',
  rows: [],
  ...part,
})

test.each<[InspectionsView, RegExp]>([
  [view({}), /^No inspections in the copy of /],
  [view({ copied_at: null, age: 'none' }), /^No inspections were copied/],
  [view({ age: 'too_old' }), /is too old to show/],
  [view({ age: 'from_the_future' }), /dated in the future and was refused/],
])('an empty day of %j says why, with Refresh beside it', async (answer, words) => {
  await openWindow({
    ...inspector,
    before: (station: Station) => {
      station.inspections = async () => answer
    },
  })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getAllByRole('button', { name: /Refresh/ })).toHaveLength(1)
})

test('a refresh that is not answered keeps the copy and the focus', async () => {
  const { user } = await openWindow({ ...inspector, mode: 'not_answering' })
  const button = await screen.findByRole('button', { name: /Refresh/ })
  button.focus()
  await user.keyboard('{F5}')
  expect(await screen.findByText(/The copy you had is still here/)).toBeTruthy()
  expect(document.activeElement).toBe(button)
  expect(screen.getByText('12 Oak St')).toBeTruthy()
})

test('a row opens its inspection, whose heading takes the focus', async () => {
  const { user } = await openWindow(inspector)
  await screen.findByText('12 Oak St')
  screen.getByRole('row', { name: /12 Oak St/ }).focus()
  await user.keyboard('{Enter}')
  const heading = await screen.findByRole('heading', { level: 1, name: 'Footing, 12 Oak St' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

test('a digit chooses only while the focus is in the group of results', async () => {
  const { user } = await openWindow(footing)
  await radio(/Passed/)
  await user.keyboard('2')
  expect(screen.getAllByRole('radio').every((one) => !(one as HTMLInputElement).checked)).toBe(true)
  await user.keyboard('{Alt>}n{/Alt}')
  await user.keyboard('2 cracks')
  expect((screen.getByRole('textbox', { name: /Notes/ }) as HTMLTextAreaElement).value).toBe('2 cracks')
  await user.keyboard('{Alt>}r{/Alt}2')
  expect(((await radio(/Rejected/)) as HTMLInputElement).checked).toBe(true)
  expect(document.activeElement).toBe(await radio(/Rejected/))
  await user.keyboard('{Control>}3{/Control}8')
  expect(((await radio(/Rejected/)) as HTMLInputElement).checked).toBe(true)
})

test.each(['calm', 'not_answering'] as const)(
  'a result is saved with the same keys when the system is %s, and its receipt takes the focus',
  async (mode) => {
    const handed: SubmitRequest[] = []
    const { user, container } = await openWindow({
      ...footing,
      mode,
      before: (station: Station) => {
        const submit = station.submit
        station.submit = (request) => {
          handed.push(request)
          return submit(request)
        }
      },
    })
    await radio(/Passed/)
    await user.keyboard('{Alt>}r{/Alt}2{Control>}{Enter}{/Control}')
    const heading = await screen.findByRole('heading', { level: 2, name: /^Rejected\. / })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(screen.getByText('front-1-1')).toBeTruthy()
    expect(await screen.findByText(/^Re-inspection due /)).toBeTruthy()
    expect(heading.textContent).toContain(
      mode === 'calm' ? 'Recorded by the permit system.' : 'Not yet in the permit system.',
    )
    expect(handed).toHaveLength(1)
    expect(handed[0]?.payload).toMatchObject({ InspType: 'Footing', ResultMapped: 'Rejected' })
    expect(Object.keys(handed[0]?.payload ?? {})).toEqual(
      expect.arrayContaining(['ScheduledDate', 'ScheduledTime', 'InspectedDate', 'InspectedTime']),
    )
    await expectAccessible(container)
  },
)

test('what is typed is kept as a draft and restored as one', async () => {
  const first = await openWindow(footing)
  await radio(/Passed/)
  await first.user.keyboard('{Alt>}n{/Alt}Rebar missing{Control>}s{/Control}')
  await screen.findByText(/^Draft saved /)
  const drafts = await first.backend.drafts()
  expect(drafts).toHaveLength(1)
  const draft = await first.backend.draft(drafts[0]?.operation_id ?? '')
  first.unmount()
  await openWindow({
    ...footing,
    before: (station: Station) => {
      station.drafts = async () => drafts
      station.draft = async () => draft
    },
  })
  expect(await screen.findByText(/restored\. Not yet saved as a result/)).toBeTruthy()
  expect((screen.getByRole('textbox', { name: /Notes/ }) as HTMLTextAreaElement).value).toBe('Rebar missing')
})

test('a refused result shows the same words beside the field and in the summary, which takes the focus', async () => {
  const { user, container } = await openWindow({
    ...footing,
    before: (station: Station) => {
      station.submit = async () => {
        const problem = { pointer: '/payload/ResultMapped', code: 'missing', message: 'must be given' }
        throw new Refusal({ code: 'refused', problems: [problem] })
      }
    },
  })
  await radio(/Passed/)
  await user.keyboard('{Control>}{Enter}{/Control}')
  const summary = await screen.findByRole('heading', { level: 2, name: 'There is 1 problem' })
  await waitFor(() => expect(document.activeElement).toBe(summary))
  const link = within(summary.closest('section') as HTMLElement).getByRole('link')
  expect(screen.getAllByText(link.textContent ?? '')).toHaveLength(2)
  await expectAccessible(container)
})

test('without contact the button answers with the reason, and what is typed stays', async () => {
  const { user } = await openWindow(footing)
  await radio(/Passed/)
  await user.keyboard('{Alt>}r{/Alt}1')
  await pass(7_000)
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText(/so nothing can be saved now/)).toBeTruthy()
  expect(((await radio(/Passed/)) as HTMLInputElement).checked).toBe(true)
  expect(screen.queryByText('front-1-1')).toBeNull()
})

test('sent shows the newest first and says when everything is recorded', async () => {
  const { backend } = await openWindow({ ...inspector, mode: 'not_answering', path: 'field/sent' })
  expect(await screen.findByText('Everything is recorded.')).toBeTruthy()
  const result = (InspType: string) =>
    backend.submit({ kind: 'inspection', application_id: 'a', payload: { InspType, ResultMapped: 'Passed' } })
  await act(async () => {
    await result('Footing')
    await result('Framing')
  })
  await pass(1_000)
  const rows = screen.getAllByRole('rowheader')
  expect(rows.map((row) => row.textContent).join()).toMatch(/front-1-2.*front-1-1/)
  expect(screen.getByText(/2 items are not recorded yet/)).toBeTruthy()
})
