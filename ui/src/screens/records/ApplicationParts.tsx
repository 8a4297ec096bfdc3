// The parts of an application as tabs with addresses of their own: facts and history, walked by Ctrl+Page Down and Up.

import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import type { RecordView } from '../../api/generated/wire'
import { go } from '../../frame/routes'
import { useKey } from '../../keys/Keys'
import { Facts } from './Facts'
import { History } from './History'

const parts = ['facts', 'history'] as const

export function ApplicationParts({ record, part }: { record: RecordView; part: string }) {
  const { t } = useTranslation()
  const at = Math.max(0, (parts as readonly string[]).indexOf(part))
  const show = (name: string) => go(`app/${record.application_id}/${name}`)
  const step = (by: number) => show(parts[(at + by + parts.length) % parts.length] ?? 'facts')
  useKey('next_section', () => step(1))
  useKey('previous_section', () => step(-1))
  return (
    <Tabs className="tabs" selectedKey={parts[at]} onSelectionChange={(key) => show(String(key))}>
      <TabList className="tab-list" aria-label={t('application.tabs')}>
        {parts.map((name) => (
          <Tab key={name} id={name} className="tab">
            {t(`application.${name}`)}
          </Tab>
        ))}
      </TabList>
      <TabPanel id="facts" className="tab-panel">
        <Facts record={record} />
      </TabPanel>
      <TabPanel id="history" className="tab-panel">
        <History items={record.items} />
      </TabPanel>
    </Tabs>
  )
}
