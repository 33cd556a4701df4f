// Asks whether an event is to be withdrawn, and shows before what moves.
import { useState } from 'react'
import { Field } from '../components/fields.tsx'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { Panel } from '../components/panel.tsx'
import { useToast } from '../components/toast.tsx'
import { newEventId, useEventRecording, type Recorded } from '../event-preview/event-recording.ts'
import { PreviewTables } from '../event-preview/preview-tables.tsx'
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

const REASON_LENGTH_MAX = 200

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
    <Panel
      title={t('withdrawQuestion', { id: eventId })}
      place="middle"
      isOpen
      onClose={onClose}
      actions={
        <>
          <button className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button
            className="button button-danger"
            disabled={!preview.isSuccess || recording.isPending}
            onClick={() => recording.mutate(reason.trim())}
          >
            {t('withdrawNow')}
          </button>
        </>
      }
    >
      <div className="section">
        <p>{t('withdrawHelp')}</p>
        <Field label={t('reason')}>
          {(ids) => (
            <input
              {...ids}
              value={reason}
              maxLength={REASON_LENGTH_MAX}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        <Loaded query={preview}>{(loaded) => <PreviewTables {...loaded} />}</Loaded>
        {recording.error && <ProblemNotice problem={recording.error} />}
      </div>
    </Panel>
  )
}
