// The set by which the look is judged: what is taken in which language, theme and size, and which keys come before.

const sizes = [
  [1280, 800],
  [1366, 768],
  [640, 400],
]
const themes = ['light', 'dark', 'contrast']
const languages = ['en-US', 'es-US']

/** As the gallery names them, by rank. */
const modes = [
  'drill',
  'lost',
  'disk',
  'rules',
  'room',
  'restored',
  'refused',
  'stopped',
  'maintenance',
  'away',
  'catching',
  'session',
  'decide',
  'over',
  'calm',
]
const screens = ['find', 'waiting', 'sent-back', 'settings', 'about', 'no-such-screen']
const desks = {
  inspector: ['field/today', 'inspection/AF-I-0000002', 'field/sent'],
  supervisor: ['oversight/sync', 'oversight/decide', 'oversight/outages', 'oversight/stations'],
}
const starts = [
  'not_set_up',
  'key_absent',
  'key_locked',
  'key_wrong',
  'keyring_mute',
  'keyring_none',
  'in_use',
  'damaged',
  'newer_version',
  'folder',
  'configuration',
  'failed',
]
const overlays = { help: 'F1', find: 'Control+k', details: 'F8' }

export function pictures() {
  return languages.flatMap((language) =>
    themes.flatMap((theme) => sizes.flatMap(([width, height]) => ofOne({ language, theme, width, height }))),
  )
}

function ofOne(look) {
  const name = (what) => `${what}-${look.language}-${look.theme}-${look.width}`
  const of = (what, hash, more = {}) => ({ name: name(what), hash, ...look, ...more })
  const all = [
    of('frame-away', '#/gallery/frame/away'),
    of('frame-focus', '#/gallery/frame/away', { keys: ['Tab', 'Tab', 'Tab', 'Tab'] }),
    of('frame-field-density', '#/gallery/frame/away', { density: 'field' }),
    of('gallery', '#/gallery', { whole: true }),
    of('gallery-dialog', '#/gallery', { press: '.block:last-of-type button' }),
    ...intake(of),
    ...screens.map((screen) => of(`screen-${screen}`, `#/${screen}`)),
    ...Object.entries(desks).flatMap(([person, paths]) =>
      paths.map((path) => of(`screen-${path.replace('/', '-')}`, `#/${path}`, { asked: `person=${person}` })),
    ),
    of('waiting-many', '#/waiting', { asked: 'items=40&mode=not_answering' }),
    of('sync-many', '#/oversight/sync', { asked: 'person=supervisor&items=900&mode=not_answering' }),
    of('sign-in', '', { asked: 'person=' }),
    of('sign-in-away', '', { asked: 'person=&mode=not_answering' }),
    ...starts.map((problem) => of(`start-${problem}`, '', { asked: `start=${problem}` })),
    of('start-help', '', { asked: 'start=key_locked', keys: ['F1'] }),
  ]
  if (look.theme !== 'light') return all
  return [
    ...all,
    ...modes.map((mode) => of(`mode-${mode}`, `#/gallery/frame/${mode}`)),
    ...Object.entries(overlays).map(([what, key]) =>
      of(`overlay-${what}`, '#/gallery/frame/rules', { keys: [key] }),
    ),
    of('grey-away', '#/gallery/frame/away', { grey: true }),
    of('grey-gallery', '#/gallery', { whole: true, grey: true }),
  ]
}

/** Taking in: untouched, refused with what was typed, whole, and the receipt. */
function intake(of) {
  const at = { ready: 'form' }
  const address = ['#field-OriginalAddress1 input, input#field-OriginalAddress1', '12 Oak St']
  const amount = ['input#field-EstProjectCost, #field-EstProjectCost input', '12,5']
  const accept = ['Control+Enter']
  return [
    of('intake-new', '#/counter/new', at),
    of('intake-whole', '#/counter/new', { ...at, whole: true }),
    of('intake-refused', '#/counter/new', { ...at, typed: [amount], keys: accept, after: '.summary' }),
    of('intake-receipt', '#/counter/new', { ...at, typed: [address], keys: accept, after: '.receipt' }),
  ]
}
