// The entries of the workspace, n-th by Alt+n. Narrow, they stand behind the Menu button of the header instead.

import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Landmark } from '../components/Landmark'
import { count } from '../format/format'
import { ariaName } from '../keys/chords'
import { KeyHint, useKeyWords } from '../keys/KeyHint'
import { useKey } from '../keys/Keys'
import { chordOf, type KeyId } from '../keys/registry'
import { Icon } from '../look/Icon'
import { useReading } from '../settings/SettingsProvider'
import { addressOf, go } from './routes'
import { useStanding } from './StandingContext'
import './navigation.css'

export type NavEntry = { path: string; word: string; count?: number }

const ENTRIES_MAX = 9

export function Navigation({ entries, current }: { entries: readonly NavEntry[]; current: string }) {
  const { t } = useTranslation()
  if (entries.length === 0) return null
  return (
    <Landmark role="navigation" label={t('frame.navigation')} className="nav">
      <ul className="nav-list">
        {entries.slice(0, ENTRIES_MAX).map((entry, index) => (
          <NavLink key={entry.path} entry={entry} keyId={keyOf(index)} current={entry.path === current} />
        ))}
      </ul>
    </Landmark>
  )
}

function NavLink({ entry, keyId, current }: { entry: NavEntry; keyId: KeyId; current: boolean }) {
  const { now } = useStanding()
  const reading = useReading(now)
  useKey(keyId, () => go(entry.path))
  return (
    <li>
      <a
        className="nav-link"
        href={addressOf(entry.path)}
        aria-current={current ? 'page' : undefined}
        aria-keyshortcuts={ariaName(chordOf(keyId))}
      >
        <span className="nav-word">{entry.word}</span>
        {entry.count !== undefined && entry.count > 0 && (
          <span className="nav-count">{count(reading, entry.count)}</span>
        )}
        <KeyHint of={keyId} />
      </a>
    </li>
  )
}

export function NavMenu({ entries }: { entries: readonly NavEntry[] }) {
  const { t } = useTranslation()
  const words = useKeyWords()
  if (entries.length === 0) return null
  return (
    <MenuTrigger>
      <Button className="header-button only-narrow">
        <Icon name="menu" />
        {t('frame.menu')}
      </Button>
      <Popover className="options" placement="bottom start">
        <Menu className="menu" onAction={(path) => go(String(path))}>
          {entries.map((entry, index) => (
            <MenuItem key={entry.path} id={entry.path} className="option" textValue={entry.word}>
              <span className="nav-word">{entry.word}</span>
              {entry.count ? <span className="nav-count">{entry.count}</span> : null}
              <span className="key-hint">{words(keyOf(index))}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

function keyOf(index: number): KeyId {
  return `nav_${index + 1}` as KeyId
}
