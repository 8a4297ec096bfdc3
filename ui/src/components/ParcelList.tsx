// The parcels of one work, each in a row of its own; or why there is no number yet, with its reason.

import { Checkbox, Group } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import { Button } from './Button'
import { TextField } from './TextField'

/** `from` says where the numbers come from when nobody typed them. */
export type Parcels = { numbers: readonly string[]; none: boolean; reason: string; from?: string | null }

/** By row: what the station made of a number, and what is wrong with it. */
export type ParcelTold = { read?: string | null; problem?: string | null }

type Props = {
  id?: string
  label?: string
  hint?: string
  optional?: boolean
  /** Most numbers, as the rules have it. */
  most?: number
  value: Parcels
  onChange: (value: Parcels) => void
  told?: readonly ParcelTold[]
  reasonProblem?: string | null
}

const PARCELS_MAX = 50

export function ParcelList({ id = 'parcel', value, onChange, told = [], reasonProblem, ...props }: Props) {
  const { t } = useTranslation()
  const put = (index: number, number: string) =>
    onChange({
      ...value,
      from: null,
      numbers: value.numbers.map((old, at) => (at === index ? number : old)),
    })
  return (
    <Group className="field" aria-label={props.label ?? t('form.parcels')}>
      {!value.none && (
        <div className="parcel-rows">
          {value.numbers.map((number, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; two rows may hold the same text
            <div key={index} className="parcel-row">
              <TextField
                id={`${id}-${index}`}
                width="lg"
                label={
                  value.numbers.length === 1 ? t('form.parcel_short') : t('form.parcel', { n: index + 1 })
                }
                hint={index === 0 ? props.hint : undefined}
                optional={props.optional}
                value={number}
                onChange={(typed) => put(index, typed)}
                read={told[index]?.read}
                problem={told[index]?.problem}
              />
              {value.numbers.length > 1 && (
                <Button
                  kind="quiet"
                  icon="delete"
                  onPress={() =>
                    onChange({ ...value, numbers: value.numbers.filter((_, at) => at !== index) })
                  }
                >
                  {t('form.remove_parcel', { n: index + 1 })}
                </Button>
              )}
            </div>
          ))}
        </div>
      )}
      <More value={value} onChange={onChange} most={props.most ?? PARCELS_MAX} />
      {value.none && (
        <TextField
          id={`${id}-reason`}
          label={t('form.no_parcel_reason')}
          value={value.reason}
          onChange={(reason) => onChange({ ...value, reason })}
          problem={reasonProblem}
        />
      )}
    </Group>
  )
}

function More({ value, onChange, most }: Pick<Props, 'value' | 'onChange'> & { most: number }) {
  const { t } = useTranslation()
  return (
    <div className="parcel-more">
      <Checkbox
        className="choice-option"
        isSelected={value.none}
        onChange={(none) => onChange({ ...value, none })}
      >
        <span className="choice-mark choice-mark-square">
          <Icon name="check" />
        </span>
        {t('form.no_parcel')}
      </Checkbox>
      {!value.none && value.numbers.length < most && (
        <Button
          kind="quiet"
          icon="add"
          onPress={() => onChange({ ...value, from: null, numbers: [...value.numbers, ''] })}
        >
          {t('form.add_parcel')}
        </Button>
      )}
    </div>
  )
}
