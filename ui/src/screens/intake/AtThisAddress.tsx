// Records on this computer at the address that is being typed: so that nobody takes in twice what is here already.

import { useTranslation } from 'react-i18next'
import type { RecordRow } from '../../api/generated/wire'
import { moment } from '../../format/format'
import { atAddress, useKnownRecords } from '../../forms/knownRecords'
import { addressOf } from '../../frame/routes'
import { useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'

export function AtThisAddress({ address }: { address: string }) {
  const { t } = useTranslation()
  const rows = atAddress(useKnownRecords(address), address)
  if (address.trim() === '') return <p>{t('intake.side_before')}</p>
  if (rows.length === 0) return <p>{t('intake.side_none')}</p>
  return (
    <ul className="here-list">
      {rows.map((row) => (
        <Here key={row.application_id} row={row} />
      ))}
    </ul>
  )
}

function Here({ row }: { row: RecordRow }) {
  const { t } = useTranslation()
  const reading = useReading(useStanding().now)
  const age = row.copied_at
    ? t('intake.copied', { at: moment(reading, row.copied_at) })
    : t('intake.taken_in')
  return (
    <li className="here-row">
      <a href={addressOf(`app/${encodeURIComponent(row.application_id)}/facts`)}>
        {row.permit_num ?? row.receipt_no ?? row.application_id}
      </a>
      <span>{[row.permit_type, age].filter(Boolean).join(', ')}</span>
    </li>
  )
}
