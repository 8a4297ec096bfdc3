// Which Holdfast this is, where it stands, whom to call, and what to send to whoever is called: how the station stands,
// in the station's own words, with nobody's name in it and nothing that was typed.

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../components/Button'
import { type Standing, useStanding } from '../frame/StandingContext'
import { useSettings } from '../settings/SettingsProvider'
import type { Settings } from '../settings/settings'
import './screens.css'

export function AboutScreen() {
  const { t } = useTranslation()
  const { house } = useStanding()
  const pairs = [
    [t('about.version'), house.version],
    [t('about.city'), house.city],
    [t('about.station'), house.station],
    [t('about.contact'), house.contact],
    [t('about.license'), t('about.license_name')],
  ]
  return (
    <>
      <dl className="pairs">
        {pairs.map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Diagnostics />
    </>
  )
}

type Copied = 'not_yet' | 'copied' | 'refused'

function Diagnostics() {
  const { t } = useTranslation()
  const text = diagnosticsOf(useStanding(), useSettings().settings)
  const [copied, setCopied] = useState<Copied>('not_yet')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied('copied'),
      () => setCopied('refused'),
    )
  return (
    <section className="block">
      <h2>{t('about.diagnostics')}</h2>
      <p>{t('about.diagnostics_are')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is marked and scrolled from the keyboard */}
      <pre className="diagnostics" tabIndex={0}>
        {text}
      </pre>
      <div className="button-row">
        <Button icon="content_copy" onPress={() => void copy()}>
          {t('about.copy')}
        </Button>
        {copied !== 'not_yet' && <span>{t(`about.${copied}`)}</span>}
      </div>
    </section>
  )
}

export function diagnosticsOf({ house, standing, lostSince }: Standing, settings: Settings): string {
  const { status } = standing
  const breakers = status.breakers.map(({ endpoint, state, since }) => `${endpoint}: ${state} since ${since}`)
  const figures = (of: object) =>
    Object.entries(of)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')
  return [
    `Holdfast ${house.version}, station ${house.station}, ${house.rehearsal === 'none' ? 'at work' : house.rehearsal}`,
    `as of ${standing.at}${lostSince === null ? '' : `, not heard since ${lostSince}`}`,
    `mode: ${status.mode}; causes: ${standing.causes.map(({ cause }) => cause).join(' ') || 'none'}`,
    ...breakers,
    `books: ${figures(status.books)}`,
    `counts: ${figures(status.counts)}`,
    `rules: version ${status.contract.version ?? 'none'}, as of ${status.contract.valid_as_of ?? 'never'}, valid ${status.contract.valid}`,
    `room: ${status.headroom.free_mib} MiB, ${status.headroom.class}`,
    `look: ${figures(settings)}`,
    `engine: ${navigator.userAgent}`,
  ].join('\n')
}
