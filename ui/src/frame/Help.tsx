// Help: whom to call, and the keys that do something on this screen as it is now. Reads the one registry and who listens.

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageDialog } from '../components/AskDialog'
import { KeyHint } from '../keys/KeyHint'
import { useActingKeys } from '../keys/Keys'
import { type KeyEntry, type KeyId, keys } from '../keys/registry'
import type { NavEntry } from './Navigation'
import './overlays.css'

type Props = {
  open: boolean
  onClose: () => void
  /** None where the configuration could not be read. */
  contact: string | null
  nav: readonly NavEntry[]
}

export function HelpDialog({ open, onClose, contact, nav }: Props) {
  const { t } = useTranslation()
  return (
    <PageDialog open={open} title={t('help.title')} onClose={onClose}>
      <p>{contact ? t('help.call', { contact }) : t('start.no_contact')}</p>
      <KeysNow nav={nav} />
    </PageDialog>
  )
}

const groups = ['screen', 'places', 'window', 'text'] as const
type Group = (typeof groups)[number]

/** As they were when Help was opened: behind it nothing changes. */
function KeysNow({ nav }: { nav: readonly NavEntry[] }) {
  const { t } = useTranslation()
  const acting = useActingKeys()
  const [now] = useState(acting)
  const shown = keys.filter((key) => now.has(key.id))
  const does = (id: KeyId) => nav[placeOf(id)]?.word ?? t(`keys.does.${id}`)
  return groups
    .map((group) => ({ group, own: shown.filter((key) => groupOf(key) === group) }))
    .filter(({ own }) => own.length > 0)
    .map(({ group, own }) => (
      <section key={group}>
        <h3>{t(`help.group.${group}`)}</h3>
        <dl className="help-keys">
          {own.map(({ id }) => (
            <div key={id} className="help-key">
              <dt>
                <KeyHint of={id} />
              </dt>
              <dd>{does(id)}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))
}

const ofWindow: readonly KeyId[] = ['help', 'find', 'next_region', 'previous_region', 'details', 'say_status']
const ofText: readonly KeyId[] = ['larger', 'smaller', 'usual_size']

function groupOf(key: KeyEntry & { id: KeyId }): Group {
  if (key.id.startsWith('nav_')) return 'places'
  if (ofWindow.includes(key.id) || key.id === 'lock') return 'window'
  return ofText.includes(key.id) ? 'text' : 'screen'
}

/** Of `nav_3`, the third of the navigation; nothing else is one. */
function placeOf(id: KeyId): number {
  return id.startsWith('nav_') ? Number(id.slice('nav_'.length)) - 1 : -1
}
