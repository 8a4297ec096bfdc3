// What happened to an application on this computer: one sentence each, newest first, with both times even when they are
// equal. Why is behind a disclosure, not a tooltip.

import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { ItemRow } from '../../api/generated/wire'
import { moment } from '../../format/format'
import { addressOf } from '../../frame/routes'
import { useStanding } from '../../frame/StandingContext'
import { Icon } from '../../look/Icon'
import { useReading } from '../../settings/SettingsProvider'
import { useHistorySentence } from './historySentence'
import { ItemPill } from './ItemPill'
import { useAnswerWord, useWhyWord } from './itemWords'

export function History({ items }: { items: readonly ItemRow[] }) {
  const { t } = useTranslation()
  if (items.length === 0) return <p>{t('application.no_history')}</p>
  return <SentenceList items={items} />
}

export function SentenceList({ items }: { items: readonly ItemRow[] }) {
  return (
    <ol className="history">
      {items.map((item) => (
        <Entry key={item.operation_id} item={item} />
      ))}
    </ol>
  )
}

function Entry({ item }: { item: ItemRow }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const sentence = useHistorySentence()
  const accepted = t('history.accepted', { at: moment(reading, item.accepted_at) })
  const recorded =
    item.committed_at === null
      ? t('history.not_recorded')
      : t('history.recorded', { at: moment(reading, item.committed_at) })
  const doubted = item.clock === 'ok' ? accepted : t('waiting.no_time', { at: accepted })
  return (
    <li className="history-entry">
      <p className="history-sentence">
        <bdi dir="auto">{sentence(item)}</bdi> <ItemPill item={item} />
      </p>
      <p className="history-times">{t('application.times', { accepted: doubted, recorded })}</p>
      <WhyDisclosed item={item} />
    </li>
  )
}

function WhyDisclosed({ item }: { item: ItemRow }) {
  const { t } = useTranslation()
  const answer = useAnswerWord()
  const why = useWhyWord()
  const reason = item.about.about === 'move' ? item.about.reason : null
  return (
    <Disclosure className="disclosure">
      <Heading level={3} className="disclosure-head">
        <Button slot="trigger" className="button button-quiet">
          <Icon name="navigate_next" />
          {reason === null && item.reason === null ? t('history.details') : t('history.why')}
        </Button>
      </Heading>
      <DisclosurePanel className="disclosure-panel">
        {reason !== null && <p dir="auto">{t('history.reason', { reason })}</p>}
        {item.reason !== null && <p>{why(item.reason)}</p>}
        <p>{t('history.answer', { answer: answer(item.last_outcome) })}</p>
        <a href={addressOf(`receipt/${item.operation_id}`)}>
          {t('history.open', { number: item.receipt_no })}
        </a>
      </DisclosurePanel>
    </Disclosure>
  )
}
