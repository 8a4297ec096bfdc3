// Why an item cannot be corrected or taken back now, and what follows when it can, as sentences.

import { useTranslation } from 'react-i18next'
import type { OfferRefusal, OfferView } from '../../api/generated/wire'
import { useRoleWord } from './moveWords'

type Act = 'correct' | 'take_back'

export function useOfferSentence(): (act: Act, offer: OfferView) => string {
  const { t } = useTranslation()
  const why = useWhyNot()
  return (act, offer) => {
    switch (offer.offer) {
      case 'takes_place':
      case 'follows':
        return t(`offered.${act}_${offer.offer}`)
      case 'refused':
        return why(offer.refusal)
    }
  }
}

function useWhyNot(): (refusal: OfferRefusal) => string {
  const { t } = useTranslation()
  const role = useRoleWord()
  return (refusal) => {
    switch (refusal.why) {
      case 'not_permitted':
        return t('move.why.not_permitted', { roles: refusal.roles.map(role).join(', ') })
      case 'not_now':
        return t('move.why.not_now')
      case 'in_doubt':
      case 'voided':
      case 'a_void':
      case 'nothing_to_build_on':
      case 'no_form':
        return t(`offered.why.${refusal.why}`)
    }
  }
}
