// Keeps a draft while it is typed: 0.8 s after the last key, and at once when asked. One save at a time, the newest
// values last. What could not be saved is tried again, also after the screen was left, until it is or the tries are
// used up. It never says "saved" of anything but what the station confirmed.

/** `at` is when the station last had the draft; none before the first time. */
export type Kept =
  /** Nothing was typed that the station does not have. */
  | { is: 'kept'; at: string | null }
  /** Typed since, and on its way. */
  | { is: 'changing'; at: string | null }
  /** Could not be saved; it is tried again. */
  | { is: 'not_kept'; at: string | null }

export type Keeping = {
  /** Something was typed. */
  changed: () => void
  /** Save now what is not saved. */
  now: () => void
  /** The draft was accepted or discarded: nothing of it is saved any more. */
  end: () => void
}

type Of = {
  /** Saves the values as they are at that moment; answers when. */
  save: () => Promise<string>
  at: string | null
  told: (kept: Kept) => void
}

export const TYPING_PAUSE_MS = 800
/** A save without an answer for so long counts as not done. */
export const ANSWER_WITHIN_MS = 5_000
export const TRY_AGAIN_MS = 5_000
export const TRIES_MAX = 720

export function keepDraft({ save, at, told }: Of): Keeping {
  let kept: Kept = { is: 'kept', at }
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving = false
  let ended = false
  let typed = 0
  let tries = 0
  const become = (next: Kept) => {
    kept = next
    if (!ended) told(kept)
  }
  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(now, ms)
  }
  const failed = () => {
    become({ is: 'not_kept', at: kept.at })
    tries += 1
    if (tries < TRIES_MAX) later(TRY_AGAIN_MS)
  }
  async function now() {
    clearTimeout(timer)
    if (ended || saving || kept.is === 'kept') return
    const of = typed
    saving = true
    try {
      const savedAt = await within(ANSWER_WITHIN_MS, save())
      saving = false
      tries = 0
      if (ended) return
      become({ is: of === typed ? 'kept' : 'changing', at: savedAt })
      if (of !== typed) later(TYPING_PAUSE_MS)
    } catch {
      saving = false
      if (!ended) failed()
    }
  }
  return {
    changed() {
      typed += 1
      if (kept.is === 'kept') become({ is: 'changing', at: kept.at })
      later(TYPING_PAUSE_MS)
    },
    now: () => void now(),
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
