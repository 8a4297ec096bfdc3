// How old the copy of a record is; one that was taken in here and never copied says that.

import { useTranslation } from 'react-i18next'
import { moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { useAge } from '../../frame/useAge'
import { useReading } from '../../settings/SettingsProvider'

export function useCopyAge(): (copiedAt: string | null) => string {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const age = useAge()
  return (copiedAt) =>
    copiedAt === null
      ? t('find.from_here')
      : t('find.copy_at', { at: moment(reading, copiedAt), age: age(copiedAt) })
}

export function CopyAge({ copiedAt }: { copiedAt: string | null }) {
  return useCopyAge()(copiedAt)
}
