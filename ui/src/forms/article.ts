// "the" before the name of a field, in the middle of a sentence: "Enter the site address", "Escriba la dirección".
// Names of fields come from the city's rules, so the Spanish gender is read from the noun's ending, with its exceptions.

import type { Locale } from '../format/format'

/** The name with its article, beginning small; acronyms keep their capitals. */
export function withArticle(locale: Locale, name: string): string {
  const small = beginningSmall(name)
  switch (locale) {
    case 'en-US':
      return `the ${small}`
    case 'es-US':
      return `${spanishArticle(small)} ${small}`
  }
}

function beginningSmall(name: string): string {
  const [first = '', second = ''] = name
  return second !== second.toLowerCase() ? name : first.toLowerCase() + name.slice(first.length)
}

/** Feminine, whatever they end in. */
const FEMININE = new Set([
  'superficie',
  'clase',
  'calle',
  'base',
  'fase',
  'sede',
  'torre',
  'parte',
  'llave',
  'serie',
])
/** Masculine, though they end in a. */
const MASCULINE = new Set([
  'día',
  'mapa',
  'idioma',
  'problema',
  'sistema',
  'tema',
  'programa',
  'área',
  'plano',
])

function spanishArticle(name: string): 'el' | 'la' | 'los' | 'las' {
  const noun = name.split(/[\s,(]/)[0] ?? ''
  const many = /(?:s)$/.test(noun) && !/(?:sis|is)$/.test(noun)
  const one = many ? singular(noun) : noun
  const feminine = FEMININE.has(one) || (!MASCULINE.has(one) && /(?:a|ción|sión|dad|tud|umbre)$/.test(one))
  if (many) return feminine ? 'las' : 'los'
  return feminine ? 'la' : 'el'
}

function singular(noun: string): string {
  if (/(?:ciones|siones)$/.test(noun)) return noun.replace(/ones$/, 'ón')
  return /(?:dades|tudes)$/.test(noun) ? noun.slice(0, -2) : noun.slice(0, -1)
}
