// The window's title, most specific first: problems, screen, Holdfast; DRILL and DEMO before everything.

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStanding } from './StandingContext'

export function useWindowTitle(screen: string, problems: number) {
  const { t } = useTranslation()
  const { house } = useStanding()
  const title =
    problems > 0 ? t('app.title_problems', { count: problems, screen }) : t('app.title', { screen })
  const whole = house.rehearsal === 'none' ? title : t(`rehearsal.${house.rehearsal}.title`, { title })
  useEffect(() => {
    document.title = whole
  }, [whole])
}
