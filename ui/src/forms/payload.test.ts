import { expect, test } from 'vitest'
import { everyControl as form } from '../../tests/everyControl'
import { membersOf, payloadOf, valuesOf } from './payload'
import { fieldsOf, parcelsOf, toFill } from './values'

function handedIn(name: string, value: unknown) {
  const field = fieldsOf(form).find((one) => one.name === name)
  if (!field) throw new Error(name)
  return membersOf(field, value)
}

test.each([
  ['EstProjectCost', '1,234.56', '1234.56'],
  ['EstProjectCost', ' $250,500 ', '250500'],
  ['EstProjectCost', '12,5', '$12,5'],
  ['EstProjectCost', '1.234,56', '$1.234,56'],
  ['EstProjectCost', '1e3', '$1e3'],
  // Three decimals look like thousands to half of the world: never sent as plain digits.
  ['EstProjectCost', '1.234', '$1.234'],
  ['EstProjectCost', '$-5', '$-5'],
  ['HousingUnits', ' 12 ', 12],
  ['HousingUnits', '-1', -1],
  ['HousingUnits', '1e3', '1e3'],
  ['HousingUnits', '1.5', '1.5'],
  ['HousingUnits', '99999999999999999999', '99999999999999999999'],
  ['TotalSqFt', '1,840.5', '1840.5'],
  ['TotalSqFt', '1.840,5', '1.840,5'],
  ['ApplicantPhone', '555 010 0142 ext 3', '555 010 0142 ext 3'],
  ['ApplicantName', '  نورة محمد 🏗️ <b>x</b> ', 'نورة محمد 🏗️ <b>x</b>'],
  ['Description', ' two\nlines ', ' two\nlines '],
  ['StartDate', '2026-12-08', '2026-12-08'],
  ['AccessTime', '09:30', '09:30'],
  ['Inspections', ['Footing', 'Final'], ['Footing', 'Final']],
  ['ExtraSketch', 'a line', 'a line'],
])('%s typed as %j is handed in as %j', (name, typed, wanted) => {
  expect(handedIn(name, typed)).toEqual({ [name]: wanted })
})

test.each(fieldsOf(form).map((field) => field.name))(
  '%s left empty, or of another shape, is absent',
  (name) => {
    for (const value of [undefined, '', '   ', null, 7, [], {}, { numbers: 3 }])
      expect(handedIn(name, value)).toEqual({})
  },
)

test('parcels are a list, or the reason why there is none; never both', () => {
  const typed = { numbers: [' 0010-22-417 ', '', '0010-22-418'], none: false, reason: 'kept while typing' }
  expect(handedIn('PIN', typed)).toEqual({ PIN: ['0010-22-417', '0010-22-418'] })
  expect(handedIn('PIN', { ...typed, none: true, reason: 'New plat' })).toEqual({
    NoParcelReason: 'New plat',
  })
})

test('the people of an accepted application come back as typed values', () => {
  const payload = payloadOf(form, {
    ApplicantName: 'Ana Ruiz',
    OriginalAddress1: '12 Oak St',
    HousingUnits: '2',
  })
  expect(valuesOf(form, payload, ['people'])).toEqual({ ApplicantName: 'Ana Ruiz' })
  expect(valuesOf(form, payload, ['site', 'work'])).toMatchObject({
    OriginalAddress1: '12 Oak St',
    HousingUnits: '2',
  })
})

test('what a draft of another version holds is read with care', () => {
  expect(parcelsOf('0010')).toEqual({ numbers: [''], none: false, reason: '', from: null })
  expect(parcelsOf({ numbers: [1, 'a'], none: 'yes' })).toMatchObject({ numbers: ['a'], none: false })
})

test('the count of what is to fill follows what the rules require', () => {
  const all = toFill(form, {})
  expect(toFill(form, { OriginalAddress1: '12 Oak St' })).toBe(all - 1)
  expect(toFill(form, { ApplicantName: 'Ana' })).toBe(all)
})
