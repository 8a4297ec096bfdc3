// Everything that the mode bar and the strip have no room for: each cause in full, each endpoint, the books, and the
// last things that were said. Opened by F8, left by Escape; it takes the place of the side panel and leaves the actions in reach.

import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../components/Button'
import { Landmark } from '../components/Landmark'
import { count, timeOfDay } from '../format/format'
import { Icon } from '../look/Icon'
import { useReading } from '../settings/SettingsProvider'
import { useSaid } from './Announcer'
import { DemoPanel } from './DemoPanel'
import { useTold } from './ModeBar'
import { useStanding } from './StandingContext'
import { Facts } from './Strip'
import './details.css'

export function Details({
  heading,
  onClose,
}: {
  heading: RefObject<HTMLHeadingElement | null>
  onClose: () => void
}) {
  const { t } = useTranslation()
  const all = useTold()
  useEffect(() => heading.current?.focus(), [heading])
  return (
    <Landmark role="complementary" label={t('frame.details')} className="details">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the panel wherever the focus is in it */}
      <div className="details-inner" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
        <div className="details-head">
          <h2 ref={heading} tabIndex={-1}>
            {t('frame.details')}
          </h2>
          <Button kind="quiet" icon="close" onPress={onClose}>
            {t('action.close')}
          </Button>
        </div>
        <ul className="details-list">
          {all.map((one) => (
            <li
              key={one.cause}
              className="details-cause"
              data-tone={one.tone}
              data-shape={one.tone === 'person' ? 'solid' : 'bar'}
            >
              <Icon name={one.icon} />
              <span>
                <strong>{one.lead}</strong> {one.rest}
              </span>
            </li>
          ))}
        </ul>
        <Facts />
        <Books />
        <Said />
        <DemoPanel />
      </div>
    </Landmark>
  )
}

const terms = ['accepted', 'pending', 'in_flight', 'committed', 'quarantined', 'voided'] as const

export function Books() {
  const { t } = useTranslation()
  const { standing, now } = useStanding()
  const reading = useReading(now)
  return (
    <section>
      <h3>{t('books.title')}</h3>
      <dl className="books">
        {terms.map((term) => (
          <div key={term} className="books-term">
            <dt>{t(`books.${term}`)}</dt>
            <dd>{count(reading, standing.status.books[term])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Said() {
  const { t } = useTranslation()
  const said = useSaid()
  const { now } = useStanding()
  const reading = useReading(now)
  return (
    <section>
      <h3>{t('frame.messages')}</h3>
      {said.length === 0 ? (
        <p>{t('frame.no_messages')}</p>
      ) : (
        <ul className="details-list">
          {said.map((message) => (
            <li key={message.id}>
              {t('frame.message_at', { at: timeOfDay(reading, new Date(message.at)), text: message.text })}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
