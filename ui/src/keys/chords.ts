// Chords as text ("Ctrl+Shift+N"), what they match, and which ones may never be ours. Pure; the registry lists them.

export type Chord = string

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey' | 'isComposing'>

type Parts = { ctrl: boolean; alt: boolean; shift: boolean; key: string }

export function partsOf(chord: Chord): Parts {
  const words = chord.split('+')
  // "Ctrl++" ends in the plus itself.
  const key = words.at(-1) || '+'
  return { ctrl: words.includes('Ctrl'), alt: words.includes('Alt'), shift: words.includes('Shift'), key }
}

/** By the character, not by the place on the keyboard, so that both layouts have the same keys. */
export function matches(chord: Chord, event: Pressed): boolean {
  if (event.isComposing || event.metaKey) return false
  const parts = partsOf(chord)
  if (parts.ctrl !== event.ctrlKey || parts.alt !== event.altKey) return false
  // A plus needs Shift on some keyboards and none on others; without it the same key says "=".
  if (parts.key === '+') return event.key === '+' || event.key === '='
  return parts.shift === event.shiftKey && parts.key.toLowerCase() === event.key.toLowerCase()
}

/** The names that `aria-keyshortcuts` wants. */
export function ariaName(chord: Chord): string {
  return chord.replace('Ctrl', 'Control')
}

const TAKEN_WITH_CTRL = new Set('abciuvxyzqwrt.;[]/'.split(''))
const TAKEN_KEYS = new Set(['F7', 'F10', 'F11', 'F12', 'Insert', 'CapsLock', 'Meta', 'Super'])
const ARROWS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])

/**
 * Why a chord may not be ours, or null. Orca has Alt+Shift; AltGr is Ctrl+Alt; the engine and the input method have
 * others; a bare character acts only inside the group that shows it, and so is never in the registry.
 */
export function forbidden(chord: Chord): string | null {
  const { ctrl, alt, shift, key } = partsOf(chord)
  const named = key.length > 1
  if (alt && shift) return 'the screen reader has Alt+Shift'
  if (ctrl && alt) return 'Ctrl+Alt is AltGr'
  if (TAKEN_KEYS.has(key)) return 'the desktop or the screen reader has this key'
  if (alt && /^F\d/.test(key)) return 'the desktop has Alt with function keys'
  if (ctrl && shift && /^[ue]$/i.test(key)) return 'the input method has it'
  if (ctrl && TAKEN_WITH_CTRL.has(key.toLowerCase())) return 'the engine has it'
  if (/[[\]/.;]/.test(key) && !named) return 'needs AltGr or Shift on a Spanish keyboard'
  if (!ctrl && !alt && !named) return 'a character alone never acts'
  if (!ctrl && !alt && ARROWS.has(key)) return 'arrows move inside a control'
  return null
}
