// The results, each with its digit. A digit chooses only while the focus is in this group, which shows it; anywhere else
// it is a character like others. Alt+R leads here.

import type { KeyboardEvent } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import type { FieldControl } from '../../api/generated/wire'
import { Above, type FieldProps } from '../../components/Labelled'
import { inLocale } from '../../forms/words'
import { KeyHint } from '../../keys/KeyHint'
import { useKey } from '../../keys/Keys'
import { useSettings } from '../../settings/SettingsProvider'

type Props = FieldProps & {
  id: string
  control: FieldControl
  value: string
  onChange: (code: string) => void
}

const DIGITS_MAX = 7

export function ResultChoice({ control, value, onChange, id, ...props }: Props) {
  const { settings } = useSettings()
  const options = control.control === 'choice' ? control.options : []
  useKey('result', () =>
    radiosIn(id)
      .find((radio, n) => radio.checked || (n === 0 && !value))
      ?.focus(),
  )
  const digit = (event: KeyboardEvent) => {
    const chosen = options.slice(0, DIGITS_MAX)[Number(event.key) - 1]
    if (!chosen || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    onChange(chosen.code)
    radiosIn(id)[Number(event.key) - 1]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the radio buttons in it hear the keys first
    <div onKeyDown={digit}>
      <RadioGroup
        className="field"
        id={id}
        value={value || null}
        onChange={onChange}
        isInvalid={Boolean(props.problem)}
        validationBehavior="aria"
      >
        <div className="result-label">
          <Above {...props} />
          <KeyHint of="result" />
        </div>
        <div className="result-choice">
          {options.map((option, n) => (
            <Radio key={option.code} className="choice-option result-option" value={option.code}>
              <span className="choice-mark" />
              <span>{inLocale(settings.language, option.word)}</span>
              {n < DIGITS_MAX && (
                <span className="key-hint" aria-hidden="true">
                  {n + 1}
                </span>
              )}
            </Radio>
          ))}
        </div>
      </RadioGroup>
    </div>
  )
}

function radiosIn(id: string): HTMLInputElement[] {
  return [...(document.getElementById(id)?.querySelectorAll('input') ?? [])]
}
