// What stands in the cells of lists. Names and addresses are of any script, and may not move what is beside them.

import { useTranslation } from 'react-i18next'
import type { ItemRow } from '../../api/generated/wire'
import { moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { useAnswerWord, useWhat, useWhyWord } from './itemWords'
import { LooksLikeMark } from './LooksLike'

/** Text that somebody typed. */
export function Typed({ children }: { children: string | null }) {
  return children === null ? null : <bdi dir="auto">{children}</bdi>
}

/** What waits behind another item of its application stands under it. */
export function What({ row }: { row: ItemRow }) {
  const words = useWhat()(row)
  if (row.behind !== null) return <bdi className="lane-behind">{words}</bdi>
  return (
    <>
      <bdi>{words}</bdi> <LooksLikeMark likes={row.looks_like} />
    </>
  )
}

export function AcceptedAt({ row }: { row: Pick<ItemRow, 'accepted_at' | 'clock'> }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const at = moment(useReading(now), row.accepted_at)
  return <time dateTime={row.accepted_at}>{row.clock === 'ok' ? at : t('waiting.no_time', { at })}</time>
}

export function LastAnswer({ row }: { row: ItemRow }) {
  return useAnswerWord()(row.last_outcome)
}

export function Why({ row }: { row: ItemRow }) {
  return useWhyWord()(row.reason)
}
