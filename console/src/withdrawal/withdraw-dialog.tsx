// Asks whether an event is to be withdrawn, and shows before what moves.
import { useState } from 'react'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { QuestionDialog } from '../components/question-dialog.tsx'
import { useToast } from '../components/toast.tsx'
import { newEventId, useEventRecording, type Recorded } from '../event-preview/event-recording.ts'
import { PreviewTables } from '../event-preview/preview-tables.tsx'
import { ReasonField } from '../event-preview/reason-field.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface WithdrawDialogProps {
  readonly recorded: Recorded
  readonly eventId: string
  readonly onClose: () => void
  /** Once it is withdrawn, and the button with it gone. */
  readonly onWithdrawn: () => void
}

export function WithdrawDialog({ recorded, eventId, onClose, onWithdrawn }: WithdrawDialogProps) {
  const t = useMessages({ en, de })
  const toast = useToast()
  const [reason, setReason] = useState('')
  const [id] = useState(() => newEventId('withdrawal'))
  const event = { event_id: id, type: 'withdrawn' as const, withdraws: eventId }
  const { preview, recording } = useEventRecording(recorded, event, () => {
    toast(t('withdrawn', { id: eventId }))
    onClose()
    onWithdrawn()
  })
  return (
    <QuestionDialog
      title={t('withdrawQuestion', { id: eventId })}
      answer={t('withdrawNow')}
      isDisabled={!preview.isSuccess || recording.isPending}
      onAnswer={() => recording.mutate(reason.trim())}
      onClose={onClose}
    >
      <div className="section">
        <p>{t('withdrawHelp')}</p>
        <ReasonField reason={reason} onChange={setReason} />
        <Loaded query={preview}>{(loaded) => <PreviewTables {...loaded} />}</Loaded>
        {recording.error && <ProblemNotice problem={recording.error} />}
      </div>
    </QuestionDialog>
  )
}
