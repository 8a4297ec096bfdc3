// The bar under the form: save, what is still to fill, accept. Accept can always be pressed; where it cannot
// run it says why.

import { useTranslation } from 'react-i18next'
import type { FormView } from '../../api/generated/wire'
import { Button, useLasting } from '../../components/Button'
import { count, moment } from '../../format/format'
import type { Filling } from '../../forms/useFilling'
import { toFill } from '../../forms/values'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import type { Accepting } from './useAccepting'

const LONG_AFTER_MS = 5_000

/** `word`: the main action, where it is not to accept an application. */
type Props = { form: FormView; filling: Filling; accepting: Accepting; word?: string }

export function IntakeActions({ form, filling, accepting, word }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <Button keyId="save_draft" onPress={filling.saveNow}>
        {t('intake.save_draft')}
      </Button>
      <Note form={form} filling={filling} pending={accepting.pending} />
      <Button
        kind="primary"
        keyId="primary"
        onPress={accepting.accept}
        pending={accepting.pending}
        pendingWord={t('intake.accepting')}
        describedBy={NOTE}
      >
        {word ?? t('intake.accept')}
      </Button>
    </>
  )
}

const NOTE = 'intake-note'

function Note({ form, filling, pending }: { form: FormView; filling: Filling; pending: boolean }) {
  const { t } = useTranslation()
  const { lostSince, now } = useStanding()
  const reading = useReading(now)
  const long = useLasting(pending, LONG_AFTER_MS)
  const left = toFill(form, filling.values)
  const text = () => {
    if (lostSince !== null) return t('intake.no_contact', { at: moment(reading, lostSince) })
    if (long) return t('intake.accepting_long')
    return left > 0 ? t('intake.to_fill', { count: left, n: count(reading, left) }) : t('intake.all_filled')
  }
  return (
    <span id={NOTE} className="actions-note">
      {text()}
    </span>
  )
}
