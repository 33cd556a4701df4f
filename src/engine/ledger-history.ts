// What is known of a device: the entries of its journal in the sequence in which they were posted, and what they say.
import { orderKey, type DeviceEvent, type OrderKey, type Rental, type RentalTerms } from './device-timeline.ts'
import { PARTS, sumMilligrams, type Milligrams, type Part } from './numbers/emission.ts'

/** Why an entry was posted. */
export const ENTRY_REASONS = [
  // The order's own terms: as sent, or as an event on the order made them.
  'order',
  'extension',
  'early_return',
  'late_return',
  'return',
  'cancelled',
  'reversal',
  'swapped_out',
  'swapped_in',
  // Events on the device.
  'refurbishment',
  'retirement',
  'loss',
  // What another order, or an event on it, changed here.
  'overlap',
  'resequenced',
] as const
export type EntryReason = (typeof ENTRY_REASONS)[number]

export type EmissionsByPart = Readonly<Record<Part, Milligrams>>

/**
 * An entry of a device's journal: milligrams posted to it by one order for one reason. One that sets the terms of a
 * rental bears them; one of an event on the device has no order. Entries are only ever added.
 */
export interface LedgerEntry extends OrderKey, EmissionsByPart {
  /** Position in the device's journal, from 1. */
  readonly no: number
  readonly reason: EntryReason
  readonly terms: RentalTerms | null
  /** Where the device is used, and the dataset release whose grid factors count: of an entry with terms. */
  readonly country: string | null
  readonly releaseId: number
  /** The event that caused it, by the client's own id. */
  readonly eventId: string | null
  /** The order that caused it, where that is another one. */
  readonly cause: OrderKey | null
  /** Of an entry without an order: the event on the device. */
  readonly event: DeviceEvent | null
}

/** A rental as it stands: its terms, what set them last, and what was posted for it so far. */
export interface PostedRental extends Rental {
  readonly reason: EntryReason
  readonly country: string | null
  readonly releaseId: number
  readonly posted: EmissionsByPart
}

/** All that is known of a device beside the figures that it is charged by. */
export interface LedgerHistory {
  /** By orderKey. */
  readonly rentals: ReadonlyMap<string, PostedRental>
  readonly events: readonly DeviceEvent[]
  /** Position of the last entry, 0 for a device that was never heard of. */
  readonly lastNo: number
}

export const NO_EMISSIONS: EmissionsByPart = {
  product_embodied_emission: 0n,
  product_use: 0n,
  packaging: 0n,
  transportation: 0n,
}

export const addEmissions = (a: EmissionsByPart, b: EmissionsByPart): EmissionsByPart =>
  Object.fromEntries(PARTS.map((part) => [part, a[part] + b[part]])) as EmissionsByPart

export const totalEmissionOf = (parts: EmissionsByPart): Milligrams => sumMilligrams(PARTS.map((part) => parts[part]))

/** A history that is added to while its journal is read. */
export interface MutableLedgerHistory extends LedgerHistory {
  readonly rentals: Map<string, PostedRental>
  readonly events: DeviceEvent[]
  lastNo: number
}

/** What is known of a device that was never heard of. */
export const emptyLedgerHistory = (): MutableLedgerHistory => ({ rentals: new Map(), events: [], lastNo: 0 })

/**
 * Adds the next entry of a journal to what is known.
 * @throws RangeError where it corrects an order that was not posted
 */
export function applyEntry(history: MutableLedgerHistory, entry: LedgerEntry): void {
  const { rentals, events } = history
  if (entry.event) events.push(entry.event)
  else rentals.set(orderKey(entry), withEntry(rentals.get(orderKey(entry)), entry))
  history.lastNo = entry.no
}

/** Reads a device's journal, or the part of it that was known at some time, in the sequence of its entries. */
export function replayEntries(entries: readonly LedgerEntry[]): MutableLedgerHistory {
  const history = emptyLedgerHistory()
  for (const entry of entries) applyEntry(history, entry)
  return history
}

function withEntry(known: PostedRental | undefined, entry: LedgerEntry): PostedRental {
  const { customerId, orderId, reason, country, releaseId } = entry
  const posted = addEmissions(known?.posted ?? NO_EMISSIONS, entry)
  if (entry.terms) return { customerId, orderId, terms: entry.terms, reason, country, releaseId, posted }
  if (!known) throw new RangeError(`The order "${orderId}" is corrected before it was posted`)
  return { ...known, posted }
}

/** True while nothing but time ends the rental: it was not returned, cancelled or swapped. */
export const isActive = ({ reason }: Pick<PostedRental, 'reason'>): boolean => OPEN_REASONS.has(reason)

/** True for what leaves nothing of a rental, or of an order without devices. */
export const isCancellation = (reason: string): reason is 'cancelled' | 'reversal' =>
  reason === 'cancelled' || reason === 'reversal'

const OPEN_REASONS: ReadonlySet<EntryReason> = new Set<EntryReason>(['order', 'extension', 'swapped_in'])
