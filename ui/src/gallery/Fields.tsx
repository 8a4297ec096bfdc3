// Every kind of field, as it is before a person touched it and with what can be wrong.

import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice, type Option } from '../components/Choice'
import { DateField } from '../components/DateField'
import { Fields, Form } from '../components/Form'
import { MoneyField } from '../components/MoneyField'
import { ParcelList, type Parcels } from '../components/ParcelList'
import { ProblemSummary } from '../components/ProblemSummary'
import { TextArea, TextField } from '../components/TextField'
import { longNames } from './samples'

const TODAY = '2026-12-08'
const types = ['roof', 'electrical', 'plumbing', 'mechanical', 'fence', 'sign', 'demolition', 'pool'] as const

export function useTypes(): Option[] {
  const { t } = useTranslation()
  return types.map((code) => ({ code: code.slice(0, 4).toUpperCase(), word: t(`gallery.${code}`) }))
}

export function FieldsShown() {
  const { t } = useTranslation()
  return (
    <section className="block">
      <h2>{t('gallery.fields')}</h2>
      <Form label={t('gallery.untouched')}>
        <Untouched />
      </Form>
      <Form label={t('gallery.with_problems')}>
        <WithProblems />
      </Form>
    </section>
  )
}

function Untouched() {
  const { t } = useTranslation()
  const options = useTypes()
  const [text, setText] = useState('')
  const [money, setMoney] = useState('250,500')
  const [date, setDate] = useState<string | null>(null)
  const [choice, setChoice] = useState<string | null>(null)
  const [type, setType] = useState<string | null>(null)
  const [parcels, setParcels] = useState<Parcels>({ numbers: ['0010-22-417'], none: false, reason: '' })
  return (
    <Fields legend={t('gallery.untouched')}>
      <TextField
        label={t('gallery.address')}
        hint={t('gallery.address_hint')}
        width="xl"
        value={text}
        onChange={setText}
      />
      <TextField label={t('gallery.unit')} optional width="xs" value="" onChange={() => {}} />
      <MoneyField label={t('gallery.valuation')} value={money} onChange={setMoney} />
      <DateField label={t('gallery.start')} value={date} onChange={setDate} today={TODAY} />
      <Choice
        label={t('gallery.work_class')}
        value={choice}
        onChange={setChoice}
        options={[
          { code: 'N', word: t('gallery.new') },
          { code: 'E', word: t('gallery.existing') },
        ]}
      />
      <Choice label={t('gallery.permit_type')} showCode value={type} onChange={setType} options={options} />
      <ParcelList value={parcels} onChange={setParcels} told={[{ read: t('gallery.read_parcel') }]} />
      <TextField label={t('gallery.applicant')} value={longNames.rtl} onChange={() => {}} />
    </Fields>
  )
}

function WithProblems() {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const [text, setText] = useState('')
  const [money, setMoney] = useState('12,5')
  const [long, setLong] = useState('')
  const problems = [
    { fieldId: 'gallery-address', text: t('gallery.address_problem') },
    { fieldId: 'gallery-valuation', text: t('gallery.valuation_problem') },
  ]
  return (
    <>
      <ProblemSummary problems={problems} heading={heading} attempt={0} />
      <Fields legend={t('gallery.with_problems')}>
        <TextField
          id="gallery-address"
          label={t('gallery.address')}
          hint={t('gallery.address_hint')}
          value={text}
          onChange={setText}
          problem={t('gallery.address_problem')}
        />
        <MoneyField
          id="gallery-valuation"
          label={t('gallery.valuation')}
          value={money}
          onChange={setMoney}
          problem={t('gallery.valuation_problem')}
        />
        <div className="whole">
          <TextArea label={t('gallery.description')} value={long} onChange={setLong} optional />
        </div>
      </Fields>
    </>
  )
}
