import { expect, test } from 'vitest'
import type { ModeCause } from '../api/generated/wire'
import { startCatalogue } from '../catalogue/catalogue'
import { type Locale, locales, type Reading } from '../format/format'
import { house, modes } from '../gallery/samples'
import { faces, ranked, told } from './mode'

const { getFixedT } = startCatalogue()
const away: ModeCause = {
  cause: 'not_answering',
  since: '2026-12-08T13:05:00.000Z',
  waiting: 12,
  oldest: '2026-12-08T13:07:00.000Z',
}
const full: ModeCause = { cause: 'room_short', free_mib: 84 }
const reading = (locale: Locale): Reading => ({
  locale,
  clock: '12',
  now: new Date('2026-12-08T15:31:00.000Z'),
})

test('the gravest cause is told first and the others can be counted', () => {
  expect(ranked([away, full], null).map(({ cause }) => cause)).toEqual(['room_short', 'not_answering'])
})

test('lost contact is before everything', () => {
  const [first] = ranked([full, away], '2026-12-08T15:30:00.000Z')
  expect(first).toEqual({ cause: 'lost_contact', since: '2026-12-08T15:30:00.000Z' })
})

test('nothing wrong is a state of its own, also while the last items wait', () => {
  expect(ranked([], null, 2)).toEqual([{ cause: 'calm', waiting: 2 }])
})

test('every rank from 1 to 13 is there', () => {
  expect([...new Set(Object.values(faces).map(({ rank }) => rank))]).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
  ])
})

test.each(locales)('every mode says a sentence without a hole in %s', (locale) => {
  const t = getFixedT(locale)
  for (const { causes, lost } of Object.values(modes))
    for (const fact of ranked(causes, lost ? '2026-12-08T15:30:00.000Z' : null)) {
      const { lead, rest } = told(fact, t, reading(locale), house)
      expect(`${lead} ${rest}`).not.toMatch(/\{\{|mode\.|undefined|NaN|\s\s\S/)
      expect(lead).toMatch(/[.:,]$/)
    }
})

test('who, since when, what to do and how many', () => {
  const words = told(away, getFixedT('en-US'), reading('en-US'), house)
  expect(words.lead).toMatch(/^Permit system not answering since .*(AM|PM) \(2 h\)\.$/)
  expect(words.rest).toMatch(/^Keep working/)
  expect(words.tally).toBe('12 waiting')
})

test.each([
  [0, 0, 'Nothing waits.', 'No hay nada en espera.'],
  [1, 0, 'The 1 item is recorded.', 'Todo registrado (1).'],
  [71, 0, 'All 71 items recorded.', 'Todo registrado (71).'],
  [0, 1, '0 recorded, 1 needs a decision.', 'Registradas: 0; 1 requiere una decisión.'],
  [69, 2, '69 recorded, 2 need a decision.', 'Registradas: 69; 2 requieren una decisión.'],
])('an outage that left %i recorded and %i to decide ends in these words', (recorded, decisions, en, es) => {
  const [from, until] = ['2026-12-08T13:05:00.000Z', '2026-12-08T15:30:00.000Z']
  const over: ModeCause = { cause: 'outage_over', from, until, recorded, decisions }
  const rest = (locale: Locale) => told(over, getFixedT(locale), reading(locale), house).rest
  expect([rest('en-US'), rest('es-US')]).toEqual([en, es])
})
