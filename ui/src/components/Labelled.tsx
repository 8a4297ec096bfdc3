// Label, hint and problem, in this order, for every kind of field. The texts come ready: from the catalogue or the
// station; nothing here judges a value.

import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import './field.css'

export type Width = '2xs' | 'xs' | 'sm' | 'md' | 'lg' | 'xl' | 'full'

/** What every field takes. `problem` is the sentence beside the field, the same as in the summary. */
export type FieldProps = {
  id?: string
  label: string
  hint?: string
  optional?: boolean
  problem?: string | null
  width?: Width
}

export function Above({ label, hint, optional, problem }: FieldProps) {
  return (
    <>
      <Label className="field-label">
        <LabelText label={label} optional={optional} />
      </Label>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      {problem && (
        <FieldError className="field-problem">
          <Icon name="error" />
          <span>{problem}</span>
        </FieldError>
      )}
    </>
  )
}

export function LabelText({ label, optional = false }: { label: string; optional?: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      {label}
      {optional && <span className="field-optional">{` (${t('form.optional')})`}</span>}
    </>
  )
}

/** What was understood, under the field. */
export function ReadBack({ children }: { children: ReactNode }) {
  return <p className="field-read">{children}</p>
}
