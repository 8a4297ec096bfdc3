// Where an application stands, as the station says. Done has a check, now a filled ring and bold, to come a ring; also
// read without any of it.

import { useTranslation } from 'react-i18next'
import type { StageStep } from '../api/generated/wire'
import { Icon } from '../look/Icon'
import './pill.css'

export const stages = ['Intake', 'PrelimReview', 'FeeEstimated', 'ConditionalApproval', 'Committed'] as const
export const ends = ['Returned', 'Withdrawn', 'Voided'] as const
export type Stage = (typeof stages)[number]

export function StageStepper({ steps }: { steps: readonly StageStep[] }) {
  const { t } = useTranslation()
  const word = (stage: string) =>
    t(`stage.${[...stages, ...ends].find((known) => known === stage) ?? 'other'}`, { stage })
  return (
    <ol className="stepper" aria-label={t('stage.label')}>
      {steps.map(({ stage, reached }) => (
        <li
          key={stage}
          className="step"
          data-step={reached === 'done' ? 'done' : 'open'}
          aria-current={reached === 'now' ? 'step' : undefined}
        >
          {reached === 'done' ? <Icon name="check_circle" /> : <span className="step-ring" />}
          {word(stage)}
          {reached === 'done' && <span className="only-heard">{t('stage.done')}</span>}
        </li>
      ))}
    </ol>
  )
}
