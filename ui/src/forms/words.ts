// Words that come with the rules, in the reader's language.

import type { Words } from '../api/generated/wire'
import type { Locale } from '../format/format'

export function inLocale(locale: Locale, words: Words): string {
  switch (locale) {
    case 'en-US':
      return words.en
    case 'es-US':
      return words.es
  }
}
