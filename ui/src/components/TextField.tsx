// One line or several, of any script. Over the limit the text stays and the field says by how much.

import type { HTMLAttributes } from 'react'
import { TextArea as Area, TextField as Field, Input } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Above, type FieldProps, ReadBack } from './Labelled'
import { charactersOver } from './pasting'
import { useRefusedPaste } from './useRefusedPaste'

export type TextProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  onEnter?: () => void
  onLeave?: () => void
  limit?: number
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  type?: 'text' | 'tel' | 'email' | 'password'
  autoComplete?: string
  name?: string
  /** What was understood of the value. */
  read?: string | null
}

const LIMIT_CHARACTERS = 250
const AREA_LIMIT_CHARACTERS = 4000
/** From here on a long text shows its count. */
const COUNT_FROM = 0.8

export function TextField({ value, onChange, onEnter, onLeave, width = 'full', read, ...props }: TextProps) {
  const told = useTooLong(value, props.limit ?? LIMIT_CHARACTERS)
  const problem = props.problem ?? told.problem
  return (
    <Field
      className="field"
      id={props.id}
      value={value}
      onChange={onChange}
      onFocus={onEnter}
      onBlur={onLeave}
      name={props.name}
      type={props.type ?? 'text'}
      isInvalid={Boolean(problem)}
      validationBehavior="aria"
      autoComplete={props.autoComplete ?? 'off'}
    >
      <Above {...props} problem={problem} />
      <Input
        className={`control width-${width}`}
        dir="auto"
        inputMode={props.inputMode}
        onPaste={told.onPaste}
      />
      {read && <ReadBack>{read}</ReadBack>}
    </Field>
  )
}

export function TextArea({ value, onChange, onLeave, ...props }: TextProps) {
  const { t } = useTranslation()
  const limit = props.limit ?? AREA_LIMIT_CHARACTERS
  const told = useTooLong(value, limit)
  const problem = props.problem ?? told.problem
  return (
    <Field
      className="field"
      id={props.id}
      value={value}
      onChange={onChange}
      onBlur={onLeave}
      isInvalid={Boolean(problem)}
      validationBehavior="aria"
    >
      <Above {...props} problem={problem} />
      <Area className="control width-full" dir="auto" rows={3} onPaste={told.onPaste} />
      {value.length > limit * COUNT_FROM && (
        <ReadBack>{t('form.characters', { n: [...value].length, limit })}</ReadBack>
      )}
    </Field>
  )
}

/** Too long for the rules is said and stays; too long for the window is not pasted at all, and that is said. */
export function useTooLong(value: string, limit: number) {
  const { t } = useTranslation()
  const pasted = useRefusedPaste()
  const over = charactersOver(value, limit)
  const problem = pasted.problem ?? (over > 0 ? t('form.too_long', { count: over }) : null)
  return { problem, onPaste: pasted.onPaste }
}
