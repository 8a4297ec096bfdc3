// A form with every control, one that this window does not know among them; the contract's own forms use fewer.

import type { FieldControl, FormField, FormGroup, FormView } from '../src/api/generated/wire'

type More = Partial<Pick<FormField, 'need' | 'width' | 'example'>> & { hint?: [string, string] }

function field(name: string, en: string, es: string, control: FieldControl, more: More = {}): FormField {
  const { hint, need = 'optional', width = 'full', example = null } = more
  return {
    name,
    pointer: `/payload/${name}`,
    label: { en, es },
    hint: hint ? { en: hint[0], es: hint[1] } : null,
    example,
    need,
    width,
    control,
  }
}

const options = (words: Record<string, [string, string]>) =>
  Object.entries(words).map(([code, [en, es]]) => ({ code, word: { en, es } }))

const LINE = { control: 'line', limit: 250 } as const

function groups(): FormGroup[] {
  return [
    { id: 'site', legend: { en: 'Site', es: 'Lugar' }, fields: site() },
    { id: 'work', legend: { en: 'Work', es: 'Obra' }, fields: work() },
    { id: 'people', legend: { en: 'People', es: 'Personas' }, fields: people() },
    { id: 'money', legend: { en: 'Money', es: 'Dinero' }, fields: money() },
  ]
}

function site(): FormField[] {
  return [
    field(
      'OriginalAddress1',
      'Site address',
      'Dirección del lugar',
      { control: 'address', limit: 250 },
      {
        need: 'required',
        width: 'xl',
        hint: ['Like 12 1/2 Oak St', 'Como 12 1/2 Oak St'],
      },
    ),
    field(
      'PIN',
      'Parcel number',
      'Número de parcela',
      {
        control: 'parcels',
        entries_max: 50,
        reason_pointer: '/payload/NoParcelReason',
        reason_name: 'NoParcelReason',
      },
      { need: 'required' },
    ),
    field('OriginalAddress2', 'Unit', 'Unidad', LINE, { width: 'xs' }),
    field('OriginalZip', 'ZIP code', 'Código postal', { control: 'line', limit: 12 }, { width: 'xs' }),
  ]
}

const types = {
  ROOF: ['Roof', 'Techo'],
  ELEC: ['Electrical', 'Eléctrico'],
  PLUM: ['Plumbing', 'Plomería'],
  MECH: ['Mechanical', 'Mecánico'],
  FENC: ['Fence', 'Cerca'],
  SIGN: ['Sign', 'Letrero'],
  DEMO: ['Demolition', 'Demolición'],
  POOL: ['Pool', 'Piscina'],
} satisfies Record<string, [string, string]>

function work(): FormField[] {
  return [
    field(
      'PermitTypeMapped',
      'Permit type',
      'Tipo de permiso',
      { control: 'choice', options: options(types) },
      {
        need: 'required',
      },
    ),
    field('WorkClassMapped', 'Work class', 'Clase de obra', {
      control: 'choice',
      options: options({ New: ['New', 'Nueva'], Existing: ['Existing', 'Existente'] }),
    }),
    field(
      'Description',
      'Work description',
      'Descripción de la obra',
      { control: 'long_text', limit: 4000 },
      {
        need: 'required',
      },
    ),
    field(
      'TotalSqFt',
      'Area',
      'Superficie',
      { control: 'measure', unit: { en: 'sq ft', es: 'pies²' } },
      {
        width: 'sm',
        example: '1840.5',
      },
    ),
    field(
      'HousingUnits',
      'Dwelling units',
      'Viviendas',
      { control: 'count' },
      { width: 'xs', example: '12' },
    ),
    field('StartDate', 'Start of work', 'Inicio de la obra', { control: 'day' }),
    field('AccessTime', 'Access from', 'Acceso desde', { control: 'time_of_day' }),
    field('Inspections', 'Inspections wanted', 'Inspecciones pedidas', {
      control: 'several',
      entries_max: 3,
      options: options({
        Footing: ['Footing', 'Cimientos'],
        Framing: ['Framing', 'Estructura'],
        Final: ['Final', 'Final'],
      }),
    }),
    field('ExtraSketch', 'Sketch', 'Croquis', { control: 'unknown', widget: 'sketch', limit: 250 }),
  ]
}

function people(): FormField[] {
  return [
    field('ApplicantName', 'Applicant', 'Solicitante', { control: 'line', limit: 200 }, { width: 'lg' }),
    field(
      'ApplicantPhone',
      'Telephone',
      'Teléfono',
      { control: 'phone', limit: 40 },
      {
        width: 'md',
        example: '(555) 010-0142',
      },
    ),
    field(
      'ApplicantEmail',
      'Email',
      'Correo electrónico',
      { control: 'email', limit: 254 },
      {
        width: 'lg',
        example: 'name@example.com',
      },
    ),
  ]
}

function money(): FormField[] {
  return [
    field(
      'EstProjectCost',
      'Valuation',
      'Valuación',
      { control: 'money' },
      { width: 'sm', example: '1,234.56' },
    ),
  ]
}

export const everyControl: FormView = { kind: 'application', contract_version: 41, groups: groups() }
