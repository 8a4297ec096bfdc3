// Chords as people say them ("Ctrl+Enter", "Alt+1"), in the words of the two drivers.

const PROTOCOL = {
  Ctrl: '\uE009',
  Alt: '\uE00A',
  Shift: '\uE008',
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  Backspace: '\uE003',
  Delete: '\uE017',
  Space: ' ',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  Home: '\uE011',
  End: '\uE010',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
}
const F1 = 0xe031
const FUNCTION_KEYS = 12
for (let n = 1; n <= FUNCTION_KEYS; n += 1) PROTOCOL[`F${n}`] = String.fromCharCode(F1 + n - 1)

/** "Ctrl++" ends in the plus itself. */
export function partsOf(chord) {
  const parts = chord.split('+')
  return chord.endsWith('++') ? [...parts.slice(0, -2), '+'] : parts
}

/** For WebDriver: the keys in the order in which they go down. */
export const protocolKeys = (chord) => partsOf(chord).map((part) => PROTOCOL[part] ?? part.toLowerCase())

/** For Playwright. */
export const browserChord = (chord) =>
  partsOf(chord)
    .map((part) => ({ Ctrl: 'Control', Space: ' ' })[part] ?? (part.length === 1 ? part.toLowerCase() : part))
    .join('+')
