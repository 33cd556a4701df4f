// Whether the demo fleet is to go: asked before, since whatever was tried in it goes too.
import { QuestionDialog } from '../components/question-dialog.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface RemoveQuestionProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRemove: () => void
}

export function RemoveQuestion({ isOpen, onClose, onRemove }: RemoveQuestionProps) {
  const t = useMessages({ en, de })
  return (
    <QuestionDialog
      title={t('removeQuestion')}
      answer={t('removeNow')}
      isOpen={isOpen}
      onAnswer={onRemove}
      onClose={onClose}
    >
      <p>{t('removeHelp')}</p>
    </QuestionDialog>
  )
}
