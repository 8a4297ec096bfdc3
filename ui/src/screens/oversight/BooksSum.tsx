// The books as the sum that they are: what was accepted is all that waits, is being sent, is recorded, needs a decision
// or is voided. Books that do not balance are the gravest thing this screen can show, in grey as in colour.

import { useTranslation } from 'react-i18next'
import type { BooksView } from '../../api/generated/wire'
import { Pill } from '../../components/StatePill'
import { count } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { Icon } from '../../look/Icon'
import { useReading } from '../../settings/SettingsProvider'
import '../../components/messages.css'
import './oversight.css'

const parts = ['pending', 'in_flight', 'committed', 'quarantined', 'voided'] as const

export function BooksSum({ books }: { books: BooksView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const accounted = parts.reduce((sum, part) => sum + books[part], 0)
  return (
    <section className="block">
      <div className="books-head">
        <h2>{t('books.title')}</h2>
        {accounted === books.accepted && (
          <Pill icon="verified" tone="done" shape="bar" word={t('books.balanced')} />
        )}
      </div>
      {accounted !== books.accepted && <NotBalanced accepted={books.accepted} accounted={accounted} />}
      <dl className="books-sum" data-balanced={accounted === books.accepted}>
        {(['accepted', ...parts] as const).map((term) => (
          <div key={term} className="books-part">
            <dd>{count(reading, books[term])}</dd>
            <dt>{t(`books.${term}`)}</dt>
          </div>
        ))}
      </dl>
    </section>
  )
}

function NotBalanced({ accepted, accounted }: { accepted: number; accounted: number }) {
  const { t } = useTranslation()
  const { house, now } = useStanding()
  const reading = useReading(now)
  const n = (figure: number) => count(reading, figure)
  const difference = Math.abs(accepted - accounted)
  return (
    <section className="state-box not-balanced" data-tone="stop" data-shape="solid">
      <h3>
        <Icon name="report" large />
        {t('books.difference', { count: difference, n: n(difference) })}
      </h3>
      <p>{t('books.two', { accepted: n(accepted), accounted: n(accounted) })}</p>
      <p>{t('books.verify', { contact: house.contact })}</p>
    </section>
  )
}
