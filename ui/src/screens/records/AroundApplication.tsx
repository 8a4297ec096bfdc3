// What an application puts into the frame: its number into the heading and the title, the age of its copy, its main action.

import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordView } from '../../api/generated/wire'
import { InFrame } from '../../frame/InFrame'
import { useCopyAge } from './CopyAge'
import { CopyNumber } from './CopyNumber'

export function AroundApplication({ record, actions }: { record: RecordView; actions: ReactNode }) {
  const { t } = useTranslation()
  const copy = useCopyAge()
  const number = record.permit_num ?? record.receipt_no ?? ''
  return (
    <InFrame
      title={t('application.title', { number }).trim()}
      aside={
        <div className="application-aside">
          {number && <CopyNumber number={number} />}
          <p>{t('application.copy_is', { copy: copy(record.copied_at) })}</p>
        </div>
      }
      actions={actions}
    />
  )
}
