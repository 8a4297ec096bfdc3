// What stands in the place of a list or a page while there is nothing to show, not yet, or no more.

import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import { Button, useLasting } from './Button'
import './messages.css'

/** A confirmation: under the heading of the page, until the next action. Spoken by moving the focus, not by itself. */
export function NoticeLine({
  children,
  tone = 'done',
}: {
  children: ReactNode
  tone?: 'done' | 'attention'
}) {
  return (
    <p className="notice" data-tone={tone} data-shape="bar">
      <Icon name={tone === 'done' ? 'check_circle' : 'warning'} />
      <span>{children}</span>
    </p>
  )
}

/** One sentence, and at most one thing to do. */
export function Empty({
  children,
  action,
}: {
  children: ReactNode
  action?: { word: string; act: () => void }
}) {
  return (
    <div className="state-box state-plain">
      <p>{children}</p>
      {action && <Button onPress={action.act}>{action.word}</Button>}
    </div>
  )
}

const SKELETON_AFTER_MS = 500
const LONG_AFTER_MS = 5_000

/** Nothing for half a second, then rows of the same height as what comes, and after five seconds words. */
export function Loading({ rows, onCancel, label }: { rows: number; onCancel?: () => void; label: string }) {
  const { t } = useTranslation()
  const slow = useLasting(true, SKELETON_AFTER_MS)
  const long = useLasting(true, LONG_AFTER_MS)
  return (
    <div aria-busy="true">
      <p className={long ? undefined : 'only-heard'}>{long ? t('state.takes_long') : label}</p>
      {slow && <Skeleton rows={rows} />}
      {long && onCancel && <Button onPress={onCancel}>{t('action.cancel')}</Button>}
    </div>
  )
}

export function Skeleton({ rows }: { rows: number }) {
  const places = Array.from({ length: rows }, (_, row) => `row ${row}`)
  return (
    <div className="skeleton" aria-hidden="true">
      {places.map((place) => (
        <span key={place} className="skeleton-row" />
      ))}
    </div>
  )
}

/** What could not be shown, what is safe all the same, how to try again, and a code for whoever is called. */
export function ErrorState({
  what,
  safe,
  code,
  onAgain,
}: {
  what: string
  safe: string
  code: string
  onAgain: () => void
}) {
  const { t } = useTranslation()
  return (
    <section className="state-box" data-tone="stop" data-shape="bar">
      <h2>
        <Icon name="report" />
        {what}
      </h2>
      <p>{safe}</p>
      <div className="button-row">
        <Button keyId="fetch_again" onPress={onAgain}>
          {t('action.try_again')}
        </Button>
        <span className="state-code">
          {t('state.code')} <code>{code}</code>
          <Button kind="quiet" icon="content_copy" onPress={() => void navigator.clipboard?.writeText(code)}>
            {t('action.copy')}
          </Button>
        </span>
      </div>
    </section>
  )
}
