// Where an application stands. Done has a check, now a filled ring and bold, to come a ring; also read without any of it.

import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import './pill.css'

export const stages = ['Intake', 'PrelimReview', 'FeeEstimated', 'ConditionalApproval', 'Committed'] as const
export const ends = ['Returned', 'Withdrawn', 'Voided'] as const
export type Stage = (typeof stages)[number]

export function StageStepper({ stage }: { stage: Stage }) {
  const { t } = useTranslation()
  const now = stages.indexOf(stage)
  return (
    <ol className="stepper" aria-label={t('stage.label')}>
      {stages.map((name, index) => (
        <li
          key={name}
          className="step"
          data-step={index < now ? 'done' : 'open'}
          aria-current={index === now ? 'step' : undefined}
        >
          {index < now ? <Icon name="check_circle" /> : <span className="step-ring" />}
          {t(`stage.${name}`)}
          {index < now && <span className="only-heard">{t('stage.done')}</span>}
        </li>
      ))}
    </ol>
  )
}
