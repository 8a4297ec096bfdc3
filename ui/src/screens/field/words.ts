// Words of a visit: its result, its day and hour, how a result stands that was recorded here.

import { useTranslation } from 'react-i18next'
import type { InspectionRow, ResultHere } from '../../api/generated/wire'
import { type ItemState, itemState } from '../../components/operationStates'
import { day, timeOfDay } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { useOptionWords } from '../records/optionWords'

/** As the city's rules call it. */
export function useResultWord(): (result: string) => string {
  return useOptionWords('inspection', 'ResultMapped')
}

/** "9:30 AM", or the day too where it is another than today; a visit may have no hour. */
export function useVisitTime(): (row: InspectionRow) => string {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  return ({ scheduled_date, scheduled_time, overdue_days }) => {
    const at = new Date(`${scheduled_date}T${scheduled_time ?? '00:00'}`)
    const time = scheduled_time ? timeOfDay(reading, at) : t('field.any_time')
    return overdue_days > 0 ? `${day(reading, at)}, ${time}` : time
  }
}

export function stateOf({ state }: ResultHere): ItemState {
  return itemState({ state, doubt: 'none', waits_until: null })
}
