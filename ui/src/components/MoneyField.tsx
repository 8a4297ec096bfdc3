// An amount in US dollars that stays the text as typed: never a number field, which reads "12,5" as $125 and turns with
// the wheel. What was understood is read back, and what could be read in two ways is said to be so.

import { useState } from 'react'
import { TextField as Field, Input } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { dollars } from '../format/format'
import { readMoney } from '../format/money'
import { Above, type FieldProps, ReadBack } from './Labelled'
import { useRefusedPaste } from './useRefusedPaste'

type Props = FieldProps & { value: string; onChange: (value: string) => void; onLeave?: () => void }

export function MoneyField({ value, onChange, onLeave, ...props }: Props) {
  const { t } = useTranslation()
  const [left, setLeft] = useState(value !== '')
  const read = readMoney(value)
  const refusal =
    left && read.kind === 'refused' ? t(`form.money_refused.${read.why}`, { label: props.label }) : null
  const pasted = useRefusedPaste()
  const problem = pasted.problem ?? props.problem ?? refusal
  const leave = () => {
    setLeft(true)
    if (read.kind === 'read') onChange(regrouped(read.amount))
    onLeave?.()
  }
  return (
    <Field
      className="field"
      id={props.id}
      value={value}
      onChange={onChange}
      onBlur={leave}
      onFocus={() => setLeft(false)}
      isInvalid={Boolean(problem)}
      validationBehavior="aria"
      autoComplete="off"
    >
      <Above {...props} label={t('form.money_label', { label: props.label })} problem={problem} />
      <div className="money width-sm">
        <span aria-hidden="true">{'$'}</span>
        <Input className="control" inputMode="decimal" onPaste={pasted.onPaste} />
      </div>
      {read.kind === 'read' && <ReadBack>{t('form.read_as', { value: dollars(read.amount) })}</ReadBack>}
    </Field>
  )
}

/** Grouped as it would be written; the cents stay as they were typed. */
function regrouped(amount: string): string {
  const [whole = '', cents] = amount.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return cents === undefined ? grouped : `${grouped}.${cents}`
}
