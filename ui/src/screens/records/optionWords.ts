// The words for codes of the city's own lists (permit types, results), as the rules have them. Without rules, the code.

import { useQuery } from '@tanstack/react-query'
import type { FieldControl, FormField, FormView } from '../../api/generated/wire'
import { inLocale } from '../../forms/words'
import { useBackend } from '../../frame/StandingContext'
import { useSettings } from '../../settings/SettingsProvider'

export function useForm(kind: string): FormView | undefined {
  const backend = useBackend()
  return useQuery({ queryKey: ['form', kind], queryFn: () => backend.form(kind) }).data
}

/** The word of a code in a field of a form. */
export function useOptionWords(kind: string, field: string): (code: string) => string {
  const form = useForm(kind)
  const { settings } = useSettings()
  const control = fieldsIn(form).find(({ name }) => name === field)?.control
  return (code) => {
    const option = optionsOf(control).find((one) => one.code === code)
    return option ? inLocale(settings.language, option.word) : code
  }
}

export function fieldsIn(form: FormView | undefined): FormField[] {
  return form?.groups.flatMap((group) => group.fields) ?? []
}

export function optionsOf(control: FieldControl | undefined) {
  return control?.control === 'choice' || control?.control === 'several' ? control.options : []
}
