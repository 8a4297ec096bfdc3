// An address: typed freely, or one of those that are known here. What is known is only offered; nothing is chosen by
// itself, and Enter without a choice goes on with what was typed.

import { useContext, useEffect, useRef } from 'react'
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import { Above, type FieldProps, ReadBack } from './Labelled'
import { useTooLong } from './TextField'

export type KnownAddress = { id: string; address: string; about: string }

type Props = FieldProps & {
  value: string
  onChange: (value: string) => void
  limit: number
  known: readonly KnownAddress[]
  onChoose: (known: KnownAddress) => void
  read?: string | null
}

export function AddressField({
  value,
  onChange,
  known,
  onChoose,
  limit,
  read,
  width = 'xl',
  ...props
}: Props) {
  const { t } = useTranslation()
  const told = useTooLong(value, limit)
  const problem = props.problem ?? told.problem
  const choose = (id: unknown) => {
    const one = known.find((other) => other.id === id)
    if (one) onChoose(one)
  }
  return (
    <ComboBox
      className="field"
      id={props.id}
      allowsCustomValue
      inputValue={value}
      onInputChange={onChange}
      value={null}
      onChange={choose}
      items={known}
      isInvalid={Boolean(problem)}
      validationBehavior="aria"
    >
      <Above {...props} problem={problem} />
      <div className={`combo width-${width}`}>
        <Input className="control" dir="auto" onPaste={told.onPaste} />
        <Button className="combo-button" aria-label={t('form.show_choices')}>
          <Icon name="expand_more" />
        </Button>
      </div>
      <OpenWhenKnown typed={value} known={known} />
      {read && <ReadBack>{read}</ReadBack>}
      <Popover className="options">
        <ListBox<KnownAddress>>
          {(one) => (
            <ListBoxItem className="option" textValue={one.address}>
              <bdi>{one.address}</bdi>
              <span className="option-about">{one.about}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

/** What is known comes a moment after the typing: the list opens then, if the field still has the focus. */
function OpenWhenKnown({ typed, known }: { typed: string; known: readonly KnownAddress[] }) {
  const state = useContext(ComboBoxStateContext)
  const wanted = useRef(false)
  const before = useRef(typed)
  useEffect(() => {
    if (before.current !== typed) wanted.current = true
    before.current = typed
  }, [typed])
  useEffect(() => {
    if (!wanted.current || !state?.isFocused || known.length === 0) return
    wanted.current = false
    if (!state.isOpen) state.open(null, 'input')
  }, [state, known])
  return null
}
