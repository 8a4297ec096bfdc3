// Stopping what is sent to a system until a time, for planned work on it, and sending again. Who may, and for how long, the
// station says.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/backend'
import type { EndpointView } from '../../api/generated/wire'
import { PageDialog } from '../../components/AskDialog'
import { Button } from '../../components/Button'
import { DateField } from '../../components/DateField'
import { NoticeLine } from '../../components/states'
import { TextArea } from '../../components/TextField'
import { TimeField } from '../../components/TimeField'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { localDay } from '../field/useResult'

const REASON_CHARACTERS_MAX = 500

export function StopSending({ endpoint, called }: { endpoint: EndpointView; called: string }) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const again = useSendAgain(endpoint.name)
  if (endpoint.doing.doing === 'stopped')
    return (
      <>
        <Button pending={again.pending} pendingWord={t('stopping.pending')} onPress={again.act}>
          {t('stopping.again')}
        </Button>
        {again.refused && <NoticeLine tone="attention">{again.refused}</NoticeLine>}
      </>
    )
  return (
    <>
      <Button onPress={() => setAsked(true)}>{t('stopping.open')}</Button>
      {asked && <StopDialog name={endpoint.name} called={called} onClose={() => setAsked(false)} />}
    </>
  )
}

function StopDialog({ name, called, onClose }: { name: string; called: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const [day, setDay] = useState<string | null>(localDay(now))
  const [time, setTime] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const { stop, problems, refused, pending } = useStop(name, onClose)
  // As the clock here shows it; the station reads it in its own zone.
  const until = day && time ? `${day}T${time}` : ''
  return (
    <PageDialog open title={t('stopping.title', { name: called })} onClose={onClose}>
      <p>{t('stopping.text')}</p>
      {refused && <NoticeLine tone="attention">{refused}</NoticeLine>}
      <DateField
        id="stopping-day"
        label={t('stopping.day')}
        value={day}
        onChange={setDay}
        today={localDay(now)}
        problem={problems.until}
      />
      <TimeField id="stopping-time" label={t('stopping.time')} value={time} onChange={setTime} />
      <TextArea
        id="stopping-reason"
        label={t('stopping.reason')}
        hint={t('stopping.reason_hint')}
        value={reason}
        onChange={setReason}
        limit={REASON_CHARACTERS_MAX}
        problem={problems.reason}
      />
      <div className="button-row dialog-actions">
        <Button
          kind="grave"
          pending={pending}
          pendingWord={t('stopping.pending')}
          onPress={() => stop(until, reason)}
        >
          {t('stopping.stop')}
        </Button>
        <Button onPress={onClose}>{t('stopping.cancel')}</Button>
      </div>
    </PageDialog>
  )
}

function useStop(endpoint: string, onDone: () => void) {
  const { t } = useTranslation()
  const backend = useBackend()
  const act = useMutation({
    mutationFn: (wish: { until: string; reason: string }) => backend.holdEndpoint({ endpoint, ...wish }),
    onSuccess: onDone,
  })
  const problems = act.error instanceof Refusal ? act.error.problems : []
  const at = (field: string) => problems.find(({ pointer }) => pointer === `/${field}`)
  const until = at('until')
  const words = {
    until: until && t(until.code === 'out-of-range' ? 'stopping.until_range' : 'stopping.until_missing'),
    reason: at('reason') && t('stopping.reason_problem'),
  }
  const refused = useRefusal(words.until || words.reason ? null : act.error)
  return {
    problems: words,
    refused,
    pending: act.isPending,
    stop: (until: string, reason: string) => act.mutate({ until, reason }),
  }
}

function useSendAgain(endpoint: string) {
  const backend = useBackend()
  const act = useMutation({ mutationFn: () => backend.releaseEndpoint({ endpoint }) })
  return { refused: useRefusal(act.error), pending: act.isPending, act: () => act.mutate() }
}

function useRefusal(error: Error | null): string | null {
  const { t } = useTranslation()
  const { house } = useStanding()
  if (!error) return null
  const code = error instanceof Refusal ? error.code : 'other'
  switch (code) {
    case 'not_permitted':
    case 'not_signed_in':
    case 'busy':
      return t(`stopping.refused.${code}`, { contact: house.contact })
    default:
      return t('stopping.refused.other', { contact: house.contact, code: `HF-506 ${code}` })
  }
}
