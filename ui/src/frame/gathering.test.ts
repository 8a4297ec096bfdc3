import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gathering } from './gathering'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function gathered() {
  const passed: string[][] = []
  return { passed, ...gathering<string>(250, (told) => passed.push([...told])) }
}

test('what is told alone is passed on at once', () => {
  const { add, passed } = gathered()
  add(['queue'])
  expect(passed).toEqual([['queue']])
  vi.advanceTimersByTime(1_000)
  add(['session'])
  expect(passed).toEqual([['queue'], ['session']])
})

test('what follows within the time is passed on together, each once', () => {
  const { add, passed } = gathered()
  for (let n = 0; n < 100; n += 1) add(n % 2 === 0 ? ['queue', 'standing'] : ['queue'])
  expect(passed).toEqual([['queue', 'standing']])
  vi.advanceTimersByTime(250)
  expect(passed).toEqual([
    ['queue', 'standing'],
    ['queue', 'standing'],
  ])
})

test('a stream is passed on four times a second, and its end is not lost', () => {
  const { add, passed } = gathered()
  for (let ms = 0; ms < 1_000; ms += 10) {
    add(['queue'])
    vi.advanceTimersByTime(10)
  }
  add(['last'])
  vi.advanceTimersByTime(250)
  expect(passed.length).toBeLessThanOrEqual(6)
  expect(passed.at(-1)).toContain('last')
})

test('after the end nothing is passed on', () => {
  const { add, end, passed } = gathered()
  add(['queue'])
  add(['queue'])
  end()
  vi.advanceTimersByTime(1_000)
  expect(passed).toEqual([['queue']])
})
