// An item in words: what it does, what the permit system answered last, why a person must decide. Codes that this window
// does not know are said as codes, never left out.

import { useTranslation } from 'react-i18next'
import type { ItemRow } from '../../api/generated/wire'
import { useOptionWords } from './optionWords'

const kinds = [
  'application',
  'stage',
  'inspection',
  'correction',
  'void',
  'hold',
  'notice',
  'fee',
  'note',
  'tag',
  'attachment',
] as const

/** Every stage that a record or a step can name. */
export const stageNames = [
  'Intake',
  'PrelimReview',
  'FeeEstimated',
  'ConditionalApproval',
  'Committed',
  'Returned',
  'Withdrawn',
  'Voided',
] as const

/** The standard's; a city's own kinds of inspection are shown as the city calls them. */
const inspectionTypes = [
  'Footing',
  'Foundation',
  'Slab',
  'Framing',
  'Sheathing',
  'Insulation',
  'Drywall',
  'Roof',
  'Masonry',
  'Rough Electrical',
  'Rough Mechanical',
  'Rough Plumbing',
  'Gas Line',
  'Water Heater',
  'Pool/Spa',
  'Grading',
  'Fire',
  'Final Electrical',
  'Final Mechanical',
  'Final Plumbing',
  'Final Building',
  'Other',
] as const

const answers = [
  'committed',
  'received',
  'impostor',
  'busy',
  'already_committed',
  'conflict',
  'parent_missing',
  'too_large',
  'our_defect',
  'rejected',
  'station_unauthorized',
  'forbidden',
  'throttled',
  'unavailable',
  'unanswered',
  'untyped',
  'unreachable',
  'misdirected',
  'not_asked',
  'absent',
  'still_in_doubt',
] as const

const reasons = [
  'conflict',
  'rejected',
  'too-large',
  'our-defect',
  'forbidden',
  'fails-alone',
  'parent-missing',
  'parent-voided',
  'twin',
  'unreadable',
  'unprovable',
] as const

export function useStageWord(): (stage: string) => string {
  const { t } = useTranslation()
  return (stage) => t(`stage.${stageNames.find((known) => known === stage) ?? 'other'}`, { stage })
}

/** A kind of inspection in the reader's language where the standard names it. */
export function useInspectionTypeWord(): (type: string) => string {
  const { t } = useTranslation()
  return (type) =>
    t(`inspection_type.${inspectionTypes.find((known) => known === type) ?? 'other'}`, { type })
}

export function useAnswerWord(): (word: string | null) => string {
  const { t } = useTranslation()
  return (word) => {
    if (word === null) return t('answer.none')
    return t(`answer.${answers.find((known) => known === word) ?? 'code'}`, { code: word })
  }
}

/** Why an item is before a person. */
export function useWhyWord(): (reason: string | null) => string {
  const { t } = useTranslation()
  return (reason) =>
    reason === null ? '' : t(`why.${reasons.find((known) => known === reason) ?? 'code'}`, { code: reason })
}

export function useKindWord(): (kind: string) => string {
  const { t } = useTranslation()
  return (kind) => t(`kind.${kinds.find((known) => known === kind) ?? 'other'}`, { kind })
}

/** What an item does: "Move to Preliminary review", "Footing: Rejected". */
export function useWhat(): (row: Pick<ItemRow, 'kind' | 'about'>) => string {
  const { t } = useTranslation()
  const kind = useKindWord()
  const stage = useStageWord()
  const permitType = useOptionWords('application', 'PermitTypeMapped')
  const inspection = useInspectionTypeWord()
  const result = useOptionWords('inspection', 'ResultMapped')
  return ({ kind: code, about }) => {
    switch (about.about) {
      case 'application':
        if (about.permit_type === null) return kind(code)
        return t('does.application', { type: permitType(about.permit_type) })
      case 'move':
        return t('does.move', { stage: stage(about.to) })
      case 'inspection':
        if (about.result === null) return t('does.inspection_open', { type: inspection(about.insp_type) })
        return t('does.inspection', { type: inspection(about.insp_type), result: result(about.result) })
      case 'other':
        return kind(code)
    }
  }
}
