// The last day as bars, each with its figure above it. For the eye only: the sentence before and the table after say the
// same as words.

import { useTranslation } from 'react-i18next'
import type { BacklogHours } from '../../api/generated/wire'
import { count, moment } from '../../format/format'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { slotsOf } from './slots'

/** What is left above the highest bar is for its figure. */
const HIGHEST_PERCENT = 80
const LEAST_PERCENT = 2
const LABEL_EVERY_HOURS = 6

export function BacklogBars({ backlog }: { backlog: BacklogHours }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const { earlier, hours } = slotsOf(backlog, now)
  const most = Math.max(earlier, ...hours.map(({ waiting }) => waiting))
  return (
    <figure className="bars" aria-hidden="true">
      <div className="bars-hours">
        {earlier > 0 && (
          <div className="bar-slot bar-earlier">
            <Bar waiting={earlier} most={most} />
            <span className="bar-label">{t('sync.earlier')}</span>
          </div>
        )}
        {hours.map(({ from, waiting }) => (
          <div key={from.getTime()} className="bar-slot">
            <Bar waiting={waiting} most={most} />
            {from.getHours() % LABEL_EVERY_HOURS === 0 && (
              <span className="bar-label">{moment(reading, from.toISOString())}</span>
            )}
          </div>
        ))}
      </div>
      <figcaption>{t('sync.bars')}</figcaption>
    </figure>
  )
}

function Bar({ waiting, most }: { waiting: number; most: number }) {
  const { now } = useStanding()
  const reading = useReading(now)
  const height = Math.max(LEAST_PERCENT, (waiting / most) * HIGHEST_PERCENT)
  return (
    <div className="bar-place" data-most={waiting === most}>
      {waiting > 0 && (
        <>
          <span className="bar-figure">{count(reading, waiting)}</span>
          <svg className="bar" aria-hidden="true" width="100%" height={`${height}%`}>
            <rect width="100%" height="100%" />
          </svg>
        </>
      )}
    </div>
  )
}
