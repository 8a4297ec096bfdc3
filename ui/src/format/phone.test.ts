import { expect, test } from 'vitest'
import { phoneShown } from './phone'

test.each([
  ['5550100142', '(555) 010-0142'],
  ['555.010.0142', '(555) 010-0142'],
  ['+1 555 010 0142', '(555) 010-0142'],
  ['(555) 010-0142 x 12', '(555) 010-0142 ext. 12'],
  ['+34 910 123 456', '+34 910 123 456'],
  ['12345', '12345'],
  ['call the office', 'call the office'],
  ['', ''],
])('%j is shown as %j', (typed, shown) => {
  expect(phoneShown(typed)).toBe(shown)
})
