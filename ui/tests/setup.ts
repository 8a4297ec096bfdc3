// What every test of the page starts from: an empty document, English, the parts of a browser that jsdom lacks, and a
// clock that goes on only when the test says so. However busy the machine is, a test sees the same times.

import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  window.location.hash = ''
})

// What React or the page complains of fails the test in which it does.
const complaints: unknown[][] = []
const complain = (...words: unknown[]) => void complaints.push(words)
Object.assign(console, { error: complain, warn: complain })
afterEach(() => expect(complaints.splice(0)).toEqual([]))

// By this name, and no other, Testing Library's own waits find the clock and move it on.
Object.assign(globalThis, { jest: { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) } })

// A field that is left in the middle of typing tells `change`, as in a browser; user-event does so from within `blur`.
// Where an effect of the page moved the focus, React is at work at that moment, and may not be told to finish it first.
const { eventWrapper } = getConfig()
configure({ eventWrapper: (tell) => (window.event?.type === 'blur' ? tell() : eventWrapper(tell)) })

// Nothing in a test prefers anything; the look's own decision is tested as a function.
window.matchMedia = (media) =>
  ({ media, matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList
window.HTMLElement.prototype.scrollIntoView = () => {}
window.HTMLCanvasElement.prototype.getContext = () => null
globalThis.CSS ??= {
  escape: (text: string) => text.replace(/[^\w-]/g, (character) => `\\${character}`),
} as typeof CSS
