// The state of an item of the station, with its time or the number of the item it waits for, and beside it whether a copy
// lies at the mirror.

import type { ItemRow } from '../../api/generated/wire'
import { itemState } from '../../components/operationStates'
import { StatePill } from '../../components/StatePill'
import { moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'

type Stated = Pick<
  ItemRow,
  'state' | 'doubt' | 'waits_until' | 'behind' | 'recorded' | 'committed_at' | 'copy'
>

export function ItemPill({ item }: { item: Stated }) {
  const { now } = useStanding()
  const reading = useReading(now)
  const at = item.committed_at ?? item.waits_until
  return (
    <>
      <StatePill
        state={itemState(item)}
        time={at === null ? '' : moment(reading, at)}
        number={item.behind ?? ''}
      />
      {item.copy === 'held' && (
        <>
          {' '}
          <StatePill state="copy_at_mirror" />
        </>
      )}
    </>
  )
}
