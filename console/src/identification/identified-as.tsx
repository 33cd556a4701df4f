// What a device was identified as, and why: by an event, or because its order was corrected or sent again.
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { useLabelNames, useTypeName } from '../emissions/label-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { pathOfOrder } from '../orders/order-path.ts'
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

export function IdentifiedByOrder({
  customer_id,
  order_id,
  footprint_id: footprint,
}: Pick<Schemas['OrderIdentification'], 'customer_id' | 'order_id' | 'footprint_id'>) {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  return (
    <>
      {t('as', { name: nameOf('model', footprint) })} ·{' '}
      <Link href={pathOfOrder({ customer_id, order_id })}>{t('byOrder', { order: order_id })}</Link>
    </>
  )
}
