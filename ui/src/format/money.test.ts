import { expect, test } from 'vitest'
import { dollars } from './format'
import { readMoney } from './money'

test.each([
  ['1234', '1234'],
  ['1,234.56', '1234.56'],
  ['$1,234.56', '1234.56'],
  ['$ 1234', '1234'],
  ['  250500.00 ', '250500.00'],
  ['\u200e250,500\ufeff', '250500'],
  ['0012.50', '12.50'],
  ['0', '0'],
  ['0.5', '0.5'],
  ['9999999999999.99', '9999999999999.99'],
])('money %j is read as %s', (typed, amount) => {
  expect(readMoney(typed)).toEqual({ kind: 'read', amount })
})

test.each([
  ['1.234,56', 'grouping'],
  ['12,5', 'grouping'],
  ['1 234', 'characters'],
  ['1,23,456', 'grouping'],
  ['1,2345', 'grouping'],
  ['1.2.3', 'grouping'],
  ['.', 'grouping'],
  ['12.', 'grouping'],
  ['.50', 'grouping'],
  ['1.234', 'decimals'],
  ['1e3', 'characters'],
  ['1e21', 'characters'],
  ['-5', 'negative'],
  ['$-5', 'negative'],
  ['\u22125', 'negative'],
  ['(5.00)', 'negative'],
  ['١٢٣', 'characters'],
  ['１２３', 'characters'],
  ['12 USD', 'characters'],
  ['99999999999999', 'too-long'],
])('money %j is refused for its %s', (typed, why) => {
  expect(readMoney(typed)).toEqual({ kind: 'refused', why })
})

test('nothing typed is no problem of its own', () => {
  expect(readMoney(' ')).toEqual({ kind: 'empty' })
})

test.each([
  ['250500', '$250,500.00'],
  ['1234.5', '$1,234.50'],
  ['9999999999999.99', '$9,999,999,999,999.99'],
  ['-12', '-$12.00'],
  ['1.2345', '$1.2345'],
])('the amount %s is shown as %s, unrounded', (amount, shown) => {
  expect(dollars(amount)).toBe(shown)
})
