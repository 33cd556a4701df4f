// Asks why a restatement is to be undone, and requests the preview of that.
import { useState } from 'react'
import { ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { ReasonField } from '../event-preview/reason-field.tsx'
import { useMessages } from '../i18n/language.tsx'
import type { RestatementDialogProps } from './apply-dialog.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { useNewRestatement } from './use-restatements.ts'

export function UndoDialog({ one, isOpen, onClose }: RestatementDialogProps) {
  const t = useMessages({ en, de })
  const undone = { id: String(one.restatement_id) }
  const [reason, setReason] = useState(() => t('undoReason', undone))
  const { mutate, isPending, error } = useNewRestatement()
  const stated = reason.trim()
  return (
    <QuestionDialog
      title={t('undoQuestion', undone)}
      answer={t('calculatePreview')}
      isDisabled={stated === '' || isPending}
      isOpen={isOpen}
      onAnswer={() => mutate({ scope: {}, figures: { before_restatement: one.restatement_id }, reason: stated })}
      onClose={onClose}
    >
      <div className="section">
        <p>{t('undoHelp')}</p>
        <ReasonField reason={reason} onChange={setReason} />
        <p className="muted">{t('previewHelp')}</p>
        {error && <ProblemNotice problem={error} />}
      </div>
    </QuestionDialog>
  )
}
