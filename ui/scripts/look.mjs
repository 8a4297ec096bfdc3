// Writes src/look/generated/ from the pinned @uswds/uswds: the colours, lengths and type sizes that the look uses, each
// under USWDS's own token name, and the drawings of the icons. `--check` writes nothing and fails when a file is stale.
// Nothing is taken that no theme names, so that the list below is the whole palette.

import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const uswds = new URL('../node_modules/@uswds/uswds/', import.meta.url)
const tokens = new URL('packages/uswds-core/src/styles/tokens/', uswds)
const target = new URL('../src/look/generated/', import.meta.url)

/** Token names as USWDS writes them: family, grade, `v` for vivid. */
const colors = [
  'gray-5',
  'gray-10',
  'gray-20',
  'gray-30',
  'gray-80',
  'gray-90',
  'gray-100',
  'gray-cool-5',
  'gray-cool-10',
  'gray-cool-20',
  'gray-cool-30',
  'gray-cool-50',
  'gray-cool-60',
  'gray-cool-70',
  'gray-cool-80',
  'gray-cool-90',
  'blue-5v',
  'blue-10v',
  'blue-30v',
  'blue-50v',
  'blue-60v',
  'blue-80v',
  'blue-warm-70v',
  'blue-warm-80v',
  'yellow-5',
  'yellow-5v',
  'gold-20v',
  'gold-60v',
  'gold-80v',
  'red-warm-10',
  'red-30v',
  'red-60v',
  'red-80v',
  'green-cool-5',
  'green-cool-20v',
  'green-cool-60v',
  'green-cool-80v',
]

const icons = [
  'account_circle',
  'add',
  'arrow_back',
  'arrow_downward',
  'arrow_upward',
  'cancel',
  'check',
  'check_circle',
  'check_circle_outline',
  'close',
  'content_copy',
  'delete',
  'do_not_disturb',
  'edit',
  'error',
  'event',
  'expand_less',
  'expand_more',
  'flag',
  'help_outline',
  'history',
  'hourglass_empty',
  'info_outline',
  'link_off',
  'lock',
  'loop',
  'menu',
  'navigate_next',
  'print',
  'radio_button_unchecked',
  'report',
  'save_alt',
  'schedule',
  'science',
  'search',
  'send',
  'settings',
  'sort_arrow',
  'timer',
  'undo',
  'update',
  'verified',
  'verified_user',
  'visibility',
  'visibility_off',
  'warning',
]

const files = [
  ['tokens.css', await tokensCss()],
  ['icons.ts', await iconsTs()],
]
const stale = []
for (const [name, text] of files) {
  const at = new URL(name, target)
  const now = await readFile(at, 'utf8').catch(() => '')
  if (now === text) continue
  stale.push(fileURLToPath(at))
  if (!process.argv.includes('--check')) await writeFile(at, text)
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`stale, run "npm run look": ${stale.join(', ')}`)
  process.exitCode = 1
}

async function tokensCss() {
  const lines = [
    '/* Written by scripts/look.mjs from @uswds/uswds. Names are USWDS token names; only src/look/ may use them. */',
    ':root {',
  ]
  for (const name of colors) lines.push(`  --uswds-${name}: ${await color(name)};`)
  lines.push('', '  /* spacing units, 8 px each, in rem so that text size carries them along */')
  for (const [name, px] of Object.entries(await spacing())) lines.push(`  --units-${name}: ${rem(px)};`)
  lines.push(
    '',
    '  /* type scale; Public Sans is the face that the scale is made for, so sizes are what they say */',
  )
  for (const [name, px] of Object.entries(await numbers('font/type-scale.scss', /^\s*(\d+): (\d+)px,/gm)))
    lines.push(`  --type-${name}: ${rem(px)};`)
  lines.push('', '  /* line heights */')
  for (const [name, height] of Object.entries(
    await numbers('font/line-height.scss', /^\s*(\d): ([\d.]+),/gm),
  ))
    lines.push(`  --line-${name}: ${height};`)
  lines.push('', '  /* widths of inputs: the expected length of what is typed */')
  for (const [name, ex] of Object.entries(
    await numbers('units/input-widths.scss', /^\s*"(2xs|xs|sm|md|lg|xl|2xl)": (\d+)ex,/gm),
  ))
    lines.push(`  --input-${name}: ${ex}ex;`)
  return `${lines.join('\n')}\n}\n`
}

function rem(px) {
  return `${Number(px) / 16}rem`
}

async function color(name) {
  const [, family, grade, vivid] = /^(.+)-(\d+)(v?)$/.exec(name)
  const file = await readFile(new URL(`color/_${family}.scss`, tokens), 'utf8')
  const [plain, vividPart = ''] = file.split('"vivid": (')
  const found = new RegExp(`\\b${grade}: (#[0-9a-f]{6})`).exec(vivid ? vividPart : plain)
  if (!found) throw new Error(`USWDS has no colour ${name}`)
  return found[1]
}

async function spacing() {
  const text = await readFile(new URL('units/spacing.scss', tokens), 'utf8')
  const units = {}
  for (const [, name, multiple] of text.matchAll(/^\s*"?(\d+)"?: spacing-multiple\(([\d.]+)\)/gm))
    units[name] = Number(multiple) * 8
  return units
}

async function numbers(file, pattern) {
  const text = await readFile(new URL(file, tokens), 'utf8')
  return Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name, value]))
}

async function iconsTs() {
  const drawings = []
  for (const name of icons) {
    const svg = await readFile(new URL(`dist/img/usa-icons/${name}.svg`, uswds), 'utf8')
    const paths = [...svg.matchAll(/<path [^>]*?d="([^"]+)"/g)].map(([, d]) => d)
    if (paths.length === 0 || /<(g|circle|rect)\b/.test(svg))
      throw new Error(`icon ${name} is more than paths`)
    drawings.push(`  ${name}: '${paths.join(' ')}',`)
  }
  return [
    '// Written by scripts/look.mjs from the icons of @uswds/uswds: one path each, on a field of 24 by 24.',
    '',
    'export const drawings = {',
    ...drawings,
    '} as const',
    '',
  ].join('\n')
}
