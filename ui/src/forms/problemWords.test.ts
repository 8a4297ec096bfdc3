import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyControl as form } from '../../tests/everyControl'
import { startCatalogue } from '../catalogue/catalogue'
import type { Locale } from '../format/format'
import { withArticle } from './article'
import { placed } from './placing'
import { saidCodes, sayProblem } from './problemWords'
import { fieldsOf } from './values'

const i18n = startCatalogue()

function said(locale: Locale, name: string, code: string, params: Record<string, string> = {}, below = '') {
  const problem = { pointer: `/payload/${name}${below}`, code, message: 'not shown', params }
  const [one] = placed(form, [problem])
  return sayProblem(
    { t: i18n.getFixedT(locale), locale, form },
    problem,
    one?.field ?? null,
    one?.row ?? null,
  )
}

test.each<[string, string, Record<string, string>, string, string]>([
  ['OriginalAddress1', 'missing', {}, 'Enter the site address.', 'Escriba la dirección del lugar.'],
  ['PermitTypeMapped', 'missing', {}, 'Choose the permit type.', 'Elija el tipo de permiso.'],
  ['OriginalZip', 'missing', {}, 'Enter the ZIP code.', 'Escriba el código postal.'],
  [
    'PIN',
    'missing',
    { or: 'NoParcelReason' },
    'Enter the parcel number, or say why there is none.',
    'Escriba el número de parcela o diga por qué no lo hay.',
  ],
  [
    'EstProjectCost',
    'pattern',
    { shape: 'a decimal number as text' },
    'Valuation must look like 1,234.56.',
    'Valuación debe tener la forma 1,234.56.',
  ],
  [
    'HousingUnits',
    'wrong-type',
    { expected: 'integer' },
    'Dwelling units must look like 12.',
    'Viviendas debe tener la forma 12.',
  ],
  [
    'StartDate',
    'format',
    { format: 'date' },
    'Start of work must look like 12/8/2026.',
    'Inicio de la obra debe tener la forma 8/12/2026.',
  ],
  [
    'ApplicantName',
    'too-long',
    { limit: '200' },
    'Applicant must be at most 200 characters.',
    'Solicitante debe tener 200 caracteres como máximo.',
  ],
  ['ApplicantName', 'too-short', { limit: '1' }, 'Enter the applicant.', 'Escriba el solicitante.'],
  [
    'ApplicantName',
    'pattern',
    { shape: 'one line of text' },
    'Applicant must be one line of text.',
    'Solicitante debe ser una línea de texto.',
  ],
  [
    'HousingUnits',
    'out-of-range',
    { bound: 'at_least', limit: '0' },
    'Dwelling units must be at least 0.',
    'Viviendas debe ser 0 como mínimo.',
  ],
  [
    'HousingUnits',
    'out-of-range',
    { limit: '9' },
    'Dwelling units must be within the limit, 9.',
    'Viviendas debe estar dentro del límite, 9.',
  ],
  [
    'ApplicantName',
    'brand-new-code',
    {},
    'Applicant is not as the rules want it. Code brand-new-code.',
    'Solicitante no es como lo piden las reglas. Código brand-new-code.',
  ],
])('%s, %s: the sentence in both languages', (name, code, params, english, spanish) => {
  expect([said('en-US', name, code, params), said('es-US', name, code, params)]).toEqual([english, spanish])
})

test('a row of a list is named with its number, and the reason by its own label', () => {
  expect(said('en-US', 'PIN', 'pattern', { shape: 'printable ASCII' }, '/1')).toBe(
    'Parcel number 2 must be letters, digits and signs without accents.',
  )
  expect(said('en-US', 'NoParcelReason', 'too-long', { limit: '250' })).toBe(
    'Why there is no parcel number must be at most 250 characters.',
  )
})

/** The station's own list of codes. */
const source = readFileSync(join('..', 'src-tauri', 'crates', 'holdfast-core', 'src', 'problem.rs'), 'utf8')
const codes = [...source.matchAll(/^\s+\w+ = "([a-z-]+)", "/gm)].map(([, code]) => code as string)

test('the station has codes, and every one of them has a sentence of its own', () => {
  expect(codes.length).toBeGreaterThan(25)
  expect(codes.filter((code) => !saidCodes.includes(code))).toEqual([])
})

test.each(codes)('%s is said whole, of every kind of field and of the whole, in both languages', (code) => {
  const params = {
    limit: '3',
    expected: 'string',
    format: 'uri',
    shape: 'x',
    allowed: 'a, b',
    with: 'PIN',
    role: 'clerk',
  }
  for (const locale of ['en-US', 'es-US'] as const)
    for (const name of [...fieldsOf(form).map((field) => field.name), 'NoSuchField'])
      for (const given of [params, {}]) {
        const sentence = said(locale, name, code, given)
        expect(sentence).toMatch(/^[A-ZÁÉÍÓÚ¿].*\.$/u)
        expect(sentence).not.toMatch(/\{\{|undefined|NaN|not shown/)
      }
})

test.each([
  ['Dirección del lugar', 'la dirección del lugar'],
  ['Tipo de permiso', 'el tipo de permiso'],
  ['Teléfono del solicitante', 'el teléfono del solicitante'],
  ['Superficie de la obra', 'la superficie de la obra'],
  ['Clase de obra', 'la clase de obra'],
  ['Viviendas que se agregan', 'las viviendas que se agregan'],
  ['Descripción de la obra', 'la descripción de la obra'],
  ['Inspecciones pedidas', 'las inspecciones pedidas'],
  ['Uso propuesto', 'el uso propuesto'],
  ['Fecha de solicitud', 'la fecha de solicitud'],
  ['PIN', 'el PIN'],
  ['Número de licencia', 'el número de licencia'],
  ['Croquis', 'el croquis'],
  ['Día de la visita', 'el día de la visita'],
])('%s has its article', (label, wanted) => {
  expect(withArticle('es-US', label)).toBe(wanted)
})
