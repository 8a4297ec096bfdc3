// What is known of an item that waits for a decision: the permit system's answer as it was, and what was handed in.

import { useTranslation } from 'react-i18next'
import type { FormField, ItemView } from '../../api/generated/wire'
import { belongs } from '../../forms/placing'
import { inLocale } from '../../forms/words'
import { useSettings } from '../../settings/SettingsProvider'
import { AcceptedAt } from '../records/Cells'
import { useFactWords } from '../records/factWords'
import { useAnswerWord, useKindWord } from '../records/itemWords'
import { fieldsIn, useForm } from '../records/optionWords'
import { useOtherFacts } from '../records/otherFacts'
import '../screens.css'

/** Which fields it named, by their labels; its codes come last, for support. */
export function Answer({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const answerWord = useAnswerWord()
  const fields = fieldsIn(useForm(item.kind))
  const { settings } = useSettings()
  const { answer } = item
  const label = (pointer: string) => {
    const field = fields.find((one) => belongs(one, pointer))
    return field ? inLocale(settings.language, field.label) : pointer
  }
  const codes = [answer?.status, answer?.problem, ...(answer?.codes ?? []), ...(answer?.pointers ?? [])]
  return (
    <>
      <p>{t('decide.answer', { answer: answerWord(item.last_outcome) })}</p>
      {answer && answer.pointers.length > 0 && (
        <p>{t('decide.named', { fields: [...new Set(answer.pointers.map(label))].join(', ') })}</p>
      )}
      {answer && (
        <details className="technical">
          <summary>{t('sync.technical')}</summary>
          <p>
            <code>{codes.filter((code) => code !== null && code !== undefined).join(', ')}</code>
          </p>
        </details>
      )}
    </>
  )
}

export function ItemFacts({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const kind = useKindWord()
  return (
    <dl className="decision-facts">
      <div>
        <dt>{t('waiting.receipt')}</dt>
        <dd>{item.receipt_no}</dd>
      </div>
      <div>
        <dt>{t('decide.permit')}</dt>
        <dd>{item.permit_num ?? t('field.number_follows')}</dd>
      </div>
      <div>
        <dt>{t('decide.kind')}</dt>
        <dd>{kind(item.kind)}</dd>
      </div>
      <div>
        <dt>{t('waiting.accepted')}</dt>
        <dd>
          <AcceptedAt row={item} />
        </dd>
      </div>
      <div>
        <dt>{t('decide.by')}</dt>
        <dd>
          <bdi>{item.actor}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('decide.tries')}</dt>
        <dd>{item.attempts}</dd>
      </div>
    </dl>
  )
}

/** In the order of the form, what the form does not name after it. */
export function HandedIn({ item }: { item: ItemView }) {
  const { t } = useTranslation()
  const { settings } = useSettings()
  const words = useFactWords()
  const others = useOtherFacts()
  const fields = fieldsIn(useForm(item.kind))
  const named = new Set(fields.map(({ name }) => name))
  const pair = (field: FormField) =>
    [
      field.name,
      inLocale(settings.language, field.label),
      words(item.payload[field.name], field.control),
    ] as const
  const rest = Object.entries(item.payload).filter(([name]) => !named.has(name))
  const pairs = [...fields.map(pair), ...others(Object.fromEntries(rest))]
  return (
    <section className="block">
      <h2>{t('decide.handed_in')}</h2>
      <dl className="pairs">
        {pairs
          .filter(([, , text]) => text !== '')
          .map(([name, label, text]) => (
            <div key={name} className="pair">
              <dt>{label}</dt>
              <dd>
                <bdi dir="auto">{text}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
