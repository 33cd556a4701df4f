// Validation of events on a device, such as refurbishment, against what is recorded of the device.
import { isLifetimeExhausted } from './device-ledger.ts'
import type { LedgerHistory } from './ledger-history.ts'
import { hasDuration, type DeviceEvent } from './device-timeline.ts'
import { EVENT_MESSAGES } from './messages.ts'
import type { Problem } from './order.ts'
import type { RunningLedger } from './running-ledger.ts'

/** Far above what occurs in practice. Each refurbishment lengthens the ledger's exact numbers and its computation. */
const REFURBISHMENTS_MAX = 24

/** Why an event contradicts what is recorded of the device; null if it does not. METHODOLOGY.md#events */
export function findEventConflict(event: DeviceEvent, ledger: RunningLedger): Problem | null {
  const { history } = ledger
  const gone = history.events.find(({ type }) => type !== 'refurbished')
  if (gone && (event.type !== 'refurbished' || event.date >= gone.date)) {
    return { path: '/type', ...EVENT_MESSAGES.device_gone({ type: gone.type, date: gone.date }) }
  }
  if (event.type !== 'refurbished') return laterFact(event, history)
  const refurbished = history.events.filter(({ type }) => type === 'refurbished').length
  return refurbished < REFURBISHMENTS_MAX
    ? contradictionOfLife(event, ledger)
    : { path: '/type', ...EVENT_MESSAGES.refurbishments_exhausted({ max: REFURBISHMENTS_MAX }) }
}

/** With the cap, a refurbishment's emission is spread over remaining months, so there must be at least one. */
function contradictionOfLife(event: DeviceEvent, ledger: RunningLedger): Problem | null {
  const after = ledger.balanceAfter(event)
  if (!after.isCapped || !isLifetimeExhausted(after)) return null
  return { path: '/lifetime_months_added', ...EVENT_MESSAGES.lifetime_exhausted() }
}

/** After a device is retired or lost, it can be neither rented nor refurbished. */
function laterFact({ date, type }: DeviceEvent, { rentals, events }: LedgerHistory): Problem | null {
  const rented = rentals.values().find(({ terms }) => hasDuration(terms) && terms.start >= date)
  if (rented) {
    const { orderId, customerId, terms } = rented
    const rental = { order_id: orderId, customer_id: customerId, start: terms.start }
    return { path: '/date', ...EVENT_MESSAGES.device_rented_later({ ...rental, type }) }
  }
  const later = events.find((event) => event.date > date)
  return later ? { path: '/date', ...EVENT_MESSAGES.device_gone({ type: later.type, date: later.date }) } : null
}
