import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import en from '../../catalogue/en.json'
import es from '../../catalogue/es.json'

const layout = JSON.parse(readFileSync('../schemas/inspection.layout.json', 'utf8'))

test.each([
  ['en', en.inspection_type],
  ['es', es.inspection_type],
] as const)('kinds of inspection have the words of the rules: %s', (language, { other, ...words }) => {
  const ofRules = Object.entries<Record<string, string>>(layout.words.InspTypeMapped)
  expect(words).toEqual(Object.fromEntries(ofRules.map(([code, word]) => [code, word[language]])))
  expect(other).toBe('{{type}}')
})
