// What became of something handed in, as a sentence: what the station said, by code and never guessed.

import { useTranslation } from 'react-i18next'
import type { FormView } from '../../api/generated/wire'
import { sayProblem } from '../../forms/problemWords'
import { useStanding } from '../../frame/StandingContext'
import { useSettings } from '../../settings/SettingsProvider'
import type { Came } from './useHandingIn'

/** What the station says to it is about the item, not about a field. */
const NO_FORM: FormView = { kind: '', contract_version: 0, groups: [] }

const codes = ['not_permitted', 'not_signed_in', 'rules_out_of_date', 'disk_full', 'busy'] as const

/** `code` is for support, where nobody knows what became of it. */
export function useCameWords(code: string): (came: Came, saved: string) => string {
  const { t } = useTranslation()
  const { house } = useStanding()
  const { settings } = useSettings()
  return (came, saved) => {
    switch (came.came) {
      case 'saved':
        return saved
      case 'unknown':
        return t('offered.refused.other', { code, contact: house.contact })
      case 'refused': {
        const speaking = { t, locale: settings.language, form: NO_FORM }
        if (came.problems.length > 0)
          return came.problems.map((problem) => sayProblem(speaking, problem, null)).join(' ')
        const known = codes.find((one) => one === came.code)
        if (known) return t(`move.refused.${known}`)
        return t('offered.refused.other', { code: `${code} ${came.code}`, contact: house.contact })
      }
    }
  }
}
