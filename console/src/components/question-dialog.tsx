// A dialog that asks before something is done that cannot be taken back, or that others notice.
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/language.tsx'
import { Panel } from './panel.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface QuestionDialogProps {
  readonly title: string
  /** What the button says that does it. */
  readonly answer: string
  readonly isDisabled?: boolean
  readonly isOpen?: boolean
  readonly onAnswer: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

export function QuestionDialog(props: QuestionDialogProps) {
  const { title, answer, isDisabled = false, isOpen = true, onAnswer, onClose, children } = props
  const t = useMessages({ en, de })
  return (
    <Panel
      title={title}
      place="middle"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <button className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button button-danger" disabled={isDisabled} onClick={onAnswer}>
            {answer}
          </button>
        </>
      }
    >
      {children}
    </Panel>
  )
}
