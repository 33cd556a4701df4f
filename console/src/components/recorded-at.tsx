// When an event or a correction was recorded, and by which API key or import.
import type { Schemas } from '../api/client.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

type Recorder = Schemas['RecordedEvent']['recorded_by']

export function RecordedAt({ at, by = null }: { readonly at: string; readonly by: Recorder | undefined }) {
  const { time } = useFormat()
  return (
    <>
      <span className="unbroken">{time(at)}</span>
      {by !== null && (
        <div className="muted">
          <RecordedBy by={by} />
        </div>
      )}
    </>
  )
}

function RecordedBy({ by }: { readonly by: NonNullable<Recorder> }) {
  const t = useMessages({ en, de })
  if ('import_id' in by) return t('byImport', { id: by.import_id })
  const { key, label } = by
  return label === '' ? t('byKey', { key }) : t('byLabelledKey', { key, label })
}
