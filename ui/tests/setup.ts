// What every test of the page starts from: an empty document, English, and the parts of a browser that jsdom lacks.

import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

// Nothing in a test prefers anything; the look's own decision is tested as a function.
window.matchMedia = (media) =>
  ({ media, matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList
window.HTMLElement.prototype.scrollIntoView = () => {}
window.HTMLCanvasElement.prototype.getContext = () => null
globalThis.CSS ??= {
  escape: (text: string) => text.replace(/[^\w-]/g, (character) => `\\${character}`),
} as typeof CSS
