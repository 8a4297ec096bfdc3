// What the permit system lacks since it came back from an older copy: each recorded item by its numbers, and what a
// supervisor does about all of them. Shown only while it is so. Whether somebody may decide, and what follows, the station
// says.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MissingRow, RestoreInfo, SkippedNumbers } from '../../api/generated/wire'
import { AskDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { type ColumnOf, DataTable } from '../../components/DataTable'
import { Empty, NoticeLine } from '../../components/states'
import { TextArea } from '../../components/TextField'
import { count, moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useReading } from '../../settings/SettingsProvider'
import { useKindWord } from '../records/itemWords'
import { useSettleRestore } from './useSettleRestore'

const REASON_FIELD = 'missing-reason'
const REASON_CHARACTERS_MAX = 2_000
/** Of a longer list the rest is at the command line. */
const ROWS_MAX = 500

export function Missing() {
  const backend = useBackend()
  const view = useQuery({
    queryKey: ['restore'],
    queryFn: () => backend.restore({ skip: 0, rows: ROWS_MAX }),
  }).data
  if (!view) return null
  const { restore, rows, skipped } = view
  const open = restore?.stage === 'looking' || restore?.stage === 'asking'
  return (
    <>
      {open && restore && <Lost restore={restore} rows={rows} />}
      {skipped.length > 0 && <Skipped numbers={skipped} />}
    </>
  )
}

function Lost({ restore, rows }: { restore: RestoreInfo; rows: MissingRow[] }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const columns = useColumns()
  const figures = {
    at: moment(reading, restore.noticed_at),
    found: count(reading, restore.found),
    n: count(reading, restore.missing),
    official: count(reading, restore.official),
  }
  return (
    <section className="block">
      <h2>{t('missing.title')}</h2>
      <p>{t(`missing.sign.${restore.sign}`, figures)}</p>
      <p>
        {restore.stage === 'looking'
          ? t('missing.looking', figures)
          : t('missing.asking', { ...figures, count: restore.missing })}
      </p>
      {restore.official > 0 && <NoticeLine tone="attention">{t('missing.official', figures)}</NoticeLine>}
      <DataTable
        label={t('missing.label')}
        columns={columns}
        rows={rows}
        keyOf={(row) => row.operation_id}
        total={restore.missing}
        empty={<Empty>{t('missing.none_yet')}</Empty>}
      />
      {restore.stage === 'asking' && <Decide missing={restore.missing} />}
    </section>
  )
}

/** Sending again writes in the permit system, leaving gives up what it had: either is asked for once more. */
function Decide({ missing }: { missing: number }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState<'send_again' | 'leave' | null>(null)
  const { settle, problem, refused, pending } = useSettleRestore()
  const figures = { count: missing, n: count(reading, missing) }
  const wish = asked ?? 'send_again'
  return (
    <>
      {refused && <NoticeLine tone="attention">{refused}</NoticeLine>}
      <TextArea
        id={REASON_FIELD}
        label={t('missing.reason')}
        hint={t('missing.reason_hint')}
        value={reason}
        onChange={setReason}
        limit={REASON_CHARACTERS_MAX}
        problem={problem}
      />
      <div className="missing-acts">
        <Button kind="grave" onPress={() => setAsked('leave')}>
          {t('missing.leave')}
        </Button>
        <Button
          kind="primary"
          pending={pending}
          pendingWord={t('missing.deciding')}
          onPress={() => setAsked('send_again')}
        >
          {t('missing.send_again')}
        </Button>
      </div>
      <AskDialog
        open={asked !== null}
        question={t(`missing.ask.${wish}.question`, figures)}
        act={t(`missing.ask.${wish}.act`)}
        stay={t('missing.not_now')}
        onAct={() => {
          setAsked(null)
          settle(wish, reason)
        }}
        onStay={() => setAsked(null)}
      >
        <p>{t(`missing.ask.${wish}.text`)}</p>
      </AskDialog>
    </>
  )
}

function Skipped({ numbers }: { numbers: SkippedNumbers[] }) {
  const { t } = useTranslation()
  const { now, house } = useStanding()
  const reading = useReading(now)
  return (
    <section className="block">
      <h2>{t('missing.skipped_title')}</h2>
      {numbers.map(({ first, last, noticed_at }) => (
        <p key={first}>
          {t('missing.skipped', {
            at: moment(reading, noticed_at),
            first: `${house.station}-${first}`,
            last: `${house.station}-${last}`,
          })}
        </p>
      ))}
    </section>
  )
}

function useColumns(): ColumnOf<MissingRow>[] {
  const { t } = useTranslation()
  const word = useKindWord()
  const { now } = useStanding()
  const reading = useReading(now)
  return [
    { id: 'receipt', head: t('missing.receipt'), cell: (row) => row.receipt_no, isRowHeader: true },
    { id: 'kind', head: t('missing.kind'), cell: (row) => word(row.kind) },
    { id: 'permit', head: t('missing.permit'), cell: (row) => row.permit_num ?? '–' },
    { id: 'accepted', head: t('missing.accepted'), cell: (row) => moment(reading, row.accepted_at) },
    { id: 'recorded', head: t('missing.recorded'), cell: (row) => moment(reading, row.recorded_at) },
  ]
}
