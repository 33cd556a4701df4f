// Why something is put right: kept with it.
import { Field } from '../components/fields.tsx'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export interface ReasonFieldProps {
  readonly reason: string
  readonly onChange: (reason: string) => void
}

/** As the service accepts it. */
const LENGTH_MAX = 200

export function ReasonField({ reason, onChange }: ReasonFieldProps) {
  const t = useMessages({ en, de })
  return (
    <Field label={t('reason')}>
      {(ids) => (
        <input {...ids} value={reason} maxLength={LENGTH_MAX} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}
