import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import en from './en.json'
import es from './es.json'

type Tree = { [key: string]: string | Tree }

/** Every text under its whole key. */
function flat(tree: Tree, before = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as [string, string]] : flat(value, `${before}${key}.`),
  )
}

const PLURAL = /_(zero|one|two|few|many|other)$/
const english = flat(en)
const spanish = flat(es)
const stems = (texts: [string, string][]) => new Set(texts.map(([key]) => key.replace(PLURAL, '')))
const holes = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).toSorted()

test('both languages have the same texts', () => {
  expect([...stems(spanish)].toSorted()).toEqual([...stems(english)].toSorted())
})

test.each([
  ['en-US', english],
  ['es-US', spanish],
])('%s has every form of number that its grammar has', (locale, texts) => {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const counted = [...stems(texts.filter(([key]) => PLURAL.test(key)))]
  const missing = counted.flatMap((stem) =>
    forms.map((form) => `${stem}_${form}`).filter((key) => !texts.some(([name]) => name === key)),
  )
  expect(missing).toEqual([])
})

test('a text has the same figures in both languages', () => {
  const texts = new Map(spanish)
  const differing = english.filter(
    ([key, text]) => texts.has(key) && holes(text).join() !== holes(texts.get(key) ?? '').join(),
  )
  expect(differing.map(([key]) => key)).toEqual([])
})

test('no text says a word that is not used on screens', () => {
  const never =
    /\b(half-open|ours|theirs|synced|queue|success|successfully|please|invalid|sorry|oops|backend|server|error occurred)\b|!/i
  expect(english.filter(([, text]) => never.test(text))).toEqual([])
  const neverInSpanish =
    /\b(cola|éxito|exitosamente|inválid[oa]|por favor|tus?|tienes|puedes|escribe|elige)\b|!|¡/i
  expect(spanish.filter(([, text]) => neverInSpanish.test(text))).toEqual([])
})

test('no text is made of characters that the face does not have', () => {
  expect(
    [...english, ...spanish].filter(([, text]) =>
      /[\u2190-\u21ff\u2300-\u27bf\u{1f000}-\u{1faff}]/u.test(text),
    ),
  ).toEqual([])
})

test('no component says English of its own', () => {
  const spoken =
    /\b(aria-label|label|title|placeholder|alt|hint|question|act|stay|description|legend|word)="[^"]*[A-Za-z]{2}[^"]*"/
  const found = components('src').flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => spoken.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('only the announcer speaks', () => {
  const found = components('src').filter((path) =>
    /aria-live|role="(status|alert|log)"/.test(readFileSync(path, 'utf8')),
  )
  expect(found).toEqual([join('src', 'frame', 'Announcer.tsx')])
})

function components(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return all
    .filter((path) => path.endsWith('.tsx') && !path.includes('.test.'))
    .map((path) => join(folder, path))
}
