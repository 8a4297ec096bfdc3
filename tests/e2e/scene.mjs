// A working day in an outage, made on the real station through its own commands: what the screens are judged with. The
// people and places are made up; the names are of the kinds that break screens.

const LONG_NAME = 'Bartholomew Featherstonehaugh-Cholmondeley '.repeat(5).slice(0, 200)

const intakes = [
  { OriginalAddress1: '12 OAK ST', PermitTypeMapped: 'Roof', ApplicantName: 'Ana María Ñúñez' },
  { OriginalAddress1: '7 MILL RD', PermitTypeMapped: 'Plumbing', ApplicantName: 'J. Dunmore' },
  { OriginalAddress1: '101 RIVER AVE', PermitTypeMapped: 'Building', ApplicantName: LONG_NAME },
  { OriginalAddress1: '12 1/2 HIGH ST', PermitTypeMapped: 'Fence', ApplicantName: 'יעל בן־דוד (Yael)' },
  { OriginalAddress1: '3 CHAPEL LN', PermitTypeMapped: 'Pool/Spa', ApplicantName: 'Blue Heron Pools 🏊 <b>LLC</b>' },
]

const work = {
  WorkClassMapped: 'Existing',
  PIN: ['0010-22-417'],
  EstProjectCost: '250500.00',
  AppliedDate: '2026-11-30',
  Description: 'Tear off and replace; no change of use.',
}

/** Before the outage: two are recorded, one moves on, one record of the city has a hold-up that only a person can decide. */
export async function beforeTheOutage(desk) {
  await desk.command('demo_mend')
  await desk.command('demo_switch', { person: 'clerk' })
  const first = await taken(desk, intakes[0])
  await taken(desk, intakes[1])
  await submit(desk, { kind: 'stage', application_id: first.application_id, payload: { to: 'PrelimReview' } })
  await desk.command('refresh_copies')
  const elsewhere = await copied(desk, '14 OAK ST')
  const changed = { kind: 'stage', application_id: elsewhere, base: '"another-version"', payload: { to: 'PrelimReview' } }
  await submit(desk, changed)
  await untilItems(desk, 'decisions', 1)
  await untilItems(desk, 'waiting', 0)
  const [decision] = (await items(desk, 'decisions')).rows
  return { application: first.application_id, decision: decision.operation_id }
}

/** The permit system is gone: three more are taken, the first again moves on, a footing fails in the field. */
export async function inTheOutage(desk, { application, decision }) {
  await desk.command('demo_break', { fault: 'refuse' })
  for (const intake of intakes.slice(2)) await taken(desk, intake)
  await submit(desk, { kind: 'stage', application_id: application, payload: { to: 'FeeEstimated' } })
  const { operation_id } = (await items(desk, 'waiting')).rows[0]
  await desk.command('demo_switch', { person: 'inspector' })
  const visit = (await desk.command('inspections')).rows.find(({ insp_type }) => insp_type === 'Footing')
  const failed = (await desk.command('inspections')).rows.find(({ insp_type }) => insp_type === 'Framing')
  await result(desk, failed)
  await desk.command('demo_switch', { person: 'clerk' })
  const found = { inspection: visit.inspection_id, failed: failed.inspection_id }
  return { application, decision, operation: operation_id, draft: await draft(desk), ...found }
}

async function taken(desk, intake) {
  return submit(desk, { kind: 'application', payload: { ...work, ...intake } })
}

export async function submit(desk, request) {
  return desk.command('submit', { document: JSON.stringify(request) })
}

export function items(desk, of, text = '') {
  return desk.command('items', { request: { of, text, order: 'oldest_first', skip: 0, rows: 100 } })
}

async function copied(desk, address) {
  const { rows } = await desk.command('find', { request: { text: address, skip: 0, rows: 10 } })
  return rows[0].application_id
}

async function result(desk, { inspection_id, application_id, insp_type, scheduled_date }) {
  const payload = {
    InspType: insp_type,
    InspTypeMapped: insp_type,
    ResultMapped: 'Rejected',
    InspectedDate: scheduled_date,
    InspectedTime: '10:05',
    InspectionNotes: 'Hangers missing at the north wall.',
    ExtraFields: { InspectionId: inspection_id },
  }
  await submit(desk, { kind: 'inspection', application_id, payload })
}

async function draft(desk) {
  const { operation_id } = await desk.command('open_draft', { request: { kind: 'application', application_id: null } })
  const values = {
    OriginalAddress1: '9 Mill Rd',
    OriginalAddress2: '4B',
    OriginalZip: '98101',
    PIN: { numbers: ['0010-22-405'], none: false, reason: '', from: null },
    PermitTypeMapped: 'Electrical',
    WorkClassMapped: 'Existing',
    Description: 'New 200 A panel; circuits for a kitchen.',
    PermitClassMapped: 'Residential',
    ApplicantName: 'Chidi Okafor',
    EstProjectCost: '6,400.00',
  }
  await desk.command('keep_draft', { request: { operation_id, values } })
  return operation_id
}

const looks_max = 300

/** Looks until so many items are in a list. */
export async function untilItems(desk, of, count) {
  for (let look = 0; look < looks_max; look += 1) {
    if ((await items(desk, of)).all === count) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`there were never ${count} items in ${of}`)
}
