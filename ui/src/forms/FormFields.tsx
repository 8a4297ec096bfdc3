// A whole form as the station laid it out: its groups in order, each field in its cell, and the problems above it after
// the station refused. Asks nothing itself and judges nothing.

import { memo, useMemo } from 'react'
import { useFocusWithin } from 'react-aria/useFocusWithin'
import { useTranslation } from 'react-i18next'
import type { FormField, FormView, ProblemView, RecordView } from '../api/generated/wire'
import { Fields, Form } from '../components/Form'
import { useSettings } from '../settings/SettingsProvider'
import { FieldOf, type Told } from './FieldOf'
import { placed } from './placing'
import { type Speaking, sayProblem } from './problemWords'
import type { Filling } from './useFilling'
import { inLocale } from './words'

const nothing: readonly ProblemView[] = []

export function FormFields({ form, label, filling }: { form: FormView; label: string; filling: Filling }) {
  const { settings } = useSettings()
  return (
    <Form label={label}>
      {form.groups.map((group) => (
        <Fields key={group.id} legend={inLocale(settings.language, group.legend)}>
          {group.fields.map((field) => (
            <Cell
              key={field.name}
              form={form}
              field={field}
              value={filling.values[field.name]}
              problems={filling.shown[field.name] ?? nothing}
              put={filling.put}
              left={filling.left}
              fromRecord={filling.fromRecord}
            />
          ))}
        </Fields>
      ))}
    </Form>
  )
}

type CellProps = {
  form: FormView
  field: FormField
  value: unknown
  problems: readonly ProblemView[]
  put: (name: string, value: unknown) => void
  left: (field: FormField) => void
  fromRecord: (record: RecordView) => void
}

/** Drawn anew only when its own value or problems changed: a form has dozens of fields. */
const Cell = memo(function Cell({ form, field, value, problems, put, left, fromRecord }: CellProps) {
  const speaking = useSpeaking(form)
  const told = useMemo<Told>(
    () =>
      placed(form, problems).map(({ problem, row }) => ({
        row,
        text: sayProblem(speaking, problem, field, row),
      })),
    [form, problems, speaking, field],
  )
  const { focusWithinProps } = useFocusWithin({ onBlurWithin: () => left(field) })
  return (
    <div className={isWide(field) ? 'form-cell whole' : 'form-cell'} {...focusWithinProps}>
      <FieldOf
        field={field}
        value={value}
        put={(next) => put(field.name, next)}
        fromRecord={fromRecord}
        told={told}
      />
    </div>
  )
})

export function useSpeaking(form: FormView): Speaking {
  const { t } = useTranslation()
  const { settings } = useSettings()
  return useMemo(() => ({ t, locale: settings.language, form }), [t, settings.language, form])
}

function isWide({ control }: FormField): boolean {
  return control.control === 'long_text'
}
