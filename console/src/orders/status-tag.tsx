// How an order stands, in a word, and in a sentence where it is pointed at.
import { useMessages } from '../i18n/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { Order } from './order-parts.ts'

export function StatusTag({ status }: Pick<Order, 'status'>) {
  const t = useMessages({ en, de })
  return (
    <span className={`tag orders-status-${status}`} title={t(`${status}Means`)}>
      {t(status)}
    </span>
  )
}
