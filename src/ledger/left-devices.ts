// Devices that an order named and does not have any more: the first order that still counts names them.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import { decodeOrder, encodeEntry, loadReferenceDataOf, openInSteps } from './codec.ts'
import { footprintToStore } from './footprints.ts'
import { countingOrders, isSameOrder, namingOrder } from './naming-order.ts'
import { identificationAs, postIdentification } from './order-identification.ts'
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
 * @param before their ledgers, locked
 * @param after the same with the entries that took the order back
 */
export async function identifyLeftDevices(
  order: OrderKey,
  serialNumbers: readonly string[],
  before: DeviceLedgers,
  after: DeviceLedgers,
  recordedBy: Recorder | null,
  transaction: Pick<LedgerTransaction, 'findOrders'>,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): Promise<Identified> {
  const left = serialNumbers.flatMap((serialNumber) => {
    const ledger = after.get(serialNumber)!
    const isNaming = isSameOrder(namingOrder(before.get(serialNumber)!.entries), order)
    const next = isNaming ? firstOrderOf(ledger.entries) : null
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
    const identified = postIdentification(open, identification, referenceDataById)
    posted.push({
      devices: [identified.after.device],
      entries: identified.entries.map((entry) => encodeEntry(entry, serialNumber)),
      identifications: [identification.event],
    })
  }
  return {
    devices: posted.flatMap((one) => one.devices),
    entries: posted.flatMap((one) => one.entries),
    identifications: posted.flatMap((one) => one.identifications),
  }
}

/** The first order that counts; null if there is none, or if it has the device by a swap. */
function firstOrderOf(entries: readonly StoredEntry[]): OrderKey | null {
  const [first] = countingOrders(entries)
  return first?.current.reason === 'order' ? first.current : null
}

/** What the words of an order make of a device that the order has. */
function footprintNamedBy(order: StoredOrder, { device: { serialNumber, isCapped } }: DeviceLedger): StoredFootprint {
  const products = toEngineOrder(decodeOrder(order)).items.flatMap((item) => (item.type === 'product' ? [item] : []))
  const at = products.findIndex((product) => product.serialNumber === serialNumber)
  const match = { footprintId: order.footprintIds[at]!, matchMethod: order.matchMethods[at]! }
  return footprintToStore(products[at]!, match, order.releaseId, isCapped)
}
