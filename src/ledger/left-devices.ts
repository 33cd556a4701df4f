// Devices that an order named and does not have any more: the first order that still counts names them.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { applyEntry, countsInNoPeriod, emptyLedgerHistory } from '../engine/ledger-history.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import { decodeEntry, decodeOrder, encodeEntry, loadReferenceDataOf, openInSteps } from './codec.ts'
import { footprintToStore } from './footprints.ts'
import { identificationAs, isNamedBy, postIdentification } from './order-identification.ts'
import type {
  DeviceLedger,
  DeviceLedgers,
  Recorder,
  RevisionPosting,
  StoredEntry,
  StoredFootprint,
  StoredOrder,
} from './records.ts'
import type { LedgerTransaction } from './store.ts'

type Identified = Pick<RevisionPosting, 'devices' | 'entries' | 'identifications'>

const NONE: Identified = { devices: [], entries: [], identifications: [] }

/**
 * What is posted to devices that an order named and was taken back from, so that they are charged as if the order had
 * never had them. METHODOLOGY.md#corrections-of-an-order
 * @param serialNumbers the devices that the order had and does not have any more
 * @param ledgers locked, with the entries that took the order back
 */
export async function identifyLeftDevices(
  order: OrderKey,
  serialNumbers: readonly string[],
  ledgers: DeviceLedgers,
  recordedBy: Recorder | null,
  transaction: Pick<LedgerTransaction, 'findOrders'>,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): Promise<Identified> {
  const left = serialNumbers.flatMap((serialNumber) => {
    const ledger = ledgers.get(serialNumber)!
    const next = isNamedBy(order, ledger.entries) ? firstOrderOf(ledger) : null
    return next ? [{ serialNumber, ledger, next }] : []
  })
  if (left.length === 0) return NONE
  const found = await transaction.findOrders(left.map(({ next }) => next))
  const orders = new Map(found.map((one) => [orderKey(one), one]))
  const devices = new Map(left.map(({ serialNumber, ledger }) => [serialNumber, ledger]))
  const releases = found.map(({ releaseId }) => releaseId)
  const referenceDataById = await loadReferenceDataOf(devices, releases, referenceDataOf)
  const posted: Identified[] = []
  for (const { serialNumber, ledger, next } of left) {
    const footprint = footprintNamedBy(orders.get(orderKey(next))!, ledger)
    const identification = identificationAs(footprint, next, recordedBy, ledger)
    if (!identification) continue
    const open = await runCooperatively(openInSteps(ledger, referenceDataById))
    const { after, entries } = postIdentification(open, identification, referenceDataById)
    posted.push({
      devices: [after.device],
      entries: entries.map((entry) => encodeEntry(entry, serialNumber)),
      identifications: [identification.event],
    })
  }
  return {
    devices: posted.flatMap((one) => one.devices),
    entries: posted.flatMap((one) => one.entries),
    identifications: posted.flatMap((one) => one.identifications),
  }
}

/**
 * Of the orders that count, the one that took the device up first, in whichever revision; null if there is none, or if
 * it has the device by a swap.
 */
function firstOrderOf({ entries }: DeviceLedger): OrderKey | null {
  const history = emptyLedgerHistory()
  for (const entry of entries) applyEntry(history, decodeEntry(entry))
  const counts = (entry: StoredEntry) => {
    const rental = history.rentals.get(orderKey(entry))
    return rental !== undefined && !countsInNoPeriod(rental.reason)
  }
  const byOrder = Map.groupBy(
    entries.filter(({ reason }) => reason === 'order' || reason === 'swapped_in'),
    ({ customerId, orderId }) => orderKey({ customerId, orderId: sentIdOf(orderId) }),
  )
  for (const revisions of byOrder.values()) {
    const counting = revisions.find(counts)
    if (counting) return counting.reason === 'order' ? counting : null
  }
  return null
}

/** What the words of an order make of a device that the order has. */
function footprintNamedBy(order: StoredOrder, { device: { serialNumber, isCapped } }: DeviceLedger): StoredFootprint {
  const products = toEngineOrder(decodeOrder(order)).items.flatMap((item) => (item.type === 'product' ? [item] : []))
  const at = products.findIndex((product) => product.serialNumber === serialNumber)
  const match = { footprintId: order.footprintIds[at]!, matchMethod: order.matchMethods[at]! }
  return footprintToStore(products[at]!, match, order.releaseId, isCapped)
}
