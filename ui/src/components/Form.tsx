// A form that is filled from the keyboard: Enter in a one-line field goes to the next field and never submits.

import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import './field.css'

export function Form({ children, label }: { children: ReactNode; label: string }) {
  const form = useRef<HTMLFormElement>(null)
  return (
    <form
      ref={form}
      className="form"
      aria-label={label}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => onEnter(event, form.current)}
    >
      {children}
    </form>
  )
}

/** A group with its legend; two columns where there is room. */
export function Fields({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

const STOPS =
  'input:not([type=hidden], [tabindex="-1"]), textarea, [role=spinbutton], button:not([tabindex="-1"])'

function onEnter(event: KeyboardEvent, form: HTMLElement | null) {
  const target = event.target
  if (event.key !== 'Enter' || event.ctrlKey || event.nativeEvent.isComposing || !form) return
  if (!(target instanceof HTMLInputElement) || chooses(target)) return
  event.preventDefault()
  const stops = [...form.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => !stop.closest('[hidden], [data-hidden]'),
  )
  stops[stops.indexOf(target) + 1]?.focus()
}

/** With a list open and an entry marked, Enter chooses it; with none marked it goes on with what was typed. */
function chooses(input: HTMLInputElement): boolean {
  return input.getAttribute('aria-expanded') === 'true' && input.hasAttribute('aria-activedescendant')
}
