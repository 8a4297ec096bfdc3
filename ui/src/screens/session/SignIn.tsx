// Who is here. Asked of the permit system, which has to answer for it. Pasting and password managers work; the password
// is handed over once and kept nowhere. What went wrong is said in one place, which takes the focus.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import { Button } from '../../components/Button'
import { enter } from '../../components/ProblemSummary'
import { TextField } from '../../components/TextField'
import { moment } from '../../format/format'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useLost } from '../../frame/useLost'
import { Icon } from '../../look/Icon'
import { useReading } from '../../settings/SettingsProvider'
import '../../components/messages.css'
import './session.css'

const NAME_FIELD = 'sign-in-name'

export function SignIn() {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const { attempt, problem, pending, tryIt } = useAttempt()
  useEffect(() => enter(NAME_FIELD), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) tryIt(name, password)
  }
  return (
    <div className="sign-in">
      {problem ? <Refused key={attempt}>{problem}</Refused> : <Away />}
      <form className="form" aria-label={t('screen.sign_in')} noValidate onSubmit={submit}>
        <TextField
          id={NAME_FIELD}
          name="username"
          autoComplete="username"
          label={t('sign_in.name')}
          value={name}
          onChange={setName}
        />
        <TextField
          name="password"
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          label={t('sign_in.password')}
          value={password}
          onChange={setPassword}
        />
        <div className="button-row">
          <SubmitButton pending={pending} onPress={() => tryIt(name, password)} />
          <Button
            kind="quiet"
            icon={shown ? 'visibility_off' : 'visibility'}
            onPress={() => setShown((before) => !before)}
          >
            {t(shown ? 'sign_in.hide' : 'sign_in.show')}
          </Button>
        </div>
      </form>
      <Notes />
    </div>
  )
}

function SubmitButton({ pending, onPress }: { pending: boolean; onPress: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      {/* Enter in a field submits only where a form has such a button. */}
      <input type="submit" hidden />
      <Button kind="primary" pending={pending} pendingWord={t('sign_in.asking')} onPress={onPress}>
        {t('sign_in.act')}{' '}
        <span className="key-hint" aria-hidden="true">
          {t('keys.part.Enter')}
        </span>
      </Button>
    </>
  )
}

function useAttempt() {
  const backend = useBackend()
  const client = useQueryClient()
  const words = useWords()
  const lost = useLost()
  const [attempt, setAttempt] = useState(0)
  const signIn = useMutation({
    mutationFn: (request: { user: string; password: string }) =>
      lost ? Promise.reject(new Lost(lost)) : backend.signIn(request),
    onError: () => setAttempt((before) => before + 1),
    onSuccess: (session) => {
      client.setQueryData(['session'], session)
      return client.invalidateQueries()
    },
  })
  return {
    attempt,
    problem: signIn.error ? words(signIn.error) : null,
    pending: signIn.isPending,
    tryIt: (user: string, password: string) => signIn.mutate({ user, password }),
  }
}

class Lost extends Error {}

function useWords(): (error: Error) => string {
  const { t } = useTranslation()
  const { house } = useStanding()
  const contact = house.contact
  return (error) => {
    if (error instanceof Lost) return error.message
    if (!(error instanceof Refusal)) return t('sign_in.refused.other', { contact, code: 'HF-101' })
    switch (error.code) {
      case 'not_answering':
      case 'system_refused':
      case 'impostor':
      case 'refused':
      case 'busy':
        return t(`sign_in.refused.${error.code}`, { contact })
      default:
        return t('sign_in.refused.other', { contact, code: `HF-101 ${error.code}` })
    }
  }
}

function Refused({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="summary" data-tone="stop" data-shape="bar">
      <h2 ref={heading} tabIndex={-1}>
        <Icon name="error" />
        {children}
      </h2>
    </section>
  )
}

/** Said before anybody types: signing in needs an answer. */
function Away() {
  const { t } = useTranslation()
  const { standing, now } = useStanding()
  const reading = useReading(now)
  const away = standing.causes.find((cause) => cause.cause === 'not_answering')
  if (away?.cause !== 'not_answering') return null
  return (
    <p className="notice" data-tone="attention" data-shape="bar">
      <Icon name="cancel" />
      <span>{t('sign_in.away', { since: moment(reading, away.since) })}</span>
    </p>
  )
}

function Notes() {
  const { t } = useTranslation()
  const { house } = useStanding()
  return (
    <div className="sign-in-notes">
      {house.rehearsal === 'demo' && <p>{t('sign_in.demo')}</p>}
      <p>{t('sign_in.help', { contact: house.contact })}</p>
    </div>
  )
}
