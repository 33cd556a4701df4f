// Whether an event of an order can have happened, and which of its devices it concerns.
import { NO_EMISSIONS, isDecommissioned, isActive, type LedgerEntry, type PostedRental } from './device-history.ts'
import type { OrderKey } from './device-run.ts'
import { sumMilligrams } from './numbers/line.ts'
import { closestMatches, withSuggestions } from './nearest.ts'
import type { Problem } from './order.ts'
import {
  EventConflict,
  planRentalChanges,
  rentalOfOrder,
  type EventOrder,
  type OrderDevice,
  type OrderEvent,
} from './order-event-terms.ts'
import type { RentalChange } from './post-change.ts'

/** What an event changes, by serial number; or why it cannot have happened, given what is known. */
export type EventDecision = { readonly ok: true; readonly changes: ReadonlyMap<string, RentalChange> } | EventRejection

/** What an event posts to an order without devices; or why it cannot have happened. */
export type DevicelessDecision = { readonly ok: true; readonly entry: LedgerEntry } | EventRejection

export interface EventRejection {
  readonly ok: false
  /** True where what was sent makes no sense, whatever is known; false where it contradicts what is known. */
  readonly isMalformed: boolean
  readonly problem: Problem
}

/** An order without devices: what was posted, it keeps to itself. */
export interface DevicelessOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly releaseId: number
  readonly posted: readonly Pick<LedgerEntry, 'no' | 'reason' | 'packaging' | 'transportation'>[]
}

/**
 * Rules on an event of an order with devices. METHODOLOGY.md#events
 * @param newDevice what is known of the device that a swap brings in; null where it was never heard of
 */
export function decideOrderEvent(event: OrderEvent, order: EventOrder, newDevice: OrderDevice | null): EventDecision {
  try {
    const changes = targetsOf(event, order).flatMap((device) => planRentalChanges(event, device, order, newDevice))
    return { ok: true, changes: new Map(changes) }
  } catch (error) {
    if (!(error instanceof EventConflict)) throw error
    const { problem, isMalformed } = error
    const serials = problem.path === '/serial_number' && isMalformed ? order.devices : []
    const near = closestMatches(
      event.serialNumber ?? '',
      serials.map(({ serialNumber }) => serialNumber),
    )
    return { ok: false, isMalformed, problem: withSuggestions(problem, near) }
  }
}

/**
 * Rules on an event of an order without devices: nothing but its cancelling can be told, which takes back its transport
 * and packaging unless it was dispatched. METHODOLOGY.md#events
 */
export function decideDevicelessOrderEvent(event: OrderEvent, order: DevicelessOrder): DevicelessDecision {
  const { tenureStartDate, posted } = order
  if (!isTakingBack(event)) return refusal('/type', 'The order has no devices')
  if (event.serialNumber !== null) return refusal('/serial_number', strangerSentence(event.serialNumber), true)
  if (posted.some(({ reason }) => isDecommissioned(reason))) return refusal('/type', 'The order was cancelled')
  if (event.type === 'cancelled' && event.date >= tenureStartDate) {
    return refusal('/date', `The tenure starts on ${tenureStartDate}: an order is cancelled before that`)
  }
  return { ok: true, entry: takenBack(event, order) }
}

type TakingBack = Extract<OrderEvent, { type: 'cancelled' | 'undone' }>

const isTakingBack = (event: OrderEvent): event is TakingBack => isDecommissioned(event.type)

const refusal = (path: string, message: string, isMalformed = false): EventRejection => ({
  ok: false,
  isMalformed,
  problem: { path, message },
})

function takenBack(event: TakingBack, { posted, ...order }: DevicelessOrder): LedgerEntry {
  const left = event.type === 'cancelled' && event.dispatched ? [] : posted
  return {
    ...NO_EMISSIONS,
    packaging: -sumMilligrams(left.map(({ packaging }) => packaging)),
    transportation: -sumMilligrams(left.map(({ transportation }) => transportation)),
    customerId: order.customerId,
    orderId: order.orderId,
    no: (posted.at(-1)?.no ?? 0) + 1,
    reason: event.type,
    terms: null,
    country: null,
    releaseId: order.releaseId,
    eventId: event.eventId,
    cause: null,
    event: null,
  }
}

const strangerSentence = (serialNumber: string): string => `"${serialNumber}" is not a device of this order`

/** The devices that an event concerns: the one that it names, or all that the order still has. */
function targetsOf(event: OrderEvent, order: EventOrder): readonly OrderDevice[] {
  if (event.serialNumber !== null) return [namedDevice(event.serialNumber, order)]
  const open = order.devices.filter((device) => isActive(rentalOfOrder(device, order)))
  if (open.length === 0) throw new EventConflict('/type', closedSentence(order))
  if (isTakingBack(event)) refuseHalfCancelling(event, order)
  if (event.type === 'swapped' && open.length > 1) {
    throw new EventConflict('/serial_number', `Is missing: the order has ${open.length} devices`, true)
  }
  return open
}

function namedDevice(serialNumber: string, order: EventOrder): OrderDevice {
  const device = order.devices.find((one) => one.serialNumber === serialNumber)
  if (!device) throw new EventConflict('/serial_number', strangerSentence(serialNumber), true)
  const rental = rentalOfOrder(device, order)
  if (isActive(rental)) return device
  throw new EventConflict('/serial_number', `"${serialNumber}" ${ENDS[rental.reason] ?? 'is no longer rented'}`)
}

const ENDS: Partial<Record<PostedRental['reason'], string>> = {
  early_return: 'was returned already',
  late_return: 'was returned already',
  return: 'was returned already',
  cancelled: 'was cancelled',
  undone: 'was cancelled with its import',
  swapped_out: 'was swapped for another device',
}

function closedSentence(order: EventOrder): string {
  const reasons = order.devices.map((device) => rentalOfOrder(device, order).reason)
  return reasons.every(isDecommissioned) ? 'The order was cancelled' : 'All devices of the order were returned already'
}

function refuseHalfCancelling({ type }: TakingBack, order: EventOrder): void {
  const reasonOf = (device: OrderDevice) => rentalOfOrder(device, order).reason
  const begun = order.devices.find((device) => BEGUN.has(reasonOf(device)))
  if (begun) throw new EventConflict('/type', `The order began: "${begun.serialNumber}" was returned or swapped`)
  // What was cancelled is told, and counts where it counted: undone, an order has to be gone from everywhere.
  const cancelled = order.devices.find((device) => type === 'undone' && reasonOf(device) === 'cancelled')
  if (cancelled) throw new EventConflict('/type', `"${cancelled.serialNumber}" was cancelled`)
}

const BEGUN: ReadonlySet<string> = new Set(['early_return', 'late_return', 'return', 'swapped_out', 'swapped_in'])
