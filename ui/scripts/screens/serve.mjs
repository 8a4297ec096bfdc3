// Serves a built page on the loopback, under the content policy that the window has.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

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
  const root = folder.endsWith(sep) ? folder : folder + sep
  const server = createServer((request, response) => answer(root, request, response))
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${server.address().port}`
  return { origin, close: () => new Promise((closed) => server.close(closed)) }
}

async function answer(root, request, response) {
  if (request.url === '/favicon.ico') return response.writeHead(204).end()
  const path = normalize(join(root, new URL(request.url, 'http://x').pathname))
  const body = path.startsWith(root) ? await readFile(path).catch(() => null) : null
  const type = types[extname(path)] ?? 'text/plain'
  response.writeHead(body ? 200 : 404, { 'content-type': type, 'content-security-policy': policy })
  response.end(body ?? '')
}
