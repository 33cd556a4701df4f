// Asks which model a device is, or of which type and weight, and shows what moves before that is recorded.
import { useState } from 'react'
import { Field } from '../components/fields.tsx'
import { Loaded, ProblemNotice } from '../components/loading-and-error.tsx'
import { Panel } from '../components/panel.tsx'
import { useToast } from '../components/toast.tsx'
import { newEventId, useEventRecording, type NewEvent } from '../event-preview/event-recording.ts'
import { PreviewTables } from '../event-preview/preview-tables.tsx'
import { useMessages } from '../i18n/language.tsx'
import { ModelForm } from './model-form.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface IdentifyDialogProps {
  readonly serial: string
  readonly onClose: () => void
}

const REASON_LENGTH_MAX = 200

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
    <Panel
      title={t('identify')}
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
            disabled={event === null || !preview.isSuccess || recording.isPending}
            onClick={() => recording.mutate(reason.trim())}
          >
            {t('identifyNow')}
          </button>
        </>
      }
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
          </>
        )}
        {recording.error && <ProblemNotice problem={recording.error} />}
      </div>
    </Panel>
  )
}
