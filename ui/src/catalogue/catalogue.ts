// The two catalogues, bound to i18next. Every text of the window comes from here; keys are checked by the compiler.

import i18next, { type i18n, type PostProcessorModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import en from './en.json'
import es from './es.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
  }
}

export const catalogues = { 'en-US': en, 'es-US': es }

/** "8:05 a. m." at the end of a sentence brings its own full stop. */
const oneStop: PostProcessorModule = {
  type: 'postProcessor',
  name: 'oneStop',
  process: (text) => text.replace(/([ap]\.\s?m\.)\./gu, '$1'),
}

export function startCatalogue(): i18n {
  if (i18next.isInitialized) return i18next
  void i18next
    .use(initReactI18next)
    .use(oneStop)
    .init({
      lng: 'en-US',
      fallbackLng: 'en-US',
      supportedLngs: Object.keys(catalogues),
      initAsync: false,
      resources: { 'en-US': { translation: en }, 'es-US': { translation: es } },
      postProcess: oneStop.name,
      // React escapes what it shows.
      interpolation: { escapeValue: false },
    })
  return i18next
}
