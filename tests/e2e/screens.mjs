// Every screen of the window, whose it is, and how one gets there: what is judged and what is photographed.

/** `keys` are pressed on arrival. */
export function screensOf({ application, decision, operation, draft, inspection, failed }) {
  return [
    { name: 'new-application', person: 'clerk', path: 'counter/new' },
    { name: 'new-application-problems', person: 'clerk', path: 'counter/new', keys: ['Ctrl+Enter'] },
    { name: 'draft', person: 'clerk', path: `draft/${draft}` },
    { name: 'find', person: 'clerk', path: 'find' },
    { name: 'application', person: 'clerk', path: `app/${application}` },
    { name: 'application-facts', person: 'clerk', path: `app/${application}/facts` },
    { name: 'application-history', person: 'clerk', path: `app/${application}/history` },
    { name: 'correct', person: 'supervisor', path: `correct/${operation}` },
    { name: 'receipt', person: 'clerk', path: `receipt/${operation}` },
    { name: 'waiting', person: 'clerk', path: 'waiting' },
    { name: 'sent-back', person: 'clerk', path: 'sent-back' },
    { name: 'unknown', person: 'clerk', path: 'no/such/screen' },
    { name: 'today', person: 'inspector', path: 'field/today' },
    { name: 'inspection', person: 'inspector', path: `inspection/${inspection}` },
    { name: 'inspection-saved', person: 'inspector', path: `inspection/${failed}` },
    { name: 'sent', person: 'inspector', path: 'field/sent' },
    { name: 'sync', person: 'supervisor', path: 'oversight/sync' },
    { name: 'decide', person: 'supervisor', path: 'oversight/decide' },
    { name: 'decision', person: 'supervisor', path: `decision/${decision}` },
    { name: 'outages', person: 'supervisor', path: 'oversight/outages' },
    { name: 'stations', person: 'supervisor', path: 'oversight/stations' },
    { name: 'settings', person: 'clerk', path: 'settings' },
    { name: 'about', person: 'clerk', path: 'about' },
    { name: 'help', person: 'clerk', path: 'waiting', keys: ['F1'] },
    { name: 'find-overlay', person: 'clerk', path: 'waiting', keys: ['Ctrl+K'] },
    { name: 'details', person: 'clerk', path: 'waiting', keys: ['F8'] },
    { name: 'sign-in', person: null, path: '' },
  ]
}

export const looks = ['en-US', 'es-US'].flatMap((language) =>
  ['light', 'dark', 'contrast'].map((theme) => ({ language, theme })),
)
