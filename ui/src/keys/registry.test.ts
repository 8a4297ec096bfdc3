import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ariaName, forbidden, matches } from './chords'
import { doubles, keys } from './registry'

test('no key of ours is one that somebody else has', () => {
  expect(keys.map((key) => [key.chord, forbidden(key.chord)]).filter(([, why]) => why !== null)).toEqual([])
})

test.each([
  'Alt+Shift+H',
  'Ctrl+Alt+N',
  'Insert',
  'F7',
  'F10',
  'Alt+F4',
  'Ctrl+.',
  'Ctrl+;',
  'Ctrl+Shift+U',
  'Ctrl+W',
  'Ctrl+C',
  'Ctrl+/',
  'n',
  'ArrowDown',
])('%s can never be ours', (chord) => {
  expect(forbidden(chord)).not.toBeNull()
})

test('no two keys fight over one press', () => {
  expect(doubles(keys)).toEqual([])
  const twice = [
    { id: 'a', chord: 'F2', place: 'list' },
    { id: 'b', chord: 'F2', place: 'everywhere' },
    { id: 'c', chord: 'F2', place: 'bench' },
  ] as const
  expect(doubles(twice)).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ])
})

const pressed = (key: string, more = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  isComposing: false,
  ...more,
})

test('a chord is matched by its character, and never in the middle of composing one', () => {
  expect(matches('Ctrl+K', pressed('k', { ctrlKey: true }))).toBe(true)
  expect(matches('Ctrl+K', pressed('k', { ctrlKey: true, shiftKey: true }))).toBe(false)
  expect(matches('Ctrl+K', pressed('k', { ctrlKey: true, isComposing: true }))).toBe(false)
  expect(matches('Ctrl++', pressed('+', { ctrlKey: true }))).toBe(true)
  expect(matches('F1', pressed('F1'))).toBe(true)
})

test('assistive technology is told the name it knows', () => {
  expect(ariaName('Ctrl+Shift+N')).toBe('Control+Shift+N')
})

test('nothing listens to keys but the registry and the controls themselves', () => {
  const allowed = [join('keys', 'Keys.tsx')]
  const listening = sources('src').filter((path) =>
    /addEventListener\(['"]key/.test(readFileSync(path, 'utf8')),
  )
  expect(
    listening.filter((path) => !allowed.some((end) => path.endsWith(end)) && !path.endsWith('Announcer.tsx')),
  ).toEqual([])
})

function sources(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) => join(folder, path))
}
