import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ANSWER_WITHIN_MS, type Kept, keepDraft, TRY_AGAIN_MS, TYPING_PAUSE_MS } from './keeping'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function keeping(save: () => Promise<string>) {
  const told: Kept[] = []
  return { told, keeper: keepDraft({ save, at: null, told: (kept) => told.push(kept) }) }
}

test('one save, a pause after the last key', async () => {
  const save = vi.fn(async () => 'noon')
  const { keeper, told } = keeping(save)
  for (let key = 0; key < 5; key += 1) {
    keeper.changed()
    await pass(TYPING_PAUSE_MS - 1)
  }
  expect(save).not.toHaveBeenCalled()
  await pass(1)
  expect(save).toHaveBeenCalledTimes(1)
  expect(told.at(-1)).toEqual({ is: 'kept', at: 'noon' })
})

test('nothing is saved that is saved already', async () => {
  const save = vi.fn(async () => 'noon')
  const { keeper } = keeping(save)
  keeper.now()
  keeper.changed()
  keeper.now()
  await pass(0)
  keeper.now()
  await pass(TYPING_PAUSE_MS * 2)
  expect(save).toHaveBeenCalledTimes(1)
})

test('what is typed while it saves is not called saved, and is saved next', async () => {
  const answers: ((at: string) => void)[] = []
  const { keeper, told } = keeping(() => new Promise((resolve) => answers.push(resolve)))
  keeper.changed()
  keeper.now()
  keeper.changed()
  keeper.now()
  expect(answers).toHaveLength(1)
  answers[0]?.('noon')
  await pass(0)
  expect(told.at(-1)).toEqual({ is: 'changing', at: 'noon' })
  await pass(TYPING_PAUSE_MS)
  expect(answers).toHaveLength(2)
})

test('what could not be saved is tried again until it is', async () => {
  let broken = true
  const { keeper, told } = keeping(async () => {
    if (broken) throw new Error('disk')
    return 'noon'
  })
  keeper.changed()
  await pass(TYPING_PAUSE_MS)
  expect(told.at(-1)).toEqual({ is: 'not_kept', at: null })
  broken = false
  await pass(TRY_AGAIN_MS)
  expect(told.at(-1)).toEqual({ is: 'kept', at: 'noon' })
})

test('a station that does not answer has not saved', async () => {
  const { keeper, told } = keeping(() => new Promise(() => {}))
  keeper.changed()
  await pass(TYPING_PAUSE_MS + ANSWER_WITHIN_MS)
  expect(told.at(-1)).toEqual({ is: 'not_kept', at: null })
})

test('an accepted or discarded draft is never saved again', async () => {
  const save = vi.fn(async () => 'noon')
  const { keeper } = keeping(save)
  keeper.changed()
  keeper.end()
  keeper.now()
  await pass(TYPING_PAUSE_MS * 10)
  expect(save).not.toHaveBeenCalled()
})
