import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../../tests/inWindow'
import { openWindow, signedIn } from '../../../tests/openWindow'
import type { Decision } from '../../api/generated/wire'
import type { memoryBackend } from '../../api/memory'

type Station = ReturnType<typeof memoryBackend>
type Making = (station: Station, id: string) => void

/** A window on one item that waits for a decision; what is decided about it is kept. */
async function openDecision(making: Making, settings: Record<string, string> = {}) {
  const decided: Decision[] = []
  let id = ''
  const shown = await openWindow({
    session: signedIn('supervisor'),
    mode: 'calm',
    settings,
    path: 'oversight/decide',
    before: async (opened: Station) => {
      const made = await opened.submit({ kind: 'application', payload: { OriginalAddress1: '12 Oak St' } })
      id = made.operation_id
      making(opened, id)
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
  await screen.findByRole('heading', { level: 2, name: /Why it is here|Por qué está aquí/ })
  return { ...shown, decided, id }
}

const unprovable: Making = (station, id) => station.setAside(id, 'unprovable')
const twin: Making = (station, id) => station.findTwice(id, ['AF-1', 'AF-2'])
const reason = () => screen.getByRole('textbox', { name: /^Reason/ })
const sign = '{Control>}{Enter}{/Control}'

test('what no search can find says where to look, and what was seen is signed with its number', async () => {
  const { user, decided, container, id } = await openDecision(unprovable)
  expect(screen.getByText(/Look in the permit system yourself, under 12 Oak St/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Void/ })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'It is there' }))
  await user.type(screen.getByRole('textbox', { name: /Number seen there/ }), 'BP-2026-417')
  await user.type(reason(), 'Seen in its comments')
  await expectAccessible(container)
  await user.keyboard(sign)
  await screen.findByText('front-1-1 is recorded.')
  expect(decided).toEqual([{ found: { record: 'BP-2026-417' } }])
  act(() => {
    window.location.hash = `#/receipt/${id}`
  })
  await screen.findByText(/supervisor looked in the permit system and found it under BP-2026-417/)
})

test('a number that is none stands at its field', async () => {
  const { user } = await openDecision(unprovable)
  await user.click(screen.getByRole('radio', { name: 'It is there' }))
  const field = screen.getByRole('textbox', { name: /Number seen there/ })
  await user.type(field, 'two words')
  await user.type(reason(), 'Seen')
  await user.keyboard(sign)
  await screen.findByRole('heading', { name: /1 problem/ })
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

test('what is not there is sent again, and nothing is signed before one is chosen', async () => {
  const { user, decided } = await openDecision(unprovable)
  await user.type(reason(), 'Not there')
  await user.keyboard(sign)
  expect((await screen.findAllByText('Choose what is in the permit system.')).length).toBeGreaterThan(0)
  expect(decided).toEqual([])
  await user.click(screen.getByRole('radio', { name: /It is not there/ }))
  await user.keyboard(sign)
  await waitFor(() => expect(decided).toEqual(['requeue']))
})

test('both records of a twin stand there by number, and the one that stays is kept', async () => {
  const { user, decided, container } = await openDecision(twin)
  const said = screen.getByRole('heading', { name: 'What the permit system says' }).closest('section')
  expect(said?.textContent).toMatch(/AF-1.*Stays.*AF-2.*To be voided in the permit system, by hand/)
  await expectAccessible(container)
  await user.click(screen.getByRole('radio', { name: 'AF-1 stays' }))
  await user.type(reason(), 'The first is on paper')
  await user.keyboard(sign)
  await waitFor(() => expect(decided).toEqual(['keep']))
})

test('the other one of a twin can stay, by its number', async () => {
  const { user, decided } = await openDecision(twin)
  await user.click(screen.getByRole('radio', { name: 'AF-2 stays' }))
  await user.type(reason(), 'The first was voided there')
  await user.keyboard(sign)
  await waitFor(() => expect(decided).toEqual([{ found: { record: 'AF-2' } }]))
})

test('a twin whose others were voided there is looked for again', async () => {
  const { user, decided } = await openDecision(twin)
  await user.click(screen.getByRole('radio', { name: /look again/ }))
  await user.type(reason(), 'AF-2 is voided')
  await user.keyboard(sign)
  await waitFor(() => expect(decided).toEqual(['requeue']))
})

test('what can’t be sent again says why, and offers no button for it', async () => {
  await openDecision((station, id) => station.setAside(id, 'parent-voided'))
  expect(screen.getByText(/can’t be sent again: the item before it was voided/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Send again/ })).toBeNull()
  expect(screen.getByRole('button', { name: /Void/ })).toBeTruthy()
})

test('a hint about both stands only where both can be chosen', async () => {
  const making =
    (both: boolean): Making =>
    (station, id) => {
      station.meetAnother(id, 'known')
      const { item } = station
      station.item = async (one) => {
        const view = await item(one)
        return { ...view, conflict: view.conflict && { ...view.conflict, by_field: both } }
      }
    }
  const { unmount } = await openDecision(making(false))
  expect(screen.queryByText(/^Both: the fields/)).toBeNull()
  expect(screen.queryByRole('radio', { name: 'Both together' })).toBeNull()
  unmount()
  await openDecision(making(true))
  expect(screen.getByText(/^Both: the fields/)).toBeTruthy()
})

test('in Spanish the words are Spanish', async () => {
  await openDecision(twin, { language: 'es-US' })
  expect(screen.getByRole('main').textContent).toContain('Por anular en el sistema de permisos, a mano')
})
