// How the window looks, reads and speaks for this person. Applied at once; nothing to save.

import { useTranslation } from 'react-i18next'
import { Choice } from '../components/Choice'
import { Form } from '../components/Form'
import { useSettings } from '../settings/SettingsProvider'
import { choices, type Settings } from '../settings/settings'
import './screens.css'

const names = ['theme', 'motion', 'density', 'language', 'clock', 'speech'] as const

export function SettingsScreen() {
  const { t } = useTranslation()
  const { settings, change } = useSettings()
  const word = useWords()
  return (
    <>
      <p>{t('settings.applied')}</p>
      <Form label={t('screen.settings')}>
        <div className="settings">
          {names.map((name) => (
            <Choice
              key={name}
              label={t(`settings.${name}`)}
              value={settings[name]}
              options={choices[name].map((code) => ({ code, word: word(name, code) }))}
              onChange={(code) => change({ [name]: code } as Partial<Settings>)}
            />
          ))}
        </div>
      </Form>
    </>
  )
}

function useWords() {
  const { t } = useTranslation()
  return <K extends keyof Settings>(name: K, code: Settings[K]) =>
    t(`settings.${name}_is.${code}` as 'settings.theme_is.system')
}
