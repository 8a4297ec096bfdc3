// A step as a verb, and why it is not possible now.

import { useTranslation } from 'react-i18next'
import type { MoveRefusal } from '../../api/generated/wire'
import { stageNames, useStageWord } from './itemWords'

export function useMoveWord(): (to: string) => string {
  const { t } = useTranslation()
  return (to) => t(`move.to.${stageNames.find((known) => known === to) ?? 'other'}`, { stage: to })
}

export function useRefusedSentence(at: string): (refusal: MoveRefusal) => string {
  const { t } = useTranslation()
  const stage = useStageWord()
  const role = useRoleWord()
  return (refusal) => {
    switch (refusal.why) {
      case 'no_such_step':
        return t('move.why.no_such_step', { stage: stage(at) })
      case 'not_permitted':
        return t('move.why.not_permitted', { roles: refusal.roles.map(role).join(', ') })
      case 'never_chosen':
      case 'ended':
      case 'not_now':
        return t(`move.why.${refusal.why}`)
    }
  }
}

export function useRoleWord(): (role: string) => string {
  const { t } = useTranslation()
  return (role) => t(`role.${roles.find((known) => known === role) ?? 'other'}`, { role })
}

const roles = ['clerk', 'inspector', 'supervisor'] as const
