// Makes pictures of the built page: gallery and frame, in both languages, every theme and the three sizes of window, into
// a folder outside the repository. It serves ui/dist on the loopback under the window's content policy, and fails when
// the page breaks it or throws.
//
//   node scripts/screens.mjs --out FOLDER [--only WORD]        CHROMIUM=/usr/bin/chromium

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'"
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

const sizes = [
  [1280, 800],
  [1366, 768],
  [640, 400],
]
const themes = ['light', 'dark', 'contrast']
const languages = ['en-US', 'es-US']
const modes = [
  'drill',
  'lost',
  'disk',
  'rules',
  'room',
  'restored',
  'refused',
  'stopped',
  'maintenance',
  'away',
  'catching',
  'session',
  'decide',
  'over',
  'calm',
]

const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string', default: '' } } })
if (!values.out) {
  console.error('usage: node scripts/screens.mjs --out FOLDER [--only WORD]')
  process.exit(2)
}
await mkdir(values.out, { recursive: true })

const complaints = []
const server = createServer(serve)
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const origin = `http://127.0.0.1:${server.address().port}`
const profile = await mkdtemp(join(tmpdir(), 'holdfast-screens-'))
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  args: flags,
  headless: true,
  serviceWorkers: 'block',
})
try {
  const page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  for (const picture of pictures()) if (picture.name.includes(values.only)) await take(page, picture)
} finally {
  await browser.close()
  await new Promise((closed) => server.close(closed))
  await rm(profile, { recursive: true, force: true })
}

// React Aria adds style elements of its own; without them all else works, and the policy stays strict.
const real = complaints.filter((text) => !/style-src/.test(text))
if (real.length > 0) {
  console.error([...new Set(real)].join('\n'))
  process.exitCode = 1
}

function pictures() {
  const all = []
  for (const language of languages)
    for (const theme of themes)
      for (const [width, height] of sizes) {
        const of = (name, hash, more = {}) =>
          all.push({
            name: `${name}-${language}-${theme}-${width}`,
            hash,
            language,
            theme,
            width,
            height,
            ...more,
          })
        of('frame-away', '#/gallery/frame/away')
        of('gallery', '#/gallery', { whole: true })
        of('gallery-dialog', '#/gallery', { press: '.block:last-of-type button' })
        for (const screen of ['counter/waiting', 'settings', 'about'])
          of(`screen-${screen.replace('/', '-')}`, `#/${screen}`)
        if (theme === 'light') {
          for (const mode of modes) of(`mode-${mode}`, `#/gallery/frame/${mode}`)
          for (const [overlay, key] of Object.entries({ help: 'F1', find: 'Control+k', details: 'F8' }))
            of(`overlay-${overlay}`, '#/gallery/frame/rules', { key })
        }
      }
  return all
}

async function take(page, { name, hash, language, theme, width, height, whole, press, key }) {
  await page.setViewportSize({ width, height })
  await page.goto(`${origin}/index.html`)
  await page.evaluate(
    (settings) => localStorage.setItem('holdfast.settings.anyone', JSON.stringify(settings)),
    { language, theme, motion: 'none' },
  )
  await page.goto(`${origin}/index.html?${name}${hash}`)
  await page.locator('h1').waitFor({ state: 'attached' })
  await page.evaluate(() => document.fonts.ready)
  if (press) await page.locator(press).click()
  if (key) await page.keyboard.press(key)
  if (whole) await grow(page, width)
  await page.screenshot({ path: join(values.out, `${name}.png`) })
}

/** As high as all of the screen, so that nothing of it is behind a scroll bar. */
async function grow(page, width) {
  const height = await page.evaluate(() => document.querySelector('.screen').scrollHeight + 260)
  await page.setViewportSize({ width, height: Math.min(height, 8000) })
}

async function serve(request, response) {
  if (request.url === '/favicon.ico') return response.writeHead(204).end()
  const path = normalize(join(dist, new URL(request.url, 'http://x').pathname))
  const inside = path.startsWith(dist.endsWith(sep) ? dist : dist + sep)
  const body = inside ? await readFile(path).catch(() => null) : null
  response.writeHead(body ? 200 : 404, {
    'content-type': types[extname(path)] ?? 'text/plain',
    'content-security-policy': policy,
  })
  response.end(body ?? '')
}
