// One sentence for one item: who did what.

import { useTranslation } from 'react-i18next'
import type { ItemRow } from '../../api/generated/wire'
import { useInspectionTypeWord, useKindWord, useStageWord } from './itemWords'
import { useOptionWords } from './optionWords'

export function useHistorySentence(): (item: Pick<ItemRow, 'actor' | 'kind' | 'about'>) => string {
  const { t } = useTranslation()
  const kindWord = useKindWord()
  const stage = useStageWord()
  const permitType = useOptionWords('application', 'PermitTypeMapped')
  const inspection = useInspectionTypeWord()
  const result = useOptionWords('inspection', 'ResultMapped')
  return ({ actor: who, kind, about }) => {
    switch (about.about) {
      case 'application':
        if (about.permit_type === null) return t('history.application', { who })
        return t('history.application_of', { who, type: permitType(about.permit_type) })
      case 'move':
        return t('history.move', { who, stage: stage(about.to) })
      case 'inspection':
        return about.result === null
          ? t('history.inspection_open', { who, type: inspection(about.insp_type) })
          : t('history.inspection', { who, type: inspection(about.insp_type), result: result(about.result) })
      case 'other':
        return t('history.other', { who, kind: kindWord(kind) })
    }
  }
}
