// A count or a measure as text, right-aligned, with its unit behind it. Never a number field: the wheel turns those, and
// they read a foreign comma as thousands. What was typed stays.

import { type ClipboardEvent, useState } from 'react'
import { TextField as Field, Input } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Above, type FieldProps } from './Labelled'
import { tooMuchToPaste } from './pasting'

type Props = FieldProps & {
  value: string
  onChange: (value: string) => void
  unit?: string
  inputMode: 'numeric' | 'decimal'
}

export function FigureField({ value, onChange, unit, inputMode, width = 'sm', ...props }: Props) {
  const { t } = useTranslation()
  const [refused, setRefused] = useState(false)
  const problem = props.problem ?? (refused ? t('form.paste_refused') : null)
  const onPaste = (event: ClipboardEvent) => {
    const much = tooMuchToPaste(event.clipboardData.getData('text'))
    setRefused(much)
    if (much) event.preventDefault()
  }
  return (
    <Field
      className="field"
      id={props.id}
      value={value}
      onChange={onChange}
      isInvalid={Boolean(problem)}
      validationBehavior="aria"
      autoComplete="off"
    >
      <Above
        {...props}
        label={unit ? t('fill.label_unit', { label: props.label, unit }) : props.label}
        problem={problem}
      />
      <div className={`figure width-${width}`}>
        <Input className="control" inputMode={inputMode} onPaste={onPaste} />
        {unit && <span aria-hidden="true">{unit}</span>}
      </div>
    </Field>
  )
}
