// Asks which model a device is, or of which type and weight, and shows what moves before that is recorded.
import { useState } from 'react'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { useToast } from '../components/toast.tsx'
import { newEventId, useEventRecording, type NewEvent } from '../event-preview/event-recording.ts'
import { PreviewTables } from '../event-preview/preview-tables.tsx'
import { ReasonField } from '../event-preview/reason-field.tsx'
import { useMessages } from '../i18n/language.tsx'
import { ModelForm } from './model-form.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface IdentifyDialogProps {
  readonly serial: string
  readonly onClose: () => void
}

export function IdentifyDialog({ serial, onClose }: IdentifyDialogProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [event, setEvent] = useState<NewEvent | null>(null)
  const [reason, setReason] = useState('')
  const { preview, recording } = useEventRecording({ serial }, event, () => {
    toast(t('identified', { serial }))
    onClose()
  })
  return (
    <QuestionDialog
      title={t('identify')}
      answer={t('identifyNow')}
      isDisabled={event === null || !preview.isSuccess || recording.isPending}
      onAnswer={() => recording.mutate(reason.trim())}
      onClose={onClose}
    >
      <div className="section">
        <p>{t('help')}</p>
        <ModelForm
          onChange={() => setEvent(null)}
          onSubmit={(model) => setEvent({ event_id: newEventId('identification'), type: 'identified', ...model })}
        />
        {event !== null && (
          <>
            <Loaded query={preview}>{(loaded) => <PreviewTables {...loaded} />}</Loaded>
            <ReasonField reason={reason} onChange={setReason} />
          </>
        )}
        {recording.error && <ProblemNotice problem={recording.error} />}
      </div>
    </QuestionDialog>
  )
}
