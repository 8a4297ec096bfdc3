// Where one is, finding, help and who is signed in: at the same place on every screen.

import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { SessionView } from '../api/generated/wire'
import { Landmark } from '../components/Landmark'
import { moment } from '../format/format'
import { ariaName } from '../keys/chords'
import { KeyHint } from '../keys/KeyHint'
import { chordOf } from '../keys/registry'
import { Icon } from '../look/Icon'
import { useReading } from '../settings/SettingsProvider'
import { type NavEntry, NavMenu } from './Navigation'
import { go } from './routes'
import { useBackendIfAny, useStanding } from './StandingContext'
import { useDesks, workspacesOf } from './workspace'
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

/** Settings and About are there before anybody is signed in, too: the sign-in has to be readable. */
function PersonMenu() {
  const { t } = useTranslation()
  const { session } = useStanding()
  const act = useMenuAct()
  const role = useRoleWord()
  const name = session ? t('frame.person', { name: session.actor, role: role(session) }) : t('frame.nobody')
  return (
    <MenuTrigger>
      <Button className="header-button header-person">
        <Icon name="account_circle" />
        <bdi className="header-person-name">{name}</bdi>
        <Icon name="expand_more" />
      </Button>
      <Popover className="options person-menu" placement="bottom end">
        {session && <PersonFacts session={session} />}
        <Menu className="menu" aria-label={name} onAction={(id) => act(String(id))}>
          {session && <DeskItems />}
          <MenuItem id="settings" className="option">
            <Icon name="settings" />
            {t('screen.settings')}
          </MenuItem>
          <MenuItem id="about" className="option">
            <Icon name="info_outline" />
            {t('screen.about')}
          </MenuItem>
          {session && (
            <MenuItem id="sign-out" className="option">
              <Icon name="undo" />
              {t('frame.sign_out')}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

const OTHER_DESK = 'desk '

function useMenuAct(): (id: string) => void {
  const signOut = useSignOut()
  const { choose, own } = useDesks()
  return (id) => {
    if (id === 'sign-out') return signOut()
    const desk = own.find((workspace) => OTHER_DESK + workspace === id)
    if (!desk) return go(id)
    choose(desk)
    go('')
  }
}

/** Nothing of one person's is left for the next. */
function useSignOut(): () => void {
  const backend = useBackendIfAny()
  const client = useQueryClient()
  return () =>
    void backend?.signOut().then(() => {
      client.setQueryData(['session'], null)
      return client.invalidateQueries()
    })
}

/** For whoever has two roles: one desk at a time. */
function DeskItems() {
  const { t } = useTranslation()
  const { own, current } = useDesks()
  return own
    .filter((workspace) => workspace !== current)
    .map((workspace) => (
      <MenuItem key={workspace} id={OTHER_DESK + workspace} className="option">
        <Icon name="loop" />
        {t('frame.to_desk', { desk: t(`desk.${workspace}`) })}
      </MenuItem>
    ))
}

function PersonFacts({ session }: { session: SessionView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  return (
    <p className="person-facts">
      <bdi>{session.actor}</bdi>
      <span>{session.roles.map((role) => roleWord(role, t)).join(', ')}</span>
      <span>{t('frame.until', { at: moment(reading, session.until) })}</span>
    </p>
  )
}

/** That of the desk that is shown. */
function useRoleWord(): (session: SessionView) => string {
  const { t } = useTranslation()
  const { current } = useDesks()
  return ({ roles }) => {
    const here = roles.find((role) => workspacesOf([role])[0] === current) ?? roles[0] ?? ''
    return roleWord(here, t)
  }
}

function roleWord(role: string, t: TFunction): string {
  const known = role === 'clerk' || role === 'inspector' || role === 'supervisor' ? role : 'other'
  return t(`role.${known}`, { role })
}
