// What reports see of an entry, from its row: whose it is, what it posted, and what stood before it.
import type { Parts, Reason } from '../../engine/device-history.ts'
import type { OrderKey } from '../../engine/device-run.ts'
import { keptGuess, type Guess, type StoredEntry } from '../orders/order-record.ts'

/** An entry, as far as reports see it. Days are counted from 1970-01-01. */
export interface Posting {
  readonly no: number
  readonly reason: Reason
  readonly parts: Parts
  /** Null for an entry about the device alone. */
  readonly order: PostedOrderFacts | null
  /** What the device is charged by; null for an order without devices. */
  readonly device: ChargedAs | null
  /** As the first entry of its rental has it; null for an order without devices. */
  readonly rental: PostedRental | null
  /**
   * What was posted until then to its device, or to its order without devices, itself the last; null for the first
   * entry of a rental, or of an order, which nothing was posted to before.
   */
  readonly journal: readonly StoredEntry[] | null
  /** Of what begins a rental, or takes it back: that other rental of the device which was told first, and stands. */
  readonly otherRental: OtherRental | null
  /** Of an entry about the device alone: the event, as it was told. */
  readonly eventContent: string | null
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
const FIRST: Reason = 'order'
export const BEGINNING: readonly Reason[] = [FIRST, 'swapped_in']
export const TAKING_BACK: readonly Reason[] = ['cancelled', 'undone']

export interface PostingRow {
  readonly customer_id: string
  readonly order_id: string
  readonly serial_number: string
  readonly entry_no: number
  readonly reason: Reason
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
  readonly other_no: number | null
  readonly other_customer: string
  readonly other_order: string
  readonly other_start: string
  readonly other_months: string
  readonly other_country: string | null
  readonly other_release: number
  readonly content: string | null
}

export const keyOf = ({ customerId, orderId }: OrderKey): string => `${customerId}\0${orderId}`

/** Something was posted to its rental, or to its order without devices, before. */
export const hasEarlier = ({ order_id: orderId, reason, entry_no: no }: PostingRow): boolean =>
  orderId !== '' && reason !== FIRST && no > 1

export const needsOther = ({ other_no: no, reason }: PostingRow): boolean => no !== null && TAKING_BACK.includes(reason)

export function toPosting(
  row: PostingRow,
  orders: ReadonlyMap<string, PostedOrderFacts>,
  journal: readonly StoredEntry[] | null,
): Posting {
  const order = row.order_id === '' ? null : orders.get(keyOf({ customerId: row.customer_id, orderId: row.order_id }))
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
    journal:
      journal !== null && journal.some((entry) => isOfSame(row, entry) && entry.no < row.entry_no) ? journal : null,
    otherRental: otherOf(row, orders),
    eventContent: row.content,
  }
}

const isOfSame = (row: PostingRow, { customerId, orderId }: StoredEntry): boolean =>
  customerId === row.customer_id && orderId === row.order_id

function rentalOf(row: PostingRow, journal: readonly StoredEntry[] | null): PostedRental | null {
  if (row.serial_number === '' || row.order_id === '') return null
  const first = journal?.find((entry) => isOfSame(row, entry))
  if (first?.terms) {
    const { terms, country, releaseId } = first
    return { start: terms.start, months: terms.months, country, releaseId }
  }
  return { start: row.own_start!, months: row.own_months!, country: row.own_country, releaseId: row.own_release }
}

function otherOf(row: PostingRow, orders: ReadonlyMap<string, PostedOrderFacts>): OtherRental | null {
  if (row.other_no === null) return null
  const key = { customerId: row.other_customer, orderId: row.other_order }
  return {
    no: row.other_no,
    start: row.other_start,
    months: row.other_months,
    country: row.other_country,
    releaseId: row.other_release,
    order: needsOther(row) ? orders.get(keyOf(key))! : null,
  }
}

const chargedAs = ({ device_release, weight_kg, product_id, found_by }: PostingRow, basis: string): ChargedAs => ({
  releaseId: device_release!,
  basis,
  weightKg: weight_kg,
  guess: keptGuess(product_id, found_by),
})
