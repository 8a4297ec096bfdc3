// A count or a measure as text, right-aligned, with its unit behind it. Never a number field: the wheel turns those, and
// they read a foreign comma as thousands. What was typed stays.

import { TextField as Field, Input } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Above, type FieldProps } from './Labelled'
import { useRefusedPaste } from './useRefusedPaste'

type Props = FieldProps & {
  value: string
  onChange: (value: string) => void
  unit?: string
  inputMode: 'numeric' | 'decimal'
}

export function FigureField({ value, onChange, unit, inputMode, width = 'sm', ...props }: Props) {
  const { t } = useTranslation()
  const pasted = useRefusedPaste()
  const problem = props.problem ?? pasted.problem
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
        <Input className="control" inputMode={inputMode} onPaste={pasted.onPaste} />
        {unit && <span aria-hidden="true">{unit}</span>}
      </div>
    </Field>
  )
}
