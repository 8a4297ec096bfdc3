// A question before what cannot be undone. Its buttons are its verbs, the focus is on the harmless one, Escape is that
// one too. Never opened by an event in the background, never over another dialog.

import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { DialogKeys } from '../keys/Keys'
import { Button } from './Button'
import './dialog.css'

type Props = {
  open: boolean
  question: string
  children: ReactNode
  /** The verb that does it, and the one that leaves all as it is. */
  act: string
  stay: string
  onAct: () => void
  onStay: () => void
}

export function AskDialog({ open, question, children, act, stay, onAct, onStay }: Props) {
  return (
    <PageDialog open={open} title={question} role="alertdialog" onClose={onStay}>
      {children}
      <div className="button-row dialog-actions">
        <Button kind="grave" onPress={onAct}>
          {act}
        </Button>
        <Button autoFocus onPress={onStay}>
          {stay}
        </Button>
      </div>
    </PageDialog>
  )
}

/** Any dialog of the window. */
export function PageDialog({
  open,
  title,
  role = 'dialog',
  onClose,
  children,
}: {
  open: boolean
  title: string
  role?: 'dialog' | 'alertdialog'
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <ModalOverlay
      className="dialog-shade"
      isOpen={open}
      onOpenChange={(is) => !is && onClose()}
      isDismissable={role === 'dialog'}
    >
      <Modal className="dialog-place">
        <Dialog className="dialog" role={role}>
          <div className="dialog-head">
            <Heading slot="title" className="dialog-title">
              {title}
            </Heading>
            {role === 'dialog' && (
              <Button kind="quiet" icon="close" onPress={onClose}>
                {t('action.close')}
              </Button>
            )}
          </div>
          <DialogKeys>{children}</DialogKeys>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
