// Several of a closed list, each with its box.

import { Checkbox, CheckboxGroup } from 'react-aria-components'
import { Icon } from '../look/Icon'
import type { Option } from './Choice'
import { Above, type FieldProps } from './Labelled'

type Props = FieldProps & {
  options: readonly Option[]
  value: readonly string[]
  onChange: (codes: string[]) => void
}

export function Several({ options, value, onChange, ...props }: Props) {
  return (
    <CheckboxGroup
      className="field"
      id={props.id}
      value={[...value]}
      onChange={onChange}
      isInvalid={Boolean(props.problem)}
      validationBehavior="aria"
    >
      <Above {...props} />
      <div className="choice">
        {options.map(({ code, word }) => (
          <Checkbox key={code} className="choice-option" value={code}>
            <span className="choice-mark choice-mark-square">
              <Icon name="check" />
            </span>
            {word}
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  )
}
