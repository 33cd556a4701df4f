// What reports see of an entry, from its row: whose it is, what it posted, and what stood before it.
import type { EmissionsByPart, EntryReason } from '../../engine/ledger-history.ts'
import type { OrderKey } from '../../engine/device-timeline.ts'
import { guessOfRow, type ProductGuess, type StoredEntry } from '../../ledger/records.ts'
import { concernsOthers, entryKey, takesBack, type PostedLedger } from './posted-journals.ts'

/** An entry, as far as reports see it. Days are counted from 1970-01-01. */
export interface ReportEntry {
  readonly no: number
  readonly reason: EntryReason
  readonly parts: EmissionsByPart
  /** Null for an entry about the device alone. */
  readonly order: ReportOrder | null
  /** What the device is charged by; null for an order without devices. */
  readonly device: ChargedAs | null
  /** As the first entry of its rental has it; null for an order without devices. */
  readonly rental: ReportRental | null
  /**
   * What its rental, or its order without devices, was posted before; null for the first entry of one, which nothing
   * was posted to before.
   */
  readonly earlier: EarlierEntries | null
  /** Of what begins a rental, or takes it back: that other rental of the device which was told first, and stands. */
  readonly otherRental: RelatedRental | null
  /** Of an entry about the device alone: the event, as it was told. */
  readonly eventContent: string | null
}

export interface EarlierEntries {
  readonly journal: PostedLedger
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
  readonly guess: ProductGuess | null
}

export interface RelatedRental extends ReportRental {
  readonly no: number
  /** Of what takes a rental back; null otherwise. */
  readonly order: ReportOrder | null
}

export interface ReportRental {
  readonly start: string
  readonly months: string
  readonly country: string | null
  readonly releaseId: number
}

export interface ReportOrder {
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

export interface ReportEntryRow {
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

export const keyOfRow = (row: ReportEntryRow): OrderKey => ({ customerId: row.customer_id, orderId: row.order_id })

export const placeOf = (row: ReportEntryRow) => ({ ...keyOfRow(row), serialNumber: row.serial_number })

/** Something may have been posted before that says what it adds, or how it is counted. */
export const needsJournal = ({
  order_id: orderId,
  serial_number: serial,
  reason,
  entry_no: no,
}: ReportEntryRow): boolean =>
  orderId !== '' && no > 1 && (reason !== FIRST || (serial !== '' && concernsOthers(reason)))

const otherIn = (row: ReportEntryRow, journal: PostedLedger | null): StoredEntry | null =>
  row.serial_number === '' ? null : (journal?.others.get(row.entry_no) ?? null)

/** Of what takes a rental back: the other one of the device that is counted in its place. */
export const otherToTell = (row: ReportEntryRow, journal: PostedLedger | null): StoredEntry | null =>
  takesBack(row.reason) ? otherIn(row, journal) : null

export function toReportEntry(
  row: ReportEntryRow,
  orders: ReadonlyMap<string, ReportOrder>,
  journal: PostedLedger | null,
): ReportEntry {
  const order = row.order_id === '' ? null : orders.get(entryKey(keyOfRow(row)))
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

function earlierOf(row: ReportEntryRow, journal: PostedLedger): EarlierEntries | null {
  const own = journal.byOrder.get(entryKey(keyOfRow(row))) ?? []
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

function rentalOf(row: ReportEntryRow, journal: PostedLedger | null): ReportRental | null {
  if (row.serial_number === '' || row.order_id === '') return null
  const first = row.reason === FIRST ? undefined : journal?.byOrder.get(entryKey(keyOfRow(row)))?.[0]
  if (first?.terms) {
    const { terms, country, releaseId } = first
    return { start: terms.start, months: terms.months, country, releaseId }
  }
  return { start: row.own_start!, months: row.own_months!, country: row.own_country, releaseId: row.own_release }
}

function otherOf(
  row: ReportEntryRow,
  journal: PostedLedger | null,
  orders: ReadonlyMap<string, ReportOrder>,
): RelatedRental | null {
  const other = otherIn(row, journal)
  if (other === null) return null
  return {
    no: other.no,
    start: other.terms!.start,
    months: other.terms!.months,
    country: other.country,
    releaseId: other.releaseId,
    order: takesBack(row.reason) ? orders.get(entryKey(other))! : null,
  }
}

const chargedAs = ({ device_release, weight_kg, product_id, found_by }: ReportEntryRow, basis: string): ChargedAs => ({
  releaseId: device_release!,
  basis,
  weightKg: weight_kg,
  guess: guessOfRow(product_id, found_by),
})
