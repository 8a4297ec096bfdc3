// One of several: a group of radio buttons up to seven, else a list that is found by typing a code or a word.

import {
  Button,
  ComboBox,
  Input,
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
  return (
    <ComboBox
      className="field"
      id={props.id}
      value={value}
      onChange={(key) => onChange(key === null ? null : String(key))}
      defaultItems={options.map((option) => ({ ...option, id: option.code }))}
      isInvalid={Boolean(problem)}
      menuTrigger="focus"
      validationBehavior="aria"
    >
      <Above {...props} problem={problem} />
      <div className={`combo width-${width}`}>
        <Input className="control" onPaste={pasted.onPaste} />
        <Button className="combo-button" aria-label={t('form.show_choices')}>
          <Icon name="expand_more" />
        </Button>
      </div>
      <Popover className="options">
        <ListBox<Listed>>
          {(option) => (
            <ListBoxItem
              className="option"
              textValue={showCode ? `${option.code} ${option.word}` : option.word}
            >
              {showCode && <span className="option-code">{option.code}</span>}
              {option.word}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
