// How the page looks for one person: theme, motion and density as data attributes of <html>. What "system" means is
// decided here, purely; the engine does not report contrast reliably, so a person can always say it.

export const themes = ['system', 'light', 'dark', 'contrast'] as const
export const motions = ['system', 'none'] as const
export const densities = ['desk', 'field'] as const

export type Theme = (typeof themes)[number]
export type Motion = (typeof motions)[number]
export type Density = (typeof densities)[number]

export type Look = { theme: Theme; motion: Motion; density: Density }

/** What the engine says about this machine's wishes. */
export type Wishes = { dark: boolean; contrast: boolean; still: boolean }

export type Applied = { theme: 'light' | 'dark' | 'contrast'; motion: 'full' | 'none'; density: Density }

export function appliedLook(look: Look, wishes: Wishes): Applied {
  return {
    theme: look.theme === 'system' ? wishedTheme(wishes) : look.theme,
    motion: look.motion === 'none' || wishes.still ? 'none' : 'full',
    density: look.density,
  }
}

function wishedTheme(wishes: Wishes): Applied['theme'] {
  if (wishes.contrast) return 'contrast'
  return wishes.dark ? 'dark' : 'light'
}

const questions = {
  dark: '(prefers-color-scheme: dark)',
  contrast: '(prefers-contrast: more)',
  still: '(prefers-reduced-motion: reduce)',
} as const

export function wishesOf(window: Window): Wishes {
  const asked = (question: string) => window.matchMedia?.(question).matches ?? false
  return { dark: asked(questions.dark), contrast: asked(questions.contrast), still: asked(questions.still) }
}

export function wear(root: HTMLElement, applied: Applied) {
  root.dataset.theme = applied.theme
  root.dataset.motion = applied.motion
  root.dataset.density = applied.density
}

/** Calls back when the machine's wishes change; returns what ends it. */
export function onWishesChanged(window: Window, changed: () => void): () => void {
  const lists = Object.values(questions).map((question) => window.matchMedia(question))
  for (const list of lists) list.addEventListener('change', changed)
  return () => {
    for (const list of lists) list.removeEventListener('change', changed)
  }
}
