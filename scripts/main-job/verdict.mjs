// What must hold at the end, as pure functions over books and ledger. Each answers with what is wrong, in words.

/** accepted = pending + in_flight + committed + quarantined + voided */
export function unbalanced(books) {
  const { accepted, pending, in_flight, committed, quarantined, voided } = books
  const disposed = pending + in_flight + committed + quarantined + voided
  return accepted === disposed ? [] : [`accepted ${accepted}, but the other books add up to ${disposed}`]
}

/** Nothing may be left on the way or set aside: this job has no work that the SoR refuses. */
export function unfinished(books) {
  return ['pending', 'in_flight', 'quarantined']
    .filter((book) => books[book] !== 0)
    .map((book) => `${books[book]} are still ${book}`)
}

/** Every accepted key is in the ledger, once, and nothing else is. */
export function notExactlyOnce(accepted_keys, ledger) {
  const times = new Map(accepted_keys.map((key) => [key, 0]))
  const wrong = []
  for (const { key } of ledger) {
    if (times.has(key)) times.set(key, times.get(key) + 1)
    else wrong.push(`${key} is in the ledger and was never accepted`)
  }
  for (const [key, count] of times) {
    if (count !== 1) wrong.push(`${key} is in the ledger ${count} times`)
  }
  return wrong
}

/** Within one application the ledger rises by the station's own sequence. */
export function notRising(ledger) {
  const last = new Map()
  const wrong = []
  for (const { application_id, local_seq } of ledger) {
    if (local_seq <= (last.get(application_id) ?? 0)) {
      wrong.push(`${application_id}: ${local_seq} came after ${last.get(application_id)}`)
    }
    last.set(application_id, local_seq)
  }
  return wrong
}

/** The chain holds, and it was really read: every acceptance is an event, so there are at least as many. */
export function notAudited(report, accepted) {
  const wrong = []
  if (report.code !== 0 || report.whole !== true) wrong.push(report.first_fault ?? `audit verify ended with ${report.code}`)
  if (!(report.events >= accepted)) wrong.push(`${report.events} events were read, for ${accepted} accepted operations`)
  return wrong
}
