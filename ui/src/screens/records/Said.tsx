// What the permit system has said of an item beside its receipt, in its own words: remarks, what it has more than once
// with what is to be voided there, and who has found it there when no look could.

import { useTranslation } from 'react-i18next'
import type { ItemView, SaidView } from '../../api/generated/wire'
import { moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'

export function Said({ item: { said } }: { item: ItemView }) {
  const { t } = useTranslation()
  if (!said) return null
  const { remarks, twin, found } = said
  return (
    <section className="block">
      <h2>{t('said.heading')}</h2>
      {remarks.length > 0 && (
        <ul className="said-remarks">
          {remarks.map(({ code, text }) => (
            <li key={`${code} ${text}`}>
              <q dir="auto">{text}</q> <span className="said-code">{t('said.code', { code })}</span>
            </li>
          ))}
        </ul>
      )}
      {twin && <Twin twin={twin} />}
      {found && <Found found={found} />}
    </section>
  )
}

/** Each of its records there, and what is to be done with it. */
function Twin({ twin }: { twin: NonNullable<SaidView['twin']> }) {
  const { t } = useTranslation()
  const reading = useReading(useStanding().now)
  const at = (text: string) => moment(reading, text)
  return (
    <>
      <p>{t('said.twin', { count: twin.record_ids.length, at: at(twin.found_at) })}</p>
      <dl className="pairs">
        {twin.record_ids.map((id) => (
          <div key={id} className="pair">
            <dt>
              <bdi className="figures">{id}</bdi>
            </dt>
            <dd>{t(twin.stays === id ? 'said.stays' : 'said.to_void')}</dd>
          </div>
        ))}
      </dl>
      {twin.kept_at && <p>{t('said.kept', { at: at(twin.kept_at) })}</p>}
    </>
  )
}

function Found({ found }: { found: NonNullable<SaidView['found']> }) {
  const { t } = useTranslation()
  const reading = useReading(useStanding().now)
  const { by, at, record_id: record } = found
  return <p>{t('said.found', { by, at: moment(reading, at), record })}</p>
}
