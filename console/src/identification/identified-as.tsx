// What an event identified a device as, and why.
import type { Schemas } from '../api/client.ts'
import { useTypeName } from '../emissions/label-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

export function IdentifiedAs({
  model_id: model,
  device_type: type,
  weight_kg: weight,
  reason,
}: Pick<Schemas['IdentifiedEvent'], 'model_id' | 'device_type' | 'weight_kg' | 'reason'>) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const typeName = useTypeName()
  const name = model ?? t('typeOfWeight', { type: typeName(type ?? ''), weight: full(weight ?? 0) })
  return (
    <>
      {t('as', { name })}
      {reason !== undefined && <> · {reason}</>}
    </>
  )
}
