// The frame around a form as it stands in one mode of the mode bar. The form is a sample: the real one is made from
// the city's own rules.

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../components/Button'
import { Choice } from '../components/Choice'
import { DateField } from '../components/DateField'
import { Fields, Form } from '../components/Form'
import { MoneyField } from '../components/MoneyField'
import { ParcelList, type Parcels } from '../components/ParcelList'
import { TextField } from '../components/TextField'
import { dollars, moment } from '../format/format'
import { Frame } from '../frame/Frame'
import { InFrame } from '../frame/InFrame'
import { StandingProvider } from '../frame/StandingContext'
import { useReading } from '../settings/SettingsProvider'
import { useTypes } from './Fields'
import { draftSavedAt, house, lostSince, modes, now, session, standingOf } from './samples'

export function FrameShown({ mode }: { mode: string }) {
  const { t } = useTranslation()
  const { lost = false, rehearsal = 'none' } = modes[mode] ?? {}
  const reading = useReading(now)
  const standing = standingOf(mode)
  const nav = useNav(standing.status.backlog.count)
  const value = { house: { ...house, rehearsal }, standing, session, lostSince: lost ? lostSince : null, now }
  return (
    <StandingProvider value={value}>
      <Frame name={t('gallery.new_application')} path="counter/new" nav={nav}>
        <InFrame
          aside={t('gallery.draft_saved', { at: moment(reading, draftSavedAt) })}
          side={{ label: t('gallery.side'), content: <Side /> }}
          actions={<Actions />}
        />
        <SampleForm />
      </Frame>
    </StandingProvider>
  )
}

function useNav(waiting: number) {
  const { t } = useTranslation()
  return [
    { path: 'counter/new', word: t('gallery.nav_new') },
    { path: 'counter/find', word: t('gallery.nav_find') },
    { path: 'counter/due', word: t('gallery.nav_due'), count: 3 },
    { path: 'counter/waiting', word: t('screen.waiting'), count: waiting },
    { path: 'counter/sent-back', word: t('gallery.nav_sent_back'), count: 2 },
  ]
}

function Actions() {
  const { t } = useTranslation()
  return (
    <>
      <Button keyId="save_draft" onPress={() => {}}>
        {t('gallery.plain')}
      </Button>
      <span className="actions-note">{t('gallery.to_fill')}</span>
      <Button kind="primary" keyId="primary" onPress={() => {}}>
        {t('gallery.primary')}
      </Button>
    </>
  )
}

function Side() {
  const { t } = useTranslation()
  const pairs = [
    [t('gallery.estimate'), dollars('2512.00')],
    [t('gallery.schedule'), '2026-B'],
    [t('gallery.open_here'), t('gallery.open_here_text')],
  ]
  return (
    <dl className="pairs">
      {pairs.map(([name, value]) => (
        <div key={name} className="pair pair-narrow">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function SampleForm() {
  const { t } = useTranslation()
  const types = useTypes()
  const [text, setText] = useState({
    address: '12 Oak St',
    unit: '',
    zip: '',
    applicant: '',
    phone: '',
    description: '',
  })
  const put = (name: keyof typeof text) => (value: string) => setText({ ...text, [name]: value })
  const [money, setMoney] = useState('')
  const [date, setDate] = useState<string | null>(null)
  const [type, setType] = useState<string | null>('ROOF')
  const [work, setWork] = useState<string | null>(null)
  const [parcels, setParcels] = useState<Parcels>({ numbers: ['0010-22-417'], none: false, reason: '' })
  return (
    <Form label={t('gallery.new_application')}>
      <Fields legend={t('gallery.site')}>
        <TextField
          label={t('gallery.address')}
          hint={t('gallery.address_hint')}
          value={text.address}
          onChange={put('address')}
        />
        <ParcelList value={parcels} onChange={setParcels} told={[{ read: t('gallery.read_parcel') }]} />
        <TextField label={t('gallery.unit')} optional width="xs" value={text.unit} onChange={put('unit')} />
        <TextField
          label={t('gallery.zip')}
          optional
          width="2xs"
          value={text.zip}
          onChange={put('zip')}
          inputMode="numeric"
        />
      </Fields>
      <Fields legend={t('gallery.work')}>
        <Choice label={t('gallery.permit_type')} showCode value={type} onChange={setType} options={types} />
        <MoneyField label={t('gallery.valuation')} value={money} onChange={setMoney} />
        <DateField label={t('gallery.start')} optional value={date} onChange={setDate} today="2026-12-08" />
        <Choice
          label={t('gallery.work_class')}
          value={work}
          onChange={setWork}
          options={[
            { code: 'N', word: t('gallery.new') },
            { code: 'E', word: t('gallery.existing') },
          ]}
        />
      </Fields>
      <Fields legend={t('gallery.people')}>
        <TextField label={t('gallery.applicant')} value={text.applicant} onChange={put('applicant')} />
        <TextField
          label={t('gallery.phone')}
          type="tel"
          hint={t('gallery.phone_hint')}
          width="md"
          value={text.phone}
          onChange={put('phone')}
        />
      </Fields>
    </Form>
  )
}
