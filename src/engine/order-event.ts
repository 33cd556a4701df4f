// Whether an event of an order can have happened, and which of its devices it concerns.
import { isOpen, type KnownRental } from './device-history.ts'
import { nearest, suggesting } from './nearest.ts'
import type { Problem } from './order.ts'
import {
  Contradiction,
  changesOf,
  rentalOf,
  type EventOrder,
  type OrderDevice,
  type OrderEvent,
} from './order-event-terms.ts'
import type { Change } from './post-change.ts'

/** What an event changes, by serial number; or why it cannot have happened, given what is known. */
export type Ruling =
  | { readonly ok: true; readonly changes: ReadonlyMap<string, Change> }
  | { readonly ok: false; readonly isMalformed: boolean; readonly problem: Problem }

/**
 * Rules on an event of an order with devices. METHODOLOGY.md#events
 * @param newDevice what is known of the device that a swap brings in; null where it was never heard of
 */
export function ruleOnOrderEvent(event: OrderEvent, order: EventOrder, newDevice: OrderDevice | null): Ruling {
  try {
    const changes = targetsOf(event, order).flatMap((device) => changesOf(event, device, order, newDevice))
    return { ok: true, changes: new Map(changes) }
  } catch (error) {
    if (!(error instanceof Contradiction)) throw error
    const { problem, isMalformed } = error
    const serials = problem.path === '/serial_number' && isMalformed ? order.devices : []
    const near = nearest(
      event.serialNumber ?? '',
      serials.map(({ serialNumber }) => serialNumber),
    )
    return { ok: false, isMalformed, problem: suggesting(problem, near) }
  }
}

/** The devices that an event concerns: the one that it names, or all that the order still has. */
function targetsOf(event: OrderEvent, order: EventOrder): readonly OrderDevice[] {
  if (event.serialNumber !== null) return [namedDevice(event.serialNumber, order)]
  const open = order.devices.filter((device) => isOpen(rentalOf(device, order)))
  if (open.length === 0) throw new Contradiction('/type', closedSentence(order))
  if (event.type === 'cancelled') refuseHalfCancelling(order)
  if (event.type === 'swapped' && open.length > 1) {
    throw new Contradiction('/serial_number', `Is missing: the order has ${open.length} devices`, true)
  }
  return open
}

function namedDevice(serialNumber: string, order: EventOrder): OrderDevice {
  const device = order.devices.find((one) => one.serialNumber === serialNumber)
  if (!device) throw new Contradiction('/serial_number', `"${serialNumber}" is not a device of this order`, true)
  const rental = rentalOf(device, order)
  if (isOpen(rental)) return device
  throw new Contradiction('/serial_number', `"${serialNumber}" ${ENDS[rental.reason] ?? 'is no longer rented'}`)
}

const ENDS: Partial<Record<KnownRental['reason'], string>> = {
  early_return: 'was returned already',
  late_return: 'was returned already',
  return: 'was returned already',
  cancelled: 'was cancelled',
  swapped_out: 'was swapped for another device',
}

function closedSentence(order: EventOrder): string {
  const reasons = order.devices.map((device) => rentalOf(device, order).reason)
  if (reasons.length === 0) return 'The order has no devices'
  return reasons.every((reason) => reason === 'cancelled')
    ? 'The order was cancelled'
    : 'All devices of the order were returned already'
}

function refuseHalfCancelling(order: EventOrder): void {
  const begun = order.devices.find((device) => BEGUN.has(rentalOf(device, order).reason))
  if (begun) throw new Contradiction('/type', `The order began: "${begun.serialNumber}" was returned or swapped`)
}

const BEGUN: ReadonlySet<string> = new Set(['early_return', 'late_return', 'return', 'swapped_out', 'swapped_in'])
