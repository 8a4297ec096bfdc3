// Where one is, finding, help and who is signed in: at the same place on every screen.

import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Landmark } from '../components/Landmark'
import { ariaName } from '../keys/chords'
import { KeyHint } from '../keys/KeyHint'
import { chordOf } from '../keys/registry'
import { Icon } from '../look/Icon'
import { type NavEntry, NavMenu } from './Navigation'
import { go } from './routes'
import { useStanding } from './StandingContext'
import './header.css'

type Props = { title: string; nav: readonly NavEntry[]; onFind: () => void; onHelp: () => void }

export function Header({ title, nav, onFind, onHelp }: Props) {
  const { t } = useTranslation()
  const { house } = useStanding()
  return (
    <Landmark role="banner" label={t('frame.header')} className="header">
      <NavMenu entries={nav} />
      <p className="header-name only-wide">
        <strong>{t('app.name')}</strong>
        <span>{house.city}</span>
      </p>
      <p className="header-title only-narrow" aria-hidden="true">
        {title}
      </p>
      <Button
        className="header-button header-find"
        onPress={onFind}
        aria-keyshortcuts={ariaName(chordOf('find'))}
      >
        <Icon name="search" />
        <span className="only-wide header-find-word">{t('frame.find')}</span>
        <span className="only-narrow">{t('frame.find_short')}</span>
        <span className="only-wide">
          <KeyHint of="find" />
        </span>
      </Button>
      <span className="header-gap only-wide" />
      <Button className="header-button" onPress={onHelp} aria-keyshortcuts={ariaName(chordOf('help'))}>
        <Icon name="help_outline" />
        {t('frame.help')}
        <span className="only-wide">
          <KeyHint of="help" />
        </span>
      </Button>
      <PersonMenu />
    </Landmark>
  )
}

function PersonMenu() {
  const { t } = useTranslation()
  const { session } = useStanding()
  const role = session?.roles[0]
  const known = role === 'clerk' || role === 'inspector' || role === 'supervisor' ? role : 'other'
  const name = session
    ? t('frame.person', { name: session.actor, role: t(`role.${known}`, { role }) })
    : t('frame.nobody')
  return (
    <MenuTrigger>
      <Button className="header-button header-person">
        <Icon name="account_circle" />
        <bdi className="header-person-name">{name}</bdi>
        <Icon name="expand_more" />
      </Button>
      <Popover className="options" placement="bottom end">
        <Menu className="menu" onAction={(path) => go(String(path))}>
          <MenuItem id="settings" className="option">
            <Icon name="settings" />
            {t('screen.settings')}
          </MenuItem>
          <MenuItem id="about" className="option">
            <Icon name="info_outline" />
            {t('screen.about')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
