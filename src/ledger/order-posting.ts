// Decides what an order posts: the order, new devices, an entry for each device, and corrections to other orders.
import type { RentalTerms } from '../engine/device-timeline.ts'
import type { LedgerEntry } from '../engine/ledger-history.ts'
import {
  asFirstRental,
  estimateItems,
  type DeviceShare,
  type EmissionLine,
  type OrderFootprint,
} from '../engine/estimate.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { PARTS, sumMilligrams, toMilligrams, type Milligrams, type Part } from '../engine/numbers/emission.ts'
import type { StoredBalance } from '../engine/post-entries.ts'
import { toFractionText } from '../engine/numbers/rational.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { ResolvedItem, ResolvedProduct } from '../engine/resolve-order.ts'
import type {
  DeviceLedger,
  DeviceLedgers,
  ImportOrigin,
  NewEntry,
  NewEvent,
  NewOrder,
  OrderPosting,
  Recorder,
  StoredDevice,
} from './records.ts'
import { footprintToStore, ownFootprintOf } from './footprints.ts'
import { identificationBy, postIdentification } from './order-identification.ts'
import { postRental, type PostedRental, type RentedProduct } from './post-rental.ts'
import { encodeWarnings } from './stored-warnings.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import {
  encodeEntry,
  encodeOrder,
  loadReferenceDataOf,
  openInSteps,
  orderKeyOf,
  withDeviceFootprint,
  type OpenDevice,
} from './codec.ts'

/** An order whose products are resolved, with the account's amortisation. */
export interface ParsedOrder {
  readonly wire: WireOrder
  readonly items: readonly ResolvedItem[]
  readonly releaseId: number
  readonly isCapped: boolean
  readonly origin?: ImportOrigin
  /** True if it is refused where the ledgers of its devices have warnings. */
  readonly isStrict?: boolean
  /** Who sends it, for the events that it records; absent for an order that is not stored. */
  readonly recordedBy?: Recorder | null
  /**
   * Of an order that is restated: what its words made of each device before, by serial number. A device that is charged
   * by something else keeps that, unless the new figures read the words otherwise.
   */
  readonly namedBefore?: ReadonlyMap<string, string>
}

/** The posting if none of its devices was rented before. */
export function postingOfNewOrder({ wire, items, releaseId, isCapped, origin }: ParsedOrder): OrderPosting {
  const footprint = estimateItems(items, asFirstRental(isCapped))
  const order = encodeOrder(wire, footprint, releaseId, origin)
  const products = productsOf(footprint)
  if (products.length === 0) {
    const alone = aloneEntries(wire, footprint, releaseId)
    return { order, devices: [], entries: alone, identifications: [], footprint }
  }
  const devices: StoredDevice[] = []
  const entries: NewEntry[] = []
  for (const [at, share] of footprint.devices.entries()) {
    const { item, lines } = products[at]!
    const balance = { embodiedTotal: toMilligrams(item.footprint.embodied), allocated: share.product_embodied_emission }
    devices.push(newDevice(item, releaseId, isCapped, balance))
    entries.push(firstEntry(order, item, termsOfLines(lines), share))
  }
  return { order, devices, entries, identifications: [], footprint }
}

/** The terms of the rental that a product's embodied line was computed for. */
function termsOfLines(lines: readonly EmissionLine[]): RentalTerms {
  const { working } = lines[0]!
  if (working.method !== 'embodied-linear') throw new Error('The first line of a product is its embodied one')
  return working.run.terms
}

/** Written out member by member for speed: this code runs for every order. */
const firstEntry = (order: NewOrder, item: ResolvedProduct, terms: RentalTerms, share: DeviceShare): NewEntry => ({
  serialNumber: share.serialNumber,
  customerId: order.customerId,
  orderId: order.orderId,
  no: 1,
  reason: 'order',
  terms: { start: terms.start, end: terms.end, months: toFractionText(terms.months) },
  country: item.country,
  releaseId: order.releaseId,
  eventId: null,
  cause: null,
  product_embodied_emission: share.product_embodied_emission,
  product_use: share.product_use,
  packaging: share.packaging,
  transportation: share.transportation,
})

interface EstimatedProduct {
  readonly item: ResolvedProduct
  readonly lines: OrderFootprint['items'][number]['lines']
}

const productsOf = ({ items }: OrderFootprint): readonly EstimatedProduct[] =>
  items.filter((one): one is EstimatedProduct => one.item.type === 'product')

const newDevice = (
  item: ResolvedProduct,
  releaseId: number,
  isCapped: boolean,
  balance: StoredBalance,
): StoredDevice => ({
  serialNumber: item.product.serialNumber,
  ...footprintToStore(item.product, item, releaseId, isCapped),
  balance,
})

