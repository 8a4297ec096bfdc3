// The problems of a form as a list with places and sentences, for the summary; and F3 through them.

import { useMemo } from 'react'
import type { FormView, ProblemView } from '../api/generated/wire'
import { enter, type FieldProblem } from '../components/ProblemSummary'
import { useKey } from '../keys/Keys'
import type { Shown } from './checking'
import { useSpeaking } from './FormFields'
import { idOf, placed } from './placing'
import { sayProblem } from './problemWords'

/** Those of the fields as they are shown now, and of the last refusal those that no field has. */
export function useProblems(
  form: FormView,
  shown: Shown,
  refused: readonly ProblemView[] | null,
): readonly FieldProblem[] {
  const speaking = useSpeaking(form)
  const problems = useMemo(() => {
    const homeless = placed(form, refused ?? []).filter(({ field }) => field === null)
    return [...placed(form, Object.values(shown).flat()), ...homeless].map(({ problem, field, row }) => ({
      fieldId: field && idOf(field, row),
      text: sayProblem(speaking, problem, field, row),
    }))
  }, [form, shown, refused, speaking])
  const ids = problems.map(({ fieldId }) => fieldId).filter((id) => id !== null)
  useKey('next_problem', ids.length > 0 ? () => step(ids, 1) : null)
  useKey('previous_problem', ids.length > 0 ? () => step(ids, -1) : null)
  return problems
}

/** From the field that has the focus, else from the first or the last. */
function step(ids: readonly string[], by: 1 | -1) {
  const at = ids.findIndex((id) => document.getElementById(id)?.contains(document.activeElement))
  const first = by === 1 ? 0 : ids.length - 1
  const next = at < 0 ? first : (at + by + ids.length) % ids.length
  enter(ids[next] ?? '')
}
