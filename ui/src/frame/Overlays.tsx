// Find: records and actions by their name. Each action shows its key; that is how keys are learned. Actions stand first,
// because records come a moment later and may not push away what one is about to press.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import {
  Autocomplete,
  Header,
  Input,
  Label,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
  useFilter,
} from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { FindView, RecordRow } from '../api/generated/wire'
import { PageDialog } from '../components/AskDialog'
import { KeyHint } from '../keys/KeyHint'
import type { KeyId } from '../keys/registry'
import { go } from './routes'
import { useBackendIfAny } from './StandingContext'
import './overlays.css'

/** Something that can be done from here, with its key if it has one. */
export type FindAction = { id: string; word: string; keyId?: KeyId; act: () => void }

type Props = { onClose: () => void; actions: readonly FindAction[] }

export function FindDialog({ open, ...props }: Props & { open: boolean }) {
  const { t } = useTranslation()
  return (
    <PageDialog open={open} title={t('frame.find')} onClose={props.onClose}>
      <FindBody {...props} />
    </PageDialog>
  )
}

const RECORDS_SHOWN = 8
const FIND_AFTER_MS = 200

/** What a record or the rest of them is called among the entries; actions have addresses, which these are not. */
const RECORD = 'record:'
const ALL_RECORDS = 'all records'

function FindBody({ onClose, actions }: Props) {
  const { t } = useTranslation()
  const { contains } = useFilter({ sensitivity: 'base' })
  const [typed, setTyped] = useState('')
  const found = useRecords(typed)
  const acts = actions.filter(({ word }) => contains(word, typed))
  const rest = found !== undefined && found.matching > found.rows.length
  const act = (id: string) => {
    onClose()
    if (id === ALL_RECORDS) return go(`find?${new URLSearchParams({ text: typed })}`)
    if (id.startsWith(RECORD)) return go(`app/${id.slice(RECORD.length)}`)
    actions.find((action) => action.id === id)?.act()
  }
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField className="field find-field" autoFocus>
        <Label className="field-label">{t('find.label')}</Label>
        <Input className="control width-full" dir="auto" />
      </SearchField>
      <Menu
        className="menu"
        aria-label={t('frame.find')}
        onAction={(id) => act(String(id))}
        renderEmptyState={() => <p>{t('find.none')}</p>}
      >
        <Section id="actions" head={t('find.actions')} some={acts.length > 0}>
          {acts.map(actionEntry)}
        </Section>
        <Section id="records" head={t('find.records')} some={found !== undefined && found.rows.length > 0}>
          {found?.rows.map(recordEntry)}
          {rest && (
            <MenuItem id={ALL_RECORDS} className="option" textValue={t('find.all_records')}>
              {t('find.all_records')}
            </MenuItem>
          )}
        </Section>
      </Menu>
    </Autocomplete>
  )
}

function Section({
  id,
  head,
  some,
  children,
}: {
  id: string
  head: string
  some: boolean
  children: ReactNode
}) {
  if (!some) return null
  return (
    <MenuSection id={id}>
      <Header className="find-head">{head}</Header>
      {children}
    </MenuSection>
  )
}

function actionEntry({ id, word, keyId }: FindAction) {
  return (
    <MenuItem key={id} id={id} className="option" textValue={word}>
      <span className="nav-word">{word}</span>
      {keyId && <KeyHint of={keyId} />}
    </MenuItem>
  )
}

function recordEntry(row: RecordRow) {
  const number = row.permit_num ?? row.receipt_no ?? ''
  const name = [number, row.address, row.applicant].filter(Boolean).join(', ')
  return (
    <MenuItem
      key={row.application_id}
      id={RECORD + row.application_id}
      className="option find-record"
      textValue={name}
    >
      <span className="figures">{number}</span>
      <bdi dir="auto" className="find-place">
        {row.address}
      </bdi>
      <bdi dir="auto" className="find-person">
        {row.applicant}
      </bdi>
    </MenuItem>
  )
}

/** Asked when the hand has rested; with nothing typed, the ones that changed last. */
function useRecords(typed: string): FindView | undefined {
  const backend = useBackendIfAny()
  const text = useRested(typed.trim())
  return useQuery({
    queryKey: ['find', 'overlay', text],
    queryFn: () => backend?.find({ text, skip: 0, rows: RECORDS_SHOWN }),
    enabled: backend !== null,
    placeholderData: keepPreviousData,
  }).data
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), FIND_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
