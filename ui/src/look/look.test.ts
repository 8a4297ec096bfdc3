// @vitest-environment jsdom

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appliedLook, type Look, wear } from './look'

const plain: Look = { theme: 'system', motion: 'system', density: 'desk' }
const none = { dark: false, contrast: false, still: false }

test('the machine decides what is left to it, a person everything else', () => {
  expect(appliedLook(plain, none)).toEqual({ theme: 'light', motion: 'full', density: 'desk' })
  expect(appliedLook(plain, { ...none, dark: true }).theme).toBe('dark')
  expect(appliedLook(plain, { ...none, dark: true, contrast: true }).theme).toBe('contrast')
  expect(appliedLook({ ...plain, theme: 'light' }, { ...none, dark: true }).theme).toBe('light')
  expect(appliedLook(plain, { ...none, still: true }).motion).toBe('none')
  expect(appliedLook({ ...plain, motion: 'none' }, none).motion).toBe('none')
})

test('the look is worn as attributes, so that styles stay in files', () => {
  const root = document.createElement('div')
  wear(root, { theme: 'dark', motion: 'none', density: 'field' })
  expect({ ...root.dataset }).toEqual({ theme: 'dark', motion: 'none', density: 'field' })
  expect(root.getAttribute('style')).toBeNull()
})

test('outside the look there are names, no colours and no pixels', () => {
  const raw =
    /#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|oklch|color-mix)\(|\b\d+(\.\d+)?px\b|:\s*(white|black|red|gray|grey)\b|--uswds-/i
  const found = styles('src').flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => raw.test(line.replace(/\/\*.*?\*\//g, '')))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('no style names something that the look does not have', () => {
  const all = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.css'),
  )
  const texts = all.map((path) => readFileSync(join('src', path), 'utf8')).join('\n')
  const defined = new Set([...texts.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
  const used = new Set([...texts.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))
  expect([...used].filter((name) => !defined.has(name))).toEqual([])
})

test('no component carries a style of its own', () => {
  const components = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.tsx'),
  )
  expect(components.filter((path) => /\bstyle=\{/.test(readFileSync(join('src', path), 'utf8')))).toEqual([])
})

test('the tokens are those of the pinned USWDS', () => {
  expect(() => execFileSync('node', ['scripts/look.mjs', '--check'], { stdio: 'pipe' })).not.toThrow()
})

function styles(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return all
    .filter((path) => path.endsWith('.css') && !path.startsWith('look'))
    .map((path) => join(folder, path))
}
