// Where an application being taken in and its receipt are found.

/** The address of a new application for the applicant of an earlier one, accepted or not. */
export function newLike(operationId: string): string {
  return `counter/new?like=${encodeURIComponent(operationId)}`
}

export function receiptAddress(operationId: string): string {
  return `receipt/${encodeURIComponent(operationId)}`
}

/** For what was accepted at an earlier press. */
export function alreadyAccepted(operationId: string): string {
  return `${receiptAddress(operationId)}?already`
}
