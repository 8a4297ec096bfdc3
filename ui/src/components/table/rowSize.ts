// How high a row of a long list is, as the look has it.

const REM_PX = 16

/** The token is in rem, and follows the density of this person. */
export function usualRowPx(): number {
  const root = getComputedStyle(document.documentElement)
  const rem = Number.parseFloat(root.getPropertyValue('--row')) || 2
  return rem * (Number.parseFloat(root.fontSize) || REM_PX)
}
