// What reports see of an entry, from its row: whose it is, what it posted, and what stood before it.
import type { EmissionsByPart, EntryReason } from '../../engine/device-history.ts'
import type { OrderKey } from '../../engine/device-run.ts'
import { keptGuess, type Guess, type StoredEntry } from '../orders/order-record.ts'
import { concernsOthers, keyOf, takesBack, type PostedJournal } from './posted-journals.ts'

/** An entry, as far as reports see it. Days are counted from 1970-01-01. */
export interface Posting {
  readonly no: number
  readonly reason: EntryReason
  readonly parts: EmissionsByPart
  /** Null for an entry about the device alone. */
  readonly order: PostedOrderFacts | null
  /** What the device is charged by; null for an order without devices. */
  readonly device: ChargedAs | null
  /** As the first entry of its rental has it; null for an order without devices. */
  readonly rental: PostedRental | null
  /**
   * What its rental, or its order without devices, was posted before; null for the first entry of one, which nothing
   * was posted to before.
   */
  readonly earlier: EarlierEntries | null
  /** Of what begins a rental, or takes it back: that other rental of the device which was told first, and stands. */
  readonly otherRental: OtherRental | null
  /** Of an entry about the device alone: the event, as it was told. */
  readonly eventContent: string | null
}

export interface EarlierEntries {
  readonly journal: PostedJournal
  /** Those of its rental, or of its order without devices, in sequence; some may have been posted after it. */
  readonly own: readonly StoredEntry[]
  /** Where it stands among them. */
  readonly at: number
}

interface ChargedAs {
  readonly releaseId: number
  readonly basis: string
  readonly weightKg: string | null
  /** Where it was guessed or mapped. */
  readonly guess: Guess | null
}

export interface OtherRental extends PostedRental {
  readonly no: number
  /** Of what takes a rental back; null otherwise. */
  readonly order: PostedOrderFacts | null
}

export interface PostedRental {
  readonly start: string
  readonly months: string
  readonly country: string | null
  readonly releaseId: number
}

export interface PostedOrderFacts {
  readonly customerId: string
  readonly orderId: string
  readonly orderDay: number
  readonly dispatchDay: number
  readonly country: string | null
  readonly metadata: string | null
  readonly releaseId: number
  /** As the order keeps them, JSON. */
  readonly items: string
}

/** The reason of what is always the first entry of a rental; one that came by a swap begins otherwise. */
const FIRST: EntryReason = 'order'

export interface PostingRow {
  readonly customer_id: string
  readonly order_id: string
  readonly serial_number: string
  readonly entry_no: number
  readonly reason: EntryReason
  readonly embodied_mg: bigint
  readonly use_mg: bigint
  readonly packaging_mg: bigint
  readonly transportation_mg: bigint
  readonly device_release: number | null
  readonly basis: string | null
  readonly weight_kg: string | null
  readonly product_id: string | null
  readonly found_by: string | null
  readonly own_start: string | null
  readonly own_months: string | null
  readonly own_country: string | null
  readonly own_release: number
  readonly content: string | null
}

export const keyOfRow = (row: PostingRow): OrderKey => ({ customerId: row.customer_id, orderId: row.order_id })

export const placeOf = (row: PostingRow) => ({ ...keyOfRow(row), serialNumber: row.serial_number })

/** Something may have been posted before that says what it adds, or how it is counted. */
export const needsJournal = ({ order_id: orderId, serial_number: serial, reason, entry_no: no }: PostingRow): boolean =>
  orderId !== '' && no > 1 && (reason !== FIRST || (serial !== '' && concernsOthers(reason)))

const otherIn = (row: PostingRow, journal: PostedJournal | null): StoredEntry | null =>
  row.serial_number === '' ? null : (journal?.others.get(row.entry_no) ?? null)

/** Of what takes a rental back: the other one of the device that is counted in its place. */
export const otherToTell = (row: PostingRow, journal: PostedJournal | null): StoredEntry | null =>
  takesBack(row.reason) ? otherIn(row, journal) : null

export function toPosting(
  row: PostingRow,
  orders: ReadonlyMap<string, PostedOrderFacts>,
  journal: PostedJournal | null,
): Posting {
  const order = row.order_id === '' ? null : orders.get(keyOf(keyOfRow(row)))
  if (order === undefined) throw new Error(`An entry is of the order "${row.order_id}", which is not there`)
  return {
    no: row.entry_no,
    reason: row.reason,
    parts: {
      product_embodied_emission: row.embodied_mg,
      product_use: row.use_mg,
      packaging: row.packaging_mg,
      transportation: row.transportation_mg,
    },
    order,
    device: row.basis === null ? null : chargedAs(row, row.basis),
    rental: rentalOf(row, journal),
    earlier: journal === null || row.reason === FIRST ? null : earlierOf(row, journal),
    otherRental: otherOf(row, journal, orders),
    eventContent: row.content,
  }
}

function earlierOf(row: PostingRow, journal: PostedJournal): EarlierEntries | null {
  const own = journal.byOrder.get(keyOf(keyOfRow(row))) ?? []
  const at = placeAmong(own, row.entry_no)
  return at > 0 ? { journal, own, at } : null
}

/** By halves: a rental may have been corrected as often as others were told. */
function placeAmong(own: readonly StoredEntry[], no: number): number {
  let [low, high] = [0, own.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (own[middle]!.no < no) low = middle + 1
    else high = middle
  }
  return low
}

function rentalOf(row: PostingRow, journal: PostedJournal | null): PostedRental | null {
  if (row.serial_number === '' || row.order_id === '') return null
  const first = row.reason === FIRST ? undefined : journal?.byOrder.get(keyOf(keyOfRow(row)))?.[0]
  if (first?.terms) {
    const { terms, country, releaseId } = first
    return { start: terms.start, months: terms.months, country, releaseId }
  }
  return { start: row.own_start!, months: row.own_months!, country: row.own_country, releaseId: row.own_release }
}

function otherOf(
  row: PostingRow,
  journal: PostedJournal | null,
  orders: ReadonlyMap<string, PostedOrderFacts>,
): OtherRental | null {
  const other = otherIn(row, journal)
  if (other === null) return null
  return {
    no: other.no,
    start: other.terms!.start,
    months: other.terms!.months,
    country: other.country,
    releaseId: other.releaseId,
    order: takesBack(row.reason) ? orders.get(keyOf(other))! : null,
  }
}

const chargedAs = ({ device_release, weight_kg, product_id, found_by }: PostingRow, basis: string): ChargedAs => ({
  releaseId: device_release!,
  basis,
  weightKg: weight_kg,
  guess: keptGuess(product_id, found_by),
})
