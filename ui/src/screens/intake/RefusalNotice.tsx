// Why a press was not followed by a receipt, when no field is to blame: what happened, what is safe, what to do. Takes
// the focus, so that it is heard at once.

import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiCode } from '../../api/generated/wire'
import '../../components/messages.css'
import { moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { Icon } from '../../look/Icon'
import { useReading } from '../../settings/SettingsProvider'
import type { NotAccepted } from './useAccepting'

type Props = {
  outcome: Exclude<NotAccepted, { why: 'problems' }>
  attempt: number
  saved: boolean
  /** The word of what was pressed, where it is not to accept an application. */
  act?: string
}

export function RefusalNotice({ outcome, attempt, saved, act }: Props) {
  const { t } = useTranslation()
  const { house, now } = useStanding()
  const reading = useReading(now)
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press that is answered takes the focus anew
  useEffect(() => {
    heading.current?.focus()
  }, [attempt])
  const said = words(outcome)
  const facts = {
    since: outcome.why === 'no_contact' ? moment(reading, outcome.since) : '',
    contact: house.contact,
    who: house.rules_contact,
    act: act ?? t('intake.accept'),
    code: outcome.why === 'code' ? outcome.code : 'HF-312',
  }
  return (
    <section className="summary" data-tone="stop" data-shape="bar">
      <h2 ref={heading} tabIndex={-1}>
        <Icon name="report" />
        {t(`intake.refusal.${said}.lead`, facts)}
      </h2>
      <p>{saved ? t('intake.draft_safe') : t('intake.draft_unsafe')}</p>
      <p>{t(`intake.refusal.${said}.rest`, facts)}</p>
    </section>
  )
}

type Said =
  | 'no_contact'
  | 'busy'
  | 'rules_out_of_date'
  | 'disk_full'
  | 'not_permitted'
  | 'not_signed_in'
  | 'storage'
  | 'integrity'
  | 'refused'
  | 'not_started'
  | 'other'

function words(outcome: Props['outcome']): Said {
  switch (outcome.why) {
    case 'no_contact':
      return 'no_contact'
    case 'no_answer':
      return 'other'
    case 'code':
      return ofCode(outcome.code)
  }
}

function ofCode(code: ApiCode): Said {
  switch (code) {
    case 'busy':
    case 'rules_out_of_date':
    case 'disk_full':
    case 'not_permitted':
    case 'not_signed_in':
    case 'storage':
    case 'integrity':
      return code
    case 'not_an_object':
    case 'refused':
    case 'not_found':
    case 'in_use':
      return 'refused'
    // Handing in asks no system but this computer: what these would mean here is not known.
    case 'not_answering':
    case 'impostor':
    case 'system_refused':
      return 'other'
    case 'not_started':
      return code
  }
}
