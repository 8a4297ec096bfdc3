// There is no station behind the window. What happened, what is intact, the one safe next step, and whom to call.
// Nothing here deletes, moves or sets anything up; the only act is to try again.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button as Pressable } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { Backend } from '../../api/backend'
import type { StartProblem, StartView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { Landmark } from '../../components/Landmark'
import { HelpDialog } from '../../frame/Help'
import { ariaName } from '../../keys/chords'
import { KeyHint } from '../../keys/KeyHint'
import { useKey } from '../../keys/Keys'
import { chordOf } from '../../keys/registry'
import { Icon } from '../../look/Icon'
import '../../frame/header.css'
import '../../components/messages.css'
import './session.css'

type Props = { backend: Backend } & Omit<Extract<StartView, { start: 'problem' }>, 'start'>

export function StartProblemPage({ backend, problem, folder, contact }: Props) {
  const { t } = useTranslation()
  const title = t(`start.problem.${problem.problem}.title`)
  const [help, setHelp] = useState(false)
  useKey('help', () => setHelp(true))
  useEffect(() => {
    document.title = t('app.title', { screen: title })
  }, [t, title])
  return (
    <div className="alone">
      <Landmark role="banner" label={t('frame.header')} className="header">
        <p className="header-name">
          <strong>{t('app.name')}</strong>
        </p>
        <span className="header-gap" />
        <Pressable
          className="header-button"
          onPress={() => setHelp(true)}
          aria-keyshortcuts={ariaName(chordOf('help'))}
        >
          <Icon name="help_outline" />
          {t('frame.help')}
          <KeyHint of="help" />
        </Pressable>
      </Landmark>
      <Landmark role="main" label={title} className="alone-main">
        <h1>{title}</h1>
        <Answers problem={problem} folder={folder} contact={contact} />
        <TryAgain backend={backend} />
      </Landmark>
      <HelpDialog open={help} onClose={() => setHelp(false)} contact={contact} nav={[]} />
    </div>
  )
}

function Answers({ problem, folder, contact }: Pick<Props, 'problem' | 'folder' | 'contact'>) {
  const { t } = useTranslation()
  const { intact, step } = useAnswers(problem)
  const pairs = [
    [t('start.label.intact'), intact],
    [t('start.label.step'), step],
    [t('start.label.call'), contact ?? t('start.no_contact')],
    [t('start.label.folder'), folder],
  ]
  return (
    <>
      <dl className="answers">
        {pairs
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} className="answer">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {problem.problem === 'not_set_up' && <FirstRun />}
    </>
  )
}

function useAnswers(problem: StartProblem) {
  const { t } = useTranslation()
  const values = { key: problem.problem === 'configuration' ? problem.key : '' }
  return {
    intact: t(`start.problem.${problem.problem}.intact`),
    step: t(`start.problem.${problem.problem}.step`, values),
  }
}

function FirstRun() {
  const { t } = useTranslation()
  return (
    <section>
      <h2>{t('start.first_run')}</h2>
      <ol>
        <li>{t('start.enrol.code')}</li>
        <li>{t('start.enrol.run')}</li>
        <li>{t('start.enrol.again')}</li>
      </ol>
    </section>
  )
}

/** Has the focus, so that Enter presses it; F5 does too. */
function TryAgain({ backend }: { backend: Backend }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const again = useMutation({
    mutationFn: () => backend.startAgain(),
    onSuccess: (start) => client.setQueryData(['start'], start),
  })
  return (
    <div className="button-row">
      <Button
        kind="primary"
        keyId="fetch_again"
        autoFocus
        pending={again.isPending}
        pendingWord={t('start.trying')}
        onPress={() => again.mutate()}
      >
        {t('action.try_again')}
      </Button>
      {again.isSuccess && <p>{t('start.still')}</p>}
      {again.isError && <p>{t('start.not_tried')}</p>}
    </div>
  )
}
