// What a device is doing on the day that its page is about.
import { Link } from 'wouter'
import { isStandIn } from '../emissions/model-names.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { pathOfOrder } from '../orders/order-path.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { stateOf, type Rented } from './history.ts'
import type { EventText } from './events.ts'

export function StatusTags({ history, day: today }: EventText) {
  const say = useMessages({ en, de })
  const { day } = useFormat()
  const standing = stateOf(history, today)
  return (
    <ul className="bare devices-tags">
      <li>
        <span className="tag">{say(standing.state)}</span>{' '}
        {'rental' in standing ? (
          <Rental {...standing.rental} />
        ) : 'date' in standing ? (
          say('onDay', { day: day(standing.date) })
        ) : (
          standing.since !== null && say('sinceDay', { day: day(standing.since) })
        )}
      </li>
      {isStandIn(history.initial.footprint_id) && (
        <li>
          <span className="tag">{say('standIn')}</span> {say('standInHelp')}{' '}
          <Link href="/matching">{say('toMatching')}</Link>
        </li>
      )}
      {history.balance.fully_amortised && (
        <li>
          <span className="tag">{say('spent')}</span> {say('spentHelp')}
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
