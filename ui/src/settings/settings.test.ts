import { expect, test } from 'vitest'
import { type Settings, storedSettings, storeSettings, usual } from './settings'

function shelf(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as unknown as Storage
}

test('settings are kept per person', () => {
  const kept = shelf()
  const mine: Settings = { ...usual, theme: 'dark', language: 'es-US' }
  storeSettings(kept, 'clerk', mine)
  expect(storedSettings(kept, 'clerk')).toEqual(mine)
  expect(storedSettings(kept, 'inspector')).toEqual(usual)
})

test.each(['not json', '[]', 'null', '{"theme":"plaid","language":7,"clock":"24"}'])(
  'of %s only what is known is taken',
  (text) => {
    const kept = shelf()
    kept.setItem('holdfast.settings.clerk', text)
    const expected = text.includes('24') ? { ...usual, clock: '24' } : usual
    expect(storedSettings(kept, 'clerk')).toEqual(expected)
  },
)
