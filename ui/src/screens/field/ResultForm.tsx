// What was found at a visit: result, when, notes. Kept as a draft while it is typed; saved on this computer, the same
// whether the permit system answers or not. Whether it is right the station says; nothing is judged here.

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { DraftView, FormField, FormView, InspectionView, ReceiptView } from '../../api/generated/wire'
import { Button } from '../../components/Button'
import { DateField } from '../../components/DateField'
import { Form } from '../../components/Form'
import { enter, ProblemSummary } from '../../components/ProblemSummary'
import { Loading, NoticeLine } from '../../components/states'
import { TextArea } from '../../components/TextField'
import { TimeField } from '../../components/TimeField'
import { moment } from '../../format/format'
import { idOf } from '../../forms/placing'
import { fieldsOf } from '../../forms/values'
import { inLocale } from '../../forms/words'
import { InFrame } from '../../frame/InFrame'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { useKey } from '../../keys/Keys'
import { useReading, useSettings } from '../../settings/SettingsProvider'
import { draftOf } from './draft'
import { ResultChoice } from './ResultChoice'
import { localDay, useResult } from './useResult'

type Props = {
  view: InspectionView
  frame: Parameters<typeof InFrame>[0]
  onSaved: (receipt: ReceiptView, result: string) => void
}

const SKELETON_ROWS = 4

export function ResultForm(props: Props) {
  const { t } = useTranslation()
  const backend = useBackend()
  const { view } = props
  const form = useQuery({ queryKey: ['form', 'inspection'], queryFn: () => backend.form('inspection') })
  // Asked once: what is typed from then on is newer than what is kept.
  const draft = useQuery({
    queryKey: ['result-draft', view.inspection_id],
    queryFn: () => draftOf(backend, view),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const failed = form.isError || draft.isError
  if (failed)
    return (
      <>
        <InFrame {...props.frame} />
        <NoticeLine tone="attention">{t('result.no_form')}</NoticeLine>
      </>
    )
  if (!form.data || draft.isPending)
    return (
      <>
        <InFrame {...props.frame} />
        <Loading rows={SKELETON_ROWS} label={t('result.reading')} />
      </>
    )
  return <Filling {...props} form={form.data} draft={draft.data ?? null} />
}

function Filling({ view, frame, onSaved, form, draft }: Props & { form: FormView; draft: DraftView | null }) {
  const { t } = useTranslation()
  const result = useResult({ view, form, draft, onSaved })
  const { problems } = result
  return (
    <>
      <InFrame
        {...frame}
        problems={problems.length}
        aside={<Kept result={result} />}
        actions={<Actions result={result} />}
      />
      <ProblemSummary problems={problems} heading={result.heading} attempt={result.attempt} />
      {result.refused && <NoticeLine tone="attention">{result.refused}</NoticeLine>}
      {draft && result.untouched && <Restored draft={draft} />}
      <Form label={t('result.form')}>
        <div className="result-fields">
          {fieldsOf(form).map((field) => (
            <Field key={field.name} field={field} result={result} />
          ))}
        </div>
      </Form>
    </>
  )
}

type Result = ReturnType<typeof useResult>

/** The four fields of a result; the rest of the kind is planning, and the permit system's. */
function Field({ field, result }: { field: FormField; result: Result }) {
  const { settings } = useSettings()
  const { now } = useStanding()
  const said = {
    id: idOf(field),
    label: inLocale(settings.language, field.label),
    problem: result.problems.find(({ fieldId }) => fieldId === idOf(field))?.text,
  }
  const { values, put } = result
  switch (field.name) {
    case 'ResultMapped':
      return (
        <ResultChoice
          {...said}
          control={field.control}
          value={values.ResultMapped}
          onChange={put('ResultMapped')}
        />
      )
    case 'InspectedDate':
      return (
        <div className="result-when">
          <DateField
            {...said}
            value={values.InspectedDate || null}
            onChange={(day) => put('InspectedDate')(day ?? '')}
            today={localDay(now)}
          />
        </div>
      )
    case 'InspectedTime':
      return (
        <div className="result-when">
          <TimeField
            {...said}
            value={values.InspectedTime || null}
            onChange={(time) => put('InspectedTime')(time ?? '')}
          />
        </div>
      )
    case 'InspectionNotes':
      return <Notes said={said} value={values.InspectionNotes} onChange={put('InspectionNotes')} />
    default:
      return null
  }
}

function Notes({
  said,
  ...rest
}: {
  said: { id: string; label: string; problem?: string }
  value: string
  onChange: (text: string) => void
}) {
  useKey('notes', () => enter(said.id))
  return <TextArea {...said} optional {...rest} />
}

function Actions({ result }: { result: Result }) {
  const { t } = useTranslation()
  return (
    <>
      <Button keyId="save_draft" onPress={result.keepNow}>
        {t('intake.save_draft')}
      </Button>
      <Button
        kind="primary"
        keyId="primary"
        pending={result.pending}
        pendingWord={t('result.saving')}
        onPress={result.save}
      >
        {t('result.save')}
      </Button>
    </>
  )
}

function Kept({ result }: { result: Result }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  const { kept } = result
  const at = kept.at ? moment(reading, kept.at) : ''
  if (kept.is === 'not_kept')
    return <span>{at ? t('intake.draft_not_saved', { at }) : t('intake.draft_never_saved')}</span>
  return at ? <span>{t('intake.draft_saved', { at })}</span> : null
}

function Restored({ draft }: { draft: DraftView }) {
  const { t } = useTranslation()
  const { now } = useStanding()
  const reading = useReading(now)
  return (
    <NoticeLine tone="attention">{t('result.restored', { at: moment(reading, draft.saved_at) })}</NoticeLine>
  )
}
