// What a device is doing on the day that its page is about.
import { Link } from 'wouter'
import { isStandIn } from '../emissions/model-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { pathOfOrder } from '../orders/order-path.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { stateOf, type Rented } from './history.ts'
import type { DeviceData } from './events.ts'

export function StatusTags({ history, day: today }: DeviceData) {
  const t = useMessages({ en, de })
  const { day } = useFormat()
  const status = stateOf(history, today)
  return (
    <ul className="bare devices-tags">
      <li>
        <span className="tag">{t(status.state)}</span>{' '}
        {'rental' in status ? (
          <Rental {...status.rental} />
        ) : 'date' in status ? (
          t('onDay', { day: day(status.date) })
        ) : (
          status.since !== null && t('sinceDay', { day: day(status.since) })
        )}
      </li>
      {isStandIn(history.initial.footprint_id) && (
        <li>
          <span className="tag">{t('standIn')}</span> {t('standInHelp')} <Link href="/matching">{t('toMatching')}</Link>
        </li>
      )}
      {history.balance.fully_amortised && (
        <li>
          <span className="tag">{t('fullyAmortised')}</span> {t('fullyAmortisedHelp')}
        </li>
      )}
    </ul>
  )
}

function Rental(rental: Rented) {
  const { day } = useFormat()
  return (
    <>
      <Link href={pathOfOrder(rental)}>{rental.customer_id}</Link>
      {` · ${day(rental.from)} – ${day(rental.to)}`}
    </>
  )
}
