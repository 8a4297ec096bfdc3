// The inspector's copies, in memory: a morning's visits, one of them overdue. A result that was accepted here is found
// by what it is about, and a rejected one is due again two days later.

import { type FieldBackend, Refusal } from '../backend'
import type { FormView, InspectionRow, ItemView, ResultHere } from '../generated/wire'
import type { MemoryState } from './state'

const DAY_MS = 86_400_000
const COPIED_BEFORE_MS = 3 * 3_600_000

export function fieldInMemory(state: MemoryState): FieldBackend {
  let copiedAt = new Date(state.now().getTime() - COPIED_BEFORE_MS).toISOString()
  const rows = () => visits(state.now()).map((row) => ({ ...row, result: resultOf(state, row) }))
  return {
    inspections: async () => ({
      copied_at: copiedAt,
      age: 'usable',
      day: dayOf(state.now()),
      rows: rows(),
    }),
    async inspection(id) {
      const row = rows().find(({ inspection_id }) => inspection_id === id)
      if (!row) throw new Refusal({ code: 'not_found' })
      return {
        ...row,
        copied_at: copiedAt,
        record: recordOf(row, copiedAt),
        planned: { Description: 'Rear addition' },
      }
    },
    async refreshCopies() {
      if (state.mode === 'not_answering') throw new Refusal({ code: 'not_answering' })
      copiedAt = state.at()
      state.tell({ told: 'changed', topics: ['copies'] })
      return { copied_at: copiedAt, inspections: rows().length, records: 40 }
    },
  }
}

function visits(now: Date): InspectionRow[] {
  const day = (before: number) => dayOf(new Date(now.getTime() - before * DAY_MS))
  const visit = (n: number, address: string, insp_type: string, time: string | null, overdue_days = 0) => ({
    inspection_id: `AF-I-000000${n}`,
    application_id: `01932c6f-8f0a-7cc3-98a1-00000000200${n}`,
    permit_num: `BP-2026-0118${n}`,
    address,
    insp_type,
    scheduled_date: day(overdue_days),
    scheduled_time: time,
    overdue_days,
    result: null,
  })
  return [
    visit(1, '7 Mill Ln', 'Framing', null, 2),
    visit(2, '12 Oak St', 'Footing', '09:00'),
    visit(3, '1240 N Alder Falls Rd, Unit 3', 'Final Building', '10:30'),
    visit(4, '88 Harbor Way', 'Rough Plumbing', '13:15'),
  ]
}

function recordOf(row: InspectionRow, copied_at: string) {
  const { application_id, permit_num, address } = row
  return {
    application_id,
    permit_num,
    address,
    receipt_no: null,
    applicant: 'Ana Núñez',
    permit_type: 'Building',
    stage: 'Committed',
    waiting: 0,
    updated_at: copied_at,
    copied_at,
  }
}

function resultOf(state: MemoryState, row: InspectionRow): ResultHere | null {
  const about = (item: ItemView) => {
    const payload = item.payload as Record<string, unknown>
    return payload.InspType === row.insp_type && payload.ScheduledDate === row.scheduled_date
  }
  const item = state.items.findLast(
    (other) => other.kind === 'inspection' && other.application_id === row.application_id && about(other),
  )
  if (item?.about.about !== 'inspection') return null
  const { operation_id, receipt_no, accepted_at } = item
  const again = new Date(new Date(accepted_at).getTime() + 2 * DAY_MS).toISOString()
  const result = item.about.result ?? ''
  const reinspection_due_at = result === 'Rejected' ? again : null
  return { operation_id, receipt_no, accepted_at, state: item.state, result, reinspection_due_at }
}

function dayOf(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

const results: [string, string, string][] = [
  ['Passed', 'Passed', 'Aprobada'],
  ['Rejected', 'Rejected', 'Rechazada'],
  ['Partial', 'Partial', 'Parcial'],
  ['NoAccess', 'No access', 'Sin acceso'],
  ['NotReady', 'Not ready', 'No lista'],
  ['Cancelled', 'Cancelled', 'Cancelada'],
  ['InformationOnly', 'Information only', 'Solo información'],
]

const field = (name: string, en: string, es: string) => ({
  name,
  pointer: `/payload/${name}`,
  label: { en, es },
  hint: null,
  example: null,
  need: 'required' as const,
  width: 'md' as const,
})

/** The fields of a result, among those of the kind. */
export const inspectionForm: FormView = {
  kind: 'inspection',
  contract_version: 41,
  groups: [
    {
      id: 'result',
      legend: { en: 'Result', es: 'Resultado' },
      fields: [
        {
          ...field('ResultMapped', 'Result', 'Resultado'),
          control: {
            control: 'choice',
            options: results.map(([code, en, es]) => ({ code, word: { en, es } })),
          },
        },
        { ...field('InspectedDate', 'Date inspected', 'Fecha de inspección'), control: { control: 'day' } },
        {
          ...field('InspectedTime', 'Time inspected', 'Hora de inspección'),
          control: { control: 'time_of_day' },
        },
        {
          ...field('InspectionNotes', 'Notes', 'Notas'),
          need: 'optional',
          control: { control: 'long_text', limit: 4000 },
        },
      ],
    },
  ],
}
