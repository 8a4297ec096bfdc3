// Every problem of a form above it, in the order of the form, in the same words as beside the field. Each leads there.

import { type RefObject, useEffect } from 'react'
import { Link } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Icon } from '../look/Icon'
import './messages.css'

/** Without a field it is of the whole. */
export type FieldProblem = { fieldId: string | null; text: string }

/** Shown after a submit only; the heading takes the focus at each attempt, of which the first is 1. */
export function ProblemSummary({
  problems,
  heading,
  attempt,
}: {
  problems: readonly FieldProblem[]
  heading: RefObject<HTMLHeadingElement | null>
  attempt: number
}) {
  const { t } = useTranslation()
  useEffect(() => {
    if (attempt > 0) heading.current?.focus()
  }, [heading, attempt])
  if (problems.length === 0) return null
  return (
    <section className="summary" data-tone="stop" data-shape="bar">
      <h2 ref={heading} tabIndex={-1}>
        <Icon name="error" />
        {t('form.problems', { count: problems.length })}
      </h2>
      <ul className="summary-list">
        {problems.map(({ fieldId, text }) => (
          <li key={`${fieldId} ${text}`}>
            {fieldId === null ? (
              <p className="summary-text">{text}</p>
            ) : (
              <Link className="summary-link" onPress={() => enter(fieldId)}>
                {text}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Into the field itself, also where the id names the group around it. */
export function enter(fieldId: string) {
  const place = document.getElementById(fieldId)
  const control = place?.matches('input, textarea')
    ? place
    : place?.querySelector<HTMLElement>('input, textarea, [role=spinbutton]')
  control?.focus()
  control?.scrollIntoView({ block: 'center' })
}
