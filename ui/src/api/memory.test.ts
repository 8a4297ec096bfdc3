import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StationEvent } from './generated/wire'
import { memoryBackend } from './memory'
import { memoryModes } from './memoryConditions'

const application = (
  operation_id: string,
  payload: Record<string, unknown> = { OriginalAddress1: '12 Oak St', PIN: ['0010-22-417'] },
) => ({ kind: 'application', operation_id, payload })

test('what is handed in twice is one item with one receipt', async () => {
  const station = memoryBackend({ mode: 'not_answering' })
  const first = await station.submit(application('a'))
  expect(await station.submit(application('a'))).toEqual(first)
  const all = { of: 'own', text: '', order: 'oldest_first', skip: 0, rows: 10 } as const
  expect((await station.items(all)).rows).toHaveLength(1)
  expect(first.receipt_no).toBe('front-1-1')
})

test('while the SoR is away items wait, and are recorded when it answers', async () => {
  const station = memoryBackend({ mode: 'not_answering' })
  await station.submit(application('a'))
  await station.submit(application('b'))
  expect((await station.standing()).causes).toMatchObject([{ cause: 'not_answering', waiting: 2 }])
  station.become('calm')
  expect(await station.drain({ until_empty: true, max_s: null })).toMatchObject({
    committed: 2,
    pending: 0,
    stopped_because: 'empty',
  })
  expect((await station.status()).books).toEqual({
    accepted: 2,
    pending: 0,
    in_flight: 0,
    committed: 2,
    quarantined: 0,
    voided: 0,
  })
})

test('a refusal says why and where', async () => {
  const refused = memoryBackend().submit(application('a', {}))
  await expect(refused).rejects.toMatchObject({
    code: 'refused',
    problems: [{ pointer: '/payload/OriginalAddress1' }],
  })
  await expect(memoryBackend({ mode: 'paused' }).submit(application('a'))).rejects.toMatchObject({
    code: 'rules_out_of_date',
  })
})

test('a station that is lost sends no heartbeat', () => {
  const heard: StationEvent[] = []
  const station = memoryBackend()
  const end = station.events((event) => heard.push(event))
  station.beat()
  station.become('lost')
  station.beat()
  expect(heard).toHaveLength(1)
  end()
  station.become('calm')
  expect(heard).toHaveLength(1)
})

test.each(memoryModes)('the books balance while %s', async (mode) => {
  const { books } = (await memoryBackend({ mode }).standing()).status
  expect(books.accepted).toBe(
    books.pending + books.in_flight + books.committed + books.quarantined + books.voided,
  )
})

test('one file knows the window', () => {
  const all = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.includes('.test.'),
  )
  const knowing = all.filter((path) => /from '@tauri-apps/.test(readFileSync(join('src', path), 'utf8')))
  expect(knowing).toEqual([join('api', 'tauri.ts')])
})
