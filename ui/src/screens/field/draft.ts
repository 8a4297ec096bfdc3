// The draft of one visit's result. An application can have several visits: which one a draft is about, its own fields say,
// in the words of BLDS, as the operation itself does.

import type { Backend } from '../../api/backend'
import type { DraftView, InspectionRow } from '../../api/generated/wire'

/** What says which visit a result is about; part of the operation. */
export function visitOf(row: InspectionRow): Record<string, string> {
  const { insp_type, scheduled_date, scheduled_time, permit_num } = row
  return {
    InspType: insp_type,
    ScheduledDate: scheduled_date,
    ...(scheduled_time ? { ScheduledTime: scheduled_time } : {}),
    ...(permit_num ? { PermitNum: permit_num } : {}),
  }
}

/** Several of one application are read one after the other; there are rarely two. */
const DRAFTS_OF_ONE_MAX = 20

export async function draftOf(backend: Backend, row: InspectionRow): Promise<DraftView | null> {
  const all = await backend.drafts()
  const near = all.filter(
    (draft) => draft.kind === 'inspection' && draft.application_id === row.application_id,
  )
  for (const { operation_id } of near.slice(0, DRAFTS_OF_ONE_MAX)) {
    const draft = await backend.draft(operation_id)
    if (isAbout(draft, row)) return draft
  }
  return null
}

function isAbout({ values }: DraftView, row: InspectionRow): boolean {
  return values.InspType === row.insp_type && values.ScheduledDate === row.scheduled_date
}