/** The transportation and packaging of an order without devices are posted to the order itself. */
function aloneEntries(wire: WireOrder, { items }: OrderFootprint, releaseId: number): readonly NewEntry[] {
  if (items.length === 0) return []
  const lines = items.flatMap((item) => item.lines)
  const of = (part: Part): Milligrams =>
    sumMilligrams(lines.filter((line) => line.part === part).map(({ emission }) => emission))
  const parts = Object.fromEntries(PARTS.map((part) => [part, of(part)])) as Pick<LedgerEntry, Part>
  const facts = {
    ...orderKeyOf(wire),
    reason: 'order' as const,
    terms: null,
    country: null,
    eventId: null,
    cause: null,
  }
  return [encodeEntry({ ...facts, ...parts, releaseId, no: 1 }, '')]
}

/**
 * The posting if some of the devices were rented before: their ledgers are recomputed with the order.
 * @param asNew the posting if none of the devices were known
 */
export async function postingOfKnownDevices(
  order: ParsedOrder,
  asNew: OrderPosting,
  ledgers: DeviceLedgers,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): Promise<OrderPosting> {
  const { wire, releaseId, isCapped, origin, recordedBy = null, namedBefore } = order
  const referenceDataById = await loadReferenceDataOf(ledgers, [releaseId], referenceDataOf)
  const posted = new Map<string, PostedToKnown>()
  const items: ResolvedItem[] = []
  for (const [position, item] of order.items.entries()) {
    const ledger = item.type === 'product' ? ledgers.get(item.product.serialNumber) : undefined
    if (item.type !== 'product' || !ledger) {
      items.push(item)
      continue
    }
    const before = namedBefore?.get(item.product.serialNumber)
    const keeps = before === item.ownFootprintId && before !== ledger.device.footprintId
    const rented = { item, wire, releaseId, position }
    const one = await postToKnown(rented, keeps, recordedBy, ledger, referenceDataById)
    posted.set(item.product.serialNumber, one)
    items.push(withDeviceFootprint(item, one.known))
  }
  const runOf = (item: ResolvedProduct) =>
    posted.get(item.product.serialNumber)?.posting.run ?? asFirstRental(isCapped)(item)
  const footprint = estimateItems(items, runOf)
  const warnings = [...posted.values()].flatMap((one) => one.warnings)
  const shares = new Map(footprint.devices.map((share) => [share.serialNumber, share]))
  return {
    order: { ...encodeOrder(wire, footprint, releaseId, origin), warnings: encodeWarnings(warnings) },
    devices: asNew.devices.map((device) => {
      const one = posted.get(device.serialNumber)
      return one ? { ...one.known.device, balance: one.posting.balance } : device
    }),
    entries: asNew.entries.flatMap((entry) => {
      const one = posted.get(entry.serialNumber)
      if (!one) return [entry]
      const { packaging, transportation } = shares.get(entry.serialNumber)!
      const [own, ...corrections] = one.posting.entries
      const all = [...one.earlier, { ...own!, packaging, transportation }, ...corrections]
      return all.map((each) => encodeEntry(each, entry.serialNumber))
    }),
    identifications: [...posted.values()].flatMap(({ identification }) => identification ?? []),
    footprint,
  }
}

/** What an order posts to a device that was rented before. */
interface PostedToKnown extends PostedRental {
  readonly known: OpenDevice
  /** If the order identifies the device: the event that says so, and the entries before its own. */
  readonly identification: NewEvent | null
  readonly earlier: readonly LedgerEntry[]
}

/** @param keepsFootprint if the device stays what it is charged by, whatever the order says */
async function postToKnown(
  rented: RentedProduct,
  keepsFootprint: boolean,
  recordedBy: Recorder | null,
  ledger: DeviceLedger,
  referenceDataOf: ReferenceDataOf,
): Promise<PostedToKnown> {
  const { item, wire, releaseId } = rented
  const known = await runCooperatively(openInSteps(ledger, referenceDataOf))
  const own = ownFootprintOf(item, releaseId, ledger.device.isCapped)
  const identified = keepsFootprint ? null : identificationBy(own, orderKeyOf(wire), recordedBy, known, ledger)
  const post = (device: OpenDevice) => runCooperatively(postRental(rented, device))
  if (!identified) return { known, ...(await post(known)), identification: null, earlier: [] }
  const { after, entries } = postIdentification(known, identified, referenceDataOf)
  return { known: after, ...(await post(after)), identification: identified.event, earlier: entries }
}
