// Serves a built page on the loopback, under the content policy that the window has. The files are read once, so that a
// build beside it changes nothing under the browser's feet.

import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, sep } from 'node:path'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'"
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/** Answers where it listens and how to close it. */
export async function serve(folder) {
  const files = await filesOf(folder)
  const server = createServer((request, response) => answer(files, request, response))
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${server.address().port}`
  return { origin, close: () => new Promise((closed) => server.close(closed)) }
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  const read = paths.map(async (path) => [addressOf(folder, path), await readFile(path)])
  return new Map(await Promise.all(read))
}

function addressOf(folder, path) {
  return `/${path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1).replaceAll(sep, '/')}`
}

function answer(files, request, response) {
  const { pathname } = new URL(request.url, 'http://x')
  if (pathname === '/favicon.ico') return response.writeHead(204).end()
  const body = files.get(pathname)
  const type = types[extname(pathname)] ?? 'text/plain'
  response.writeHead(body ? 200 : 404, { 'content-type': type, 'content-security-policy': policy })
  response.end(body ?? '')
}
