// A site address, with what is known on this computer offered while it is typed. Choosing a known one tells its record
// to the form, which fills the parcels from it.

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordRow } from '../api/generated/wire'
import { AddressField, type KnownAddress } from '../components/AddressField'
import type { FieldProps } from '../components/Labelled'
import { count } from '../format/format'
import { useBackend, useStanding } from '../frame/StandingContext'
import { useReading } from '../settings/SettingsProvider'
import type { OneField } from './FieldOf'
import { atAddress, useKnownRecords } from './knownRecords'
import { textOf } from './values'

type Props = OneField & { props: FieldProps; limit: number }

export function AddressOf({ value, put, fromRecord, props, limit }: Props) {
  const { t } = useTranslation()
  const backend = useBackend()
  const reading = useReading(useStanding().now)
  const typed = textOf(value)
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = useKnownRecords(typed)
  const here = atAddress(rows, typed).length
  const choose = async ({ id, address }: KnownAddress) => {
    setChosen(address)
    put(address)
    const record = await backend.record(id).catch(() => null)
    if (record) fromRecord(record)
  }
  return (
    <AddressField
      {...props}
      limit={limit}
      value={typed}
      onChange={put}
      known={typed === chosen ? [] : rows.map(known)}
      onChoose={(one) => void choose(one)}
      read={here > 0 ? t('fill.records_here', { count: here, n: count(reading, here) }) : null}
    />
  )
}

function known({ application_id, address, permit_num, receipt_no, applicant }: RecordRow): KnownAddress {
  const about = [permit_num ?? receipt_no, applicant].filter(Boolean).join(', ')
  return { id: application_id, address: address ?? '', about }
}
