// How the window looks, reads and speaks for this person. Applied at once; nothing to save.

import { useTranslation } from 'react-i18next'
import { Button } from '../components/Button'
import { Choice } from '../components/Choice'
import { Form } from '../components/Form'
import { useDesks } from '../frame/workspace'
import { useSettings } from '../settings/SettingsProvider'
import { choices, type Settings, textSizeBeside, usual } from '../settings/settings'
import './screens.css'

const names = ['theme', 'motion', 'density', 'language', 'clock', 'speech'] as const
type Name = (typeof names)[number]

export function SettingsScreen() {
  const { t } = useTranslation()
  const { settings, change } = useSettings()
  const word = useWords()
  const hint = useHint()
  return (
    <>
      <p>{t('settings.applied')}</p>
      <Form label={t('screen.settings')}>
        <div className="settings">
          {names.map((name) => (
            <Choice
              key={name}
              label={t(`settings.${name}`)}
              hint={hint(name)}
              value={settings[name]}
              options={choices[name].map((code) => ({ code, word: word(name, code) }))}
              onChange={(code) => change({ [name]: code } as Partial<Settings>)}
            />
          ))}
        </div>
      </Form>
      <TextSize />
    </>
  )
}

/** The keys work everywhere; here they are learned. */
function TextSize() {
  const { t } = useTranslation()
  const { settings, change } = useSettings()
  const { textSize } = settings
  const beside = (step: 1 | -1) => () => change({ textSize: textSizeBeside(textSize, step) })
  return (
    <section className="block">
      <h2>{t('settings.text_size')}</h2>
      <p>{t('settings.text_size_is', { size: textSize })}</p>
      <div className="button-row">
        <Button keyId="smaller" onPress={beside(-1)}>
          {t('settings.smaller')}
        </Button>
        <Button keyId="larger" onPress={beside(1)}>
          {t('settings.larger')}
        </Button>
        <Button keyId="usual_size" onPress={() => change({ textSize: usual.textSize })}>
          {t('settings.usual')}
        </Button>
      </div>
    </section>
  )
}

function useWords() {
  const { t } = useTranslation()
  return <K extends Name>(name: K, code: Settings[K]) =>
    t(`settings.${name}_is.${code}` as 'settings.theme_is.system')
}

function useHint(): (name: Name) => string | undefined {
  const { t } = useTranslation()
  const { current } = useDesks()
  return (name) => (name === 'density' && current === 'field' ? t('settings.density_in_field') : undefined)
}
