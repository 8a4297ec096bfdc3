// Find: records and actions by their name. Each action shows its key; that is how keys are learned.

import { useState } from 'react'
import { Autocomplete, Input, Label, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { PageDialog } from '../components/AskDialog'
import { KeyHint } from '../keys/KeyHint'
import type { KeyId } from '../keys/registry'
import './overlays.css'

/** Something that can be done from here, with its key if it has one. */
export type FindAction = { id: string; word: string; keyId?: KeyId; act: () => void }

export function FindDialog({
  open,
  onClose,
  actions,
}: {
  open: boolean
  onClose: () => void
  actions: readonly FindAction[]
}) {
  const { t } = useTranslation()
  const { contains } = useFilter({ sensitivity: 'base' })
  const [typed, setTyped] = useState('')
  const act = (id: string) => {
    onClose()
    actions.find((action) => action.id === id)?.act()
  }
  return (
    <PageDialog open={open} title={t('frame.find')} onClose={onClose}>
      <Autocomplete filter={contains} inputValue={typed} onInputChange={setTyped}>
        <SearchField className="field" autoFocus>
          <Label className="field-label">{t('find.label')}</Label>
          <Input className="control width-full" dir="auto" />
        </SearchField>
        <Menu
          className="menu find-list"
          aria-label={t('find.actions')}
          onAction={(id) => act(String(id))}
          renderEmptyState={() => <p>{t('find.none')}</p>}
        >
          {actions.map((action) => (
            <MenuItem key={action.id} id={action.id} className="option" textValue={action.word}>
              <span className="nav-word">{action.word}</span>
              {action.keyId && <KeyHint of={action.keyId} />}
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </PageDialog>
  )
}
