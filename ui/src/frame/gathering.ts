// Many tellings in a short while become few: the first is passed on at once, because a person waits for it, and those
// that follow it within the time are passed on together at its end. Nothing told is lost, and nothing is told twice.

export type Gathering<T> = { add: (told: Iterable<T>) => void; end: () => void }

export function gathering<T>(everyMs: number, pass: (told: ReadonlySet<T>) => void): Gathering<T> {
  let gathered = new Set<T>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const passOn = () => {
    const told = gathered
    gathered = new Set()
    timer = told.size > 0 ? setTimeout(passOn, everyMs) : null
    if (told.size > 0) pass(told)
  }
  return {
    add(told) {
      for (const one of told) gathered.add(one)
      if (timer === null) passOn()
    },
    end() {
      if (timer !== null) clearTimeout(timer)
      gathered.clear()
    },
  }
}
