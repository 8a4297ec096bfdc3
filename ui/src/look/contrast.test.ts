import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const palette = variables(readFileSync('src/look/generated/tokens.css', 'utf8'))
const themes = readFileSync('src/look/themes.css', 'utf8')

/** Text wants 4.5 to 1, what only has to be seen 3 to 1. */
const text: [string, string][] = [
  ['ink', 'surface'],
  ['ink', 'surface-side'],
  ['ink', 'surface-field'],
  ['ink', 'surface-hover'],
  ['ink', 'surface-chosen'],
  ['ink-quiet', 'surface'],
  ['ink-quiet', 'surface-side'],
  ['ink-quiet', 'surface-field'],
  ['header-ink', 'header'],
  ['action', 'surface'],
  ['action-hover', 'surface-hover'],
  ['action', 'surface-chosen'],
  ['action-ink', 'action'],
  ['action-ink', 'action-hover'],
  ['primary-ink', 'primary'],
  ['primary-ink', 'primary-hover'],
  ['problem', 'surface'],
  ['problem', 'stop-tint'],
  ...['quiet', 'action-tone', 'attention', 'stop', 'done', 'person'].flatMap((tone): [string, string][] => [
    [`${tone}-ink`, `${tone}-tint`],
    [`${tone}-on-fill`, `${tone}-fill`],
  ]),
]
const seen: [string, string][] = [
  ['edge', 'surface'],
  ['edge', 'surface-field'],
  ['edge', 'surface-side'],
  ['primary', 'surface'],
  ['focus', 'surface'],
  ['focus', 'surface-side'],
  ['header-focus', 'header'],
  ['header-edge', 'header'],
  ['rehearsal', 'rehearsal-other'],
  ...['quiet', 'action-tone', 'attention', 'stop', 'done', 'person'].flatMap((tone): [string, string][] => [
    [`${tone}-icon`, `${tone}-tint`],
    [`${tone}-edge`, 'surface'],
  ]),
]

test.each(['light', 'dark', 'contrast'])('every pair of the theme %s can be read', (theme) => {
  const colors = themeOf(theme)
  const poor = (pairs: [string, string][], least: number) =>
    pairs
      .map(([on, under]) => ({ on, under, ratio: ratio(resolved(colors, on), resolved(colors, under)) }))
      .filter(({ ratio }) => ratio < least)
  expect(poor(text, 4.5)).toEqual([])
  expect(poor(seen, 3)).toEqual([])
})

test('every theme says every colour', () => {
  const names = ['light', 'dark', 'contrast'].map((theme) =>
    [...themeOf(theme).keys()].filter((name) => name !== 'shade').toSorted(),
  )
  expect(names[1]).toEqual(names[0])
  expect(names[2]).toEqual(names[0])
})

function themeOf(theme: string): Map<string, string> {
  const block = new RegExp(`\\[data-theme=["']${theme}["']\\] \\{([^}]*)\\}`).exec(themes)
  return variables(block?.[1] ?? '')
}

function variables(css: string): Map<string, string> {
  return new Map(
    [...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name ?? '', value ?? '']),
  )
}

function resolved(colors: Map<string, string>, name: string): string {
  const value = colors.get(name) ?? palette.get(name)
  if (value === undefined) throw new Error(`no colour ${name}`)
  const other = /^var\(--([\w-]+)\)$/.exec(value)
  return other ? resolved(colors, other[1] ?? '') : value
}

function ratio(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** WCAG's relative luminance of `#rrggbb`. */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [r = 0, g = 0, b = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
