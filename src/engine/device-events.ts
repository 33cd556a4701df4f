// Validation of events on a device, such as refurbishment, against what is recorded of the device.
import { isDecommissioning, reasonOfEvent } from './device-event-types.ts'
import { isLifetimeExhausted } from './device-ledger.ts'
import type { EventWithdrawal, InForce, LedgerHistory } from './ledger-history.ts'
import { hasDuration, type DeviceEvent, type DeviceTimeline } from './device-timeline.ts'
import { EVENT_MESSAGES } from './messages.ts'
import type { Resumable } from './numbers/steps.ts'
import type { Problem } from './order.ts'
import { sentIdOf } from './order-revision.ts'
import { timelineOf } from './post-entries.ts'
import type { RunningLedger } from './running-ledger.ts'

/** Far above what occurs in practice. Each refurbishment lengthens the ledger's exact numbers and its computation. */
const REFURBISHMENTS_MAX = 24

/** Why an event contradicts what is recorded of the device; null if it does not. METHODOLOGY.md#events */
export function findEventConflict(event: DeviceEvent, ledger: RunningLedger): Problem | null {
  const { history } = ledger
  const gone = history.events.values().find(isDecommissioning)
  if (gone && (isDecommissioning(event) || event.date >= gone.date)) {
    return { path: '/type', ...EVENT_MESSAGES.device_gone({ type: gone.type, date: gone.date }) }
  }
  switch (event.type) {
    case 'refurbished':
      return conflictOfRefurbishment(event, ledger)
    case 'retired':
    case 'lost':
      return laterFact(event, history)
  }
}

function conflictOfRefurbishment(event: DeviceEvent, ledger: RunningLedger): Problem | null {
  const refurbished = ledger.history.events
    .values()
    .filter(({ type }) => type === 'refurbished')
    .toArray().length
  return refurbished < REFURBISHMENTS_MAX
    ? contradictionOfLife(event, ledger)
    : { path: '/type', ...EVENT_MESSAGES.refurbishments_exhausted({ max: REFURBISHMENTS_MAX }) }
}

/**
 * Why an event cannot be withdrawn; null if it can. METHODOLOGY.md#withdrawals
 * @param recorded the event of the device with this id, also if it was withdrawn; null if there is none
 */
export function* findWithdrawalConflict(
  { withdraws }: EventWithdrawal,
  recorded: { readonly type: string } | null,
  ledger: RunningLedger,
): Resumable<Problem | null> {
  const [path, id] = ['/withdraws', { event_id: sentIdOf(withdraws) }]
  if (!recorded) return { path, ...EVENT_MESSAGES.event_not_of_device(id) }
  if (recorded.type === 'withdrawn') return { path, ...EVENT_MESSAGES.withdrawal_final(id) }
  const { events } = ledger.history
  if (!events.has(withdraws)) return { path, ...EVENT_MESSAGES.event_withdrawn(id) }
  const dependent = yield* dependentRefurbishment(withdraws, ledger)
  if (dependent === null) return null
  const problem = EVENT_MESSAGES.lifetime_exhausted()
  return { path, ...EVENT_MESSAGES.event_needed({ event_id: sentIdOf(dependent), problem }) }
}

/** The id of a refurbishment that has months to be spread over only because of another one; null if none has. */
function* dependentRefurbishment(withdraws: string, { history, figures }: RunningLedger): Resumable<string | null> {
  const withdrawn = history.events.get(withdraws)!
  const refurbishments = [...history.events].filter(([, { type }]) => type === 'refurbished')
  if (withdrawn.type !== 'refurbished' || refurbishments.length < 2) return null
  const events = new Map([...history.events].filter(([id]) => id !== withdraws))
  const exhausted = exhaustedAfter(yield* timelineOf(history, figures))
  const exhaustedWithout = exhaustedAfter(yield* timelineOf({ ...history, events }, figures))
  const dependent = [...events].find(([, event]) => exhaustedWithout.has(event) && !exhausted.has(event))
  return dependent ? dependent[0] : null
}

/** The refurbishments after which the device has no months of its lifetime left, though the cap requires them. */
const exhaustedAfter = ({ steps }: DeviceTimeline): ReadonlySet<DeviceEvent> =>
  new Set(
    steps.flatMap((step) =>
      'event' in step && step.event.type === 'refurbished' && step.after.isCapped && isLifetimeExhausted(step.after)
        ? [step.event]
        : [],
    ),
  )

/** Which event retired or lost the device, after one event is withdrawn; null if none did. */
export function decommissionWithout({ withdraws }: EventWithdrawal, { history }: RunningLedger): InForce | null {
  const gone = [...history.events].find(([id, event]) => id !== withdraws && isDecommissioning(event))
  return gone ? { reason: reasonOfEvent(gone[1].type), eventId: gone[0] } : null
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
  const later = events.values().find((event) => event.date > date)
  return later ? { path: '/date', ...EVENT_MESSAGES.device_gone({ type: later.type, date: later.date }) } : null
}
