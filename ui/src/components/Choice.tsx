// One of several: a group of radio buttons up to seven, else a list that is found by typing a code or a word.

import { useRef } from 'react'
import {
  Button,
  ComboBox,
  Input,
  type Key,
  ListBox,
  ListBoxItem,
  Popover,
  Radio,
  RadioGroup,
} from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import { Above, type FieldProps } from './Labelled'
import { useRefusedPaste } from './useRefusedPaste'

export type Option = { code: string; word: string }

type Props = FieldProps & {
  options: readonly Option[]
  value: string | null
  onChange: (code: string | null) => void
  showCode?: boolean
}

export const RADIOS_MAX = 7

type Listed = Option & { id: string }

export function Choice(props: Props) {
  return props.options.length <= RADIOS_MAX ? <Radios {...props} /> : <Finder {...props} />
}

function Radios({ options, value, onChange, ...props }: Props) {
  return (
    <RadioGroup
      className="field"
      id={props.id}
      value={value}
      onChange={onChange}
      isInvalid={Boolean(props.problem)}
      validationBehavior="aria"
    >
      <Above {...props} />
      <div className="choice">
        {options.map((option) => (
          <Radio key={option.code} className="choice-option" value={option.code}>
            <span className="choice-mark" />
            {option.word}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}

function Finder({ options, value, onChange, showCode = false, width = 'xl', ...props }: Props) {
  const { t } = useTranslation()
  const pasted = useRefusedPaste()
  const problem = pasted.problem ?? props.problem
  // By the person's own keys only: the control empties the text itself when nothing was marked.
  const typed = useRef('')
  const words = (option: Option) => (showCode ? `${option.code} ${option.word}` : option.word)
  const choose = (key: Key | null) => {
    typed.current = ''
    onChange(key === null ? null : String(key))
  }
  const leave = () => {
    const meant = theOneMeant(options, words, typed.current)
    typed.current = ''
    if (meant && meant.code !== value) onChange(meant.code)
  }
  return (
    <ComboBox
      className="field"
      id={props.id}
      value={value}
      onChange={choose}
      defaultItems={options.map((option) => ({ ...option, id: option.code }))}
      onBlur={leave}
      isInvalid={Boolean(problem)}
      menuTrigger="focus"
      validationBehavior="aria"
    >
      <Above {...props} problem={problem} />
      <div className={`combo width-${width}`}>
        <Input
          className="control"
          onPaste={pasted.onPaste}
          onInput={(event) => {
            typed.current = event.currentTarget.value
          }}
        />
        <Button className="combo-button" aria-label={t('form.show_choices')}>
          <Icon name="expand_more" />
        </Button>
      </div>
      <Popover className="options">
        <ListBox<Listed>>
          {(option) => (
            <ListBoxItem className="option" textValue={words(option)}>
              {showCode && <span className="option-code">{option.code}</span>}
              {option.word}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

/** Who typed enough of a word for only one to be left has chosen it, also without the arrow keys. */
function theOneMeant(options: readonly Option[], words: (option: Option) => string, typed: string) {
  const text = typed.trim().toLowerCase()
  if (text === '') return null
  const exact = options.filter((option) => words(option).toLowerCase() === text)
  const left = options.filter((option) => words(option).toLowerCase().includes(text))
  return exact[0] ?? (left.length === 1 ? left[0] : null)
}
