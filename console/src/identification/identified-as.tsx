// What an event identified a device as, and why.
import type { Schemas } from '../api/client.ts'
import { useTypeName } from '../emissions/label-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'

/** An order identifies a device if it was corrected, or sent again, and named it otherwise before. */
export function IdentifiedAs({
  event,
}: {
  readonly event: Schemas['IdentifiedEvent'] | Schemas['OrderIdentification']
}) {
  const t = useMessages({ en, de })
  const { full } = useFormat()
  const typeName = useTypeName()
  if ('footprint_id' in event) return t('asByOrder', { name: event.footprint_id, order: event.order_id })
  const { model_id: model, device_type: type, weight_kg: weight, reason } = event
  const name = model ?? t('typeOfWeight', { type: typeName(type ?? ''), weight: full(weight ?? 0) })
  return (
    <>
      {t('as', { name })}
      {reason !== undefined && <> · {reason}</>}
    </>
  )
}
