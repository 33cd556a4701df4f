// What an order would be answered with if it were sent now: with the ledgers of its devices, of which nothing changes.
import { NOTHING } from '../engine/device-history.ts'
import { allocateRental, openBalance, refurbish, type Balance } from '../engine/device-ledger.ts'
import { orderKey, runAlone } from '../engine/device-run.ts'
import { estimateResolved, termsOf, type OrderFootprint, type RunOf } from '../engine/estimate.ts'
import type { BookOf } from '../engine/factor-book.ts'
import { runHistory, withChange } from '../engine/post-change.ts'
import { parseDecimal, whole } from '../engine/ratio.ts'
import type { ResolvedItem, ResolvedProduct } from '../engine/resolve.ts'
import type { Journals } from '../postgres/order-record.ts'
import type { WireChanges } from './estimate-schema.ts'
import { ownFacts, type ReadableOrder } from './post-order.ts'
import { toDeviceEvent } from './stored-event.ts'
import { chargedAs, knownDevice, type KnownDevice } from './stored-journal.ts'
import { keyOfWire } from './stored-order.ts'

type Refurbished = NonNullable<WireChanges['refurbished']>

/** @param refurbished what was done to the devices for this order, if anything */
export function estimateOrder(
  order: ReadableOrder,
  journals: Journals,
  bookOf: BookOf,
  refurbished: Refurbished | null,
): OrderFootprint {
  const known = new Map([...journals].map(([serial, journal]) => [serial, knownDevice(journal, bookOf)]))
  const deviceOf = ({ product }: ResolvedProduct) => known.get(product.serialNumber)
  const items = order.items.map((item): ResolvedItem => {
    const device = item.type === 'product' ? deviceOf(item) : undefined
    return item.type === 'product' && device ? chargedAs(item, device) : item
  })
  const runOf: RunOf = (item) => {
    const device = deviceOf(item)
    if (device) return runKnown(item, device, order, refurbished)
    return runAlone(balanceOfNew(item, order.isCapped, refurbished), termsOf(item))
  }
  return estimateResolved(items, runOf)
}

/** A device of the ledger is refurbished on the day on which the order takes it. */
function runKnown(
  item: ResolvedProduct,
  { history, figures }: KnownDevice,
  { wire, releaseId }: ReadableOrder,
  refurbished: Refurbished | null,
) {
  const event =
    refurbished && toDeviceEvent({ event_id: '', type: 'refurbished', date: wire.tenure_start_date, ...refurbished })
  const before = event ? withChange(history, { event, eventId: '', releaseId }) : history
  const after = withChange(before, { ...ownFacts(item, wire, releaseId), shared: NOTHING })
  return runHistory(after, figures).rentals.get(orderKey(keyOfWire(wire)))!
}

/** One that the ledger does not know had a life before it was refurbished. METHODOLOGY.md#refurbishment */
function balanceOfNew({ footprint }: ResolvedProduct, isCapped: boolean, refurbished: Refurbished | null): Balance {
  const { embodied, lifetimeMonths } = footprint
  const opening = openBalance(embodied, lifetimeMonths, isCapped)
  if (!refurbished) return opening
  const { emission_kg: emission, lifetime_months_added: added, months_before: before } = refurbished
  const used = allocateRental(opening, before === undefined ? lifetimeMonths : whole(before)).balance
  return refurbish(used, parseDecimal(String(emission)), whole(added))
}
