// A record that was changed in the permit system while work on it waits here: said before that work is sent.

import { useTranslation } from 'react-i18next'
import { NoticeLine } from '../../components/states'
import { moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'

export function ChangedThere({ at }: { at: string | undefined }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  if (at === undefined) return null
  return <NoticeLine tone="attention">{t('changed_there.notice', { at: moment(reading, at) })}</NoticeLine>
}
