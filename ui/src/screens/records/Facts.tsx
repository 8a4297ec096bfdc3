// The payload as last accepted, in the groups and under the labels of its form; what the form does not name is shown under
// its own name, not left out. Then the inspections recorded here.

import { useTranslation } from 'react-i18next'
import type { FormGroup, FormView, RecordView } from '../../api/generated/wire'
import { inLocale } from '../../forms/words'
import { useSettings } from '../../settings/SettingsProvider'
import { useFactWords } from './factWords'
import { SentenceList } from './History'
import { fieldsIn, useForm } from './optionWords'
import { useOtherFacts } from './otherFacts'
import { ParcelsSeen } from './ParcelsSeen'

type Payload = RecordView['payload']

export function Facts({ record }: { record: RecordView }) {
  const { t } = useTranslation()
  const form = useForm('application')
  const inspections = record.items.filter(({ about }) => about.about === 'inspection')
  const empty = Object.values(record.payload).every((value) => value === null || value === '')
  return (
    <div className="facts-groups">
      {empty && <p>{t('application.no_facts')}</p>}
      {form?.groups.map((group) => (
        <Group key={group.id} group={group} payload={record.payload} />
      ))}
      <ParcelsSeen parcels={record.parcels} />
      <Others form={form} payload={record.payload} />
      <section className="block">
        <h2>{t('application.inspections')}</h2>
        {inspections.length === 0 ? (
          <p>{t('application.no_inspections')}</p>
        ) : (
          <SentenceList items={inspections} />
        )}
      </section>
    </div>
  )
}

function Group({ group, payload }: { group: FormGroup; payload: Payload }) {
  const { settings } = useSettings()
  const words = useFactWords()
  const pairs = group.fields.flatMap((field): Fact[] => {
    const text = words(payload[field.name], field.control)
    return text === '' ? [] : [[inLocale(settings.language, field.label), text]]
  })
  return <Pairs legend={inLocale(settings.language, group.legend)} pairs={pairs} />
}

function Others({ form, payload }: { form: FormView | undefined; payload: Payload }) {
  const { t } = useTranslation()
  const others = useOtherFacts()
  const named = new Set(fieldsIn(form).map(({ name }) => name))
  const rest = Object.entries(payload).filter(([name]) => !named.has(name))
  const pairs = others(Object.fromEntries(rest)).map(([, label, text]): Fact => [label, text])
  return <Pairs legend={t('application.other_facts')} pairs={pairs} />
}

type Fact = [label: string, text: string]

function Pairs({ legend, pairs }: { legend: string; pairs: readonly Fact[] }) {
  if (pairs.length === 0) return null
  return (
    <section className="block">
      <h2>{legend}</h2>
      <dl className="pairs">
        {pairs.map(([label, text]) => (
          <div key={label} className="pair">
            <dt>{label}</dt>
            <dd>
              <bdi dir="auto" className="fact-text">
                {text}
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
