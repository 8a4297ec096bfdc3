// The small components of the gallery: buttons, states, tables, what stands in place of a list, dialogs.

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AskDialog } from '../components/AskDialog'
import { Button } from '../components/Button'
import { type ColumnOf, DataTable } from '../components/DataTable'
import { type ItemState, itemState, looks } from '../components/operationStates'
import { StageStepper } from '../components/StageStepper'
import { Pill, StatePill } from '../components/StatePill'
import { Empty, ErrorState, NoticeLine, Skeleton } from '../components/states'
import { dollars, moment } from '../format/format'
import { doings as doingLooks, nameOf, useDoing } from '../frame/Strip'
import { BooksSum } from '../screens/oversight/BooksSum'
import { useReading } from '../settings/SettingsProvider'
import { doings, lastRecordedAt, now, rows, type Sample, stagesShown, stepsAt } from './samples'

const nothing = () => {}

export function ButtonsShown() {
  const { t } = useTranslation()
  return (
    <section className="block">
      <h2>{t('gallery.buttons')}</h2>
      <div className="button-row">
        <Button kind="primary" keyId="primary" onPress={nothing}>
          {t('gallery.primary')}
        </Button>
        <Button kind="primary" pending icon="send" pendingWord={t('gallery.accepting')} onPress={nothing}>
          {t('gallery.primary')}
        </Button>
        <Button keyId="save_draft" onPress={nothing}>
          {t('gallery.plain')}
        </Button>
        <Button icon="print" keyId="print" onPress={nothing}>
          {t('keys.does.print')}
        </Button>
        <Button kind="quiet" icon="expand_more" onPress={nothing}>
          {t('gallery.quiet')}
        </Button>
        <Button kind="grave" icon="delete" onPress={nothing}>
          {t('gallery.grave')}
        </Button>
      </div>
    </section>
  )
}

export function PillsShown() {
  const { t } = useTranslation()
  const words = useDoing()
  const reading = useReading(now)
  return (
    <>
      <section className="block">
        <h2>{t('gallery.items')}</h2>
        <div className="gallery-pills">
          {(Object.keys(looks) as ItemState[]).map((state) => (
            <StatePill key={state} state={state} time={moment(reading, lastRecordedAt)} number="R-1042" />
          ))}
        </div>
      </section>
      <section className="block">
        <h2>{t('gallery.endpoints')}</h2>
        <div className="gallery-pills">
          {doings.map(({ name, doing }) => (
            <Pill
              key={doing.doing}
              {...doingLooks[doing.doing]}
              shape="outline"
              word={t('strip.endpoint', {
                name: t(`endpoint.name.${nameOf(name)}`, { name }),
                doing: words(doing),
              })}
            />
          ))}
        </div>
      </section>
      <section className="block">
        <h2>{t('gallery.stages')}</h2>
        {stagesShown.map((stage) => (
          <StageStepper key={stage} steps={stepsAt(stage)} />
        ))}
      </section>
    </>
  )
}

function useColumns(): ColumnOf<Sample>[] {
  const { t } = useTranslation()
  const reading = useReading(now)
  return [
    {
      id: 'number',
      head: t('waiting.receipt'),
      cell: (row) => row.receipt_no,
      isRowHeader: true,
      sortable: true,
    },
    { id: 'address', head: t('gallery.site_head'), cell: (row) => <bdi>{row.address}</bdi>, sortable: true },
    { id: 'applicant', head: t('gallery.applicant'), cell: (row) => <bdi>{row.applicant}</bdi> },
    {
      id: 'state',
      head: t('waiting.state'),
      cell: (row) => (
        <StatePill state={itemState(row)} time={row.waits_until ? moment(reading, row.waits_until) : ''} />
      ),
    },
    {
      id: 'accepted',
      head: t('waiting.accepted'),
      cell: (row) => moment(reading, row.accepted_at),
      numeric: true,
    },
    { id: 'fee', head: t('gallery.fee'), cell: (row) => dollars(row.fee), numeric: true },
  ]
}

export function TablesShown() {
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const columns = useColumns()
  const shared = { columns, keyOf: (row: Sample) => row.idempotency_key, onOpen: nothing, total: 5_000 }
  return (
    <>
      <section className="block">
        <h2>{t('gallery.tables')}</h2>
        <DataTable
          {...shared}
          label={t('gallery.tables')}
          rows={rows}
          filter={{ value: filter, onChange: setFilter }}
          sort={{ column: 'number', direction: 'ascending' }}
          onSort={nothing}
          empty={null}
        />
      </section>
      <section className="block">
        <h2>{t('gallery.empty_table')}</h2>
        <DataTable {...shared} total={0} label={t('gallery.empty_table')} rows={[]} empty={<EmptyShown />} />
      </section>
    </>
  )
}

function EmptyShown() {
  const { t } = useTranslation()
  const reading = useReading(now)
  return (
    <Empty action={{ word: t('action.fetch'), act: nothing }}>
      {t('gallery.empty', { at: moment(reading, lastRecordedAt) })}
    </Empty>
  )
}

export function StatesShown() {
  const { t } = useTranslation()
  return (
    <section className="block">
      <h2>{t('gallery.states')}</h2>
      <NoticeLine>{t('gallery.notice')}</NoticeLine>
      <NoticeLine tone="attention">{t('state.busy')}</NoticeLine>
      <ErrorState what={t('gallery.error')} safe={t('gallery.error_safe')} code="HF-301" onAgain={nothing} />
      <h3>{t('gallery.loading')}</h3>
      <Skeleton rows={3} />
    </section>
  )
}

/** Balanced, and with one item that no term accounts for. */
export function BooksShown() {
  const whole = { accepted: 71, pending: 12, in_flight: 1, committed: 55, quarantined: 2, voided: 1 }
  return (
    <>
      <BooksSum books={whole} />
      <BooksSum books={{ ...whole, accepted: 72 }} />
    </>
  )
}

export function DialogsShown() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <section className="block">
      <h2>{t('gallery.dialogs')}</h2>
      <div>
        <Button onPress={() => setOpen(true)}>{t('gallery.open_dialog')}</Button>
      </div>
      <AskDialog
        open={open}
        question={t('gallery.ask')}
        act={t('gallery.grave')}
        stay={t('gallery.keep')}
        onAct={close}
        onStay={close}
      >
        <p>{t('gallery.ask_text')}</p>
      </AskDialog>
    </section>
  )
}
