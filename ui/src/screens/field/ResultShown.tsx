// What was recorded here for a visit: the result, its receipt number, and how it stands, which changes in place. The
// moment of a new inspection is the station's.

import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResultHere } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { Pill, StatePill } from '../../components/StatePill'
import { moment } from '../../format/format'
import { InFrame } from '../../frame/InFrame'
import { go } from '../../frame/routes'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { stateOf, useResultWord } from './words'

type Props = { here: ResultHere | null; justSaved: boolean; frame: Parameters<typeof InFrame>[0] }

export function ResultShown({ here, justSaved, frame }: Props) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const word = useResultWord()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (justSaved) heading.current?.focus()
  }, [justSaved])
  if (!here) return null
  return (
    <section className="result-shown">
      <h2 ref={heading} tabIndex={-1}>
        {t('result.heading', {
          result: word(here.result),
          state: t(`result.stands.${standsAs(here.state)}`),
        })}
      </h2>
      <dl className="result-figures">
        <div>
          <dt>{t('result.receipt')}</dt>
          <dd className="result-number">{here.receipt_no}</dd>
        </div>
        <div>
          <dt>{t('result.accepted')}</dt>
          <dd>{moment(reading, here.accepted_at)}</dd>
        </div>
        <div>
          <dt>{t('result.state')}</dt>
          <dd>
            <StatePill state={stateOf(here)} />
          </dd>
        </div>
      </dl>
      {here.reinspection_due_at && (
        <p>
          <Pill
            icon="event"
            tone="attention"
            shape="outline"
            word={t('result.again', { at: moment(reading, here.reinspection_due_at) })}
          />
        </p>
      )}
      <InFrame {...frame} actions={<ToToday />} />
    </section>
  )
}

function ToToday() {
  const { t } = useTranslation()
  return (
    <>
      <span />
      <Button kind="primary" keyId="primary" onPress={() => go('field/today')}>
        {t('inspection.to_today')}
      </Button>
    </>
  )
}

function standsAs(state: string) {
  switch (state) {
    case 'committed':
    case 'quarantined':
    case 'voided':
      return state
    default:
      return 'here'
  }
}
