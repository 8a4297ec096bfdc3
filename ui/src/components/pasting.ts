// What a field takes at once. There is no `maxlength` and no mask: text over a limit stays, and the person is told;
// only a paste beyond all measure is left out, whole, because a window that stops answering helps nobody.

export const PASTE_MAX_BYTES = 64 * 1024

export function tooMuchToPaste(text: string): boolean {
  if (text.length > PASTE_MAX_BYTES) return true
  return new TextEncoder().encode(text).length > PASTE_MAX_BYTES
}

/** Characters as a person counts them, not UTF-16 units. */
export function charactersOver(text: string, limit: number): number {
  if (text.length <= limit) return 0
  return Math.max(0, [...text].length - limit)
}
