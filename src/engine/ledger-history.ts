// What is recorded of a device: its ledger entries in the order of posting, and the rentals and events they describe.
import { orderKey, type DeviceEvent, type OrderKey, type Rental, type RentalTerms } from './device-timeline.ts'
import { PARTS, sumMilligrams, type Milligrams, type Part } from './numbers/emission.ts'

/**
 * A ledger with more entries is long, and is read in other ways. The index entries_of_long_ledgers covers the entries
 * beyond, device by device: another number needs a migration.
 */
export const LONG_LEDGER = 250

/** Why an entry was posted. */
export const ENTRY_REASONS = [
  // The order's own terms, as sent or as changed by an event on the order.
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
  'identification',
  // An event of the order or the device does not count any more.
  'withdrawal',
  // The content of the order was corrected: all that it posted is taken back, and its next revision is posted.
  'correction',
  // Corrections caused by another order or by an event on it.
  'overlap',
  'resequenced',
] as const
export type EntryReason = (typeof ENTRY_REASONS)[number]

export type EmissionsByPart = Readonly<Record<Part, Milligrams>>

/**
 * An entry of a device's ledger: milligrams posted to the device by one order for one reason. An entry that sets the
 * terms of a rental contains them; an entry for an event on the device has no order. Entries are only ever added.
 */
export interface LedgerEntry extends OrderKey, EmissionsByPart {
  /** Position in the device's ledger, from 1. */
  readonly no: number
  readonly reason: EntryReason
  readonly terms: RentalTerms | null
  /** For entries with terms: the country of use, and the dataset release whose grid factors apply. */
  readonly country: string | null
  readonly releaseId: number
  /** The event that caused the entry, by the client's own id. */
  readonly eventId: string | null
  /** The order that caused the entry, if it is a different one. */
  readonly cause: OrderKey | null
  /**
   * For a withdrawal, which terms count again: those of the order itself, or of another event. Null if the device is no
   * longer in the order, because the swap that brought it in was withdrawn. Other entries have none.
   */
  readonly inForce?: InForce | null
  /** The event on the device, for an entry without an order. */
  readonly event: DeviceEvent | Identification | EventWithdrawal | null
}

/** The device is another model than was known, from its first day on. The entry says by which figures it is charged. */
export interface Identification {
  readonly type: 'identified'
}

/** Why a rental has its terms: the reason of the order or the event that set them, and that event's id. */
export interface InForce {
  readonly reason: EntryReason
  readonly eventId: string | null
}

/** An event on the device that does not count any more. */
export interface EventWithdrawal {
  readonly type: 'withdrawn'
  /** The id of the event. */
  readonly withdraws: string
}

/** The current state of a rental: its terms, the reason why they were last set, and the emissions posted so far. */
export interface PostedRental extends Rental {
  readonly reason: EntryReason
  readonly country: string | null
  readonly releaseId: number
  readonly posted: EmissionsByPart
}

/** All that is recorded of a device except its footprint data. */
export interface LedgerHistory {
  /** By orderKey. */
  readonly rentals: ReadonlyMap<string, PostedRental>
  /** Those that count, by the client's own id, in the order in which they became known. */
  readonly events: ReadonlyMap<string, DeviceEvent>
  /** Position of the last entry; 0 for a device without entries. */
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

/** A history that grows while its ledger is read. */
export interface MutableLedgerHistory extends LedgerHistory {
  readonly rentals: Map<string, PostedRental>
  readonly events: Map<string, DeviceEvent>
  lastNo: number
}

/** The history of a device without entries. */
export const emptyLedgerHistory = (): MutableLedgerHistory => ({ rentals: new Map(), events: new Map(), lastNo: 0 })

/** A history that can grow without the one that it is copied from. */
export const copyHistory = ({ rentals, events, lastNo }: LedgerHistory): MutableLedgerHistory => ({
  rentals: new Map(rentals),
  events: new Map(events),
  lastNo,
})

/**
 * Adds the next ledger entry to a history.
 * @throws RangeError when it corrects an order that was not posted
 */
export function applyEntry(history: MutableLedgerHistory, entry: LedgerEntry): void {
  const { rentals, events } = history
  if (entry.event?.type === 'withdrawn') events.delete(entry.event.withdraws)
  else if (entry.event) addEvent(events, entry.eventId!, entry.event)
  else rentals.set(orderKey(entry), withEntry(rentals.get(orderKey(entry)), entry))
  history.lastNo = entry.no
}

/** An identification changes the figures of the device, and nothing that happened to it. */
function addEvent(events: Map<string, DeviceEvent>, eventId: string, event: DeviceEvent | Identification): void {
  if (event.type !== 'identified') events.set(eventId, event)
}

/** Builds the history from a device's ledger, or from its first entries, given in the order of posting. */
export function replayEntries(entries: readonly LedgerEntry[]): MutableLedgerHistory {
  const history = emptyLedgerHistory()
  for (const entry of entries) applyEntry(history, entry)
  return history
}

function withEntry(known: PostedRental | undefined, entry: LedgerEntry): PostedRental {
  const { customerId, orderId, country, releaseId } = entry
  const { reason } = inForceAfter(entry)
  const posted = addEmissions(known?.posted ?? NO_EMISSIONS, entry)
  if (entry.terms) return { customerId, orderId, terms: entry.terms, reason, country, releaseId, posted }
  if (!known) throw new RangeError(`The order "${orderId}" is corrected before it was posted`)
  return { ...known, posted }
}

/** Why a rental has its terms after an entry that sets them. */
export const inForceAfter = ({ inForce, reason, eventId }: Pick<LedgerEntry, 'inForce' | keyof InForce>): InForce =>
  inForce ?? { reason, eventId }

/** True if the rental ends only when its tenure does: it was not returned, cancelled or swapped out. */
export const isActive = ({ reason }: Pick<PostedRental, 'reason'>): boolean => OPEN_REASONS.has(reason)

/** True for the reasons that cancel a rental, or an order without devices, completely. */
export const isCancellation = (reason: string): reason is 'cancelled' | 'reversal' =>
  reason === 'cancelled' || reason === 'reversal'

/** True for the reasons after which a rental, or an order without devices, counts in no period. */
export const countsInNoPeriod = (reason: EntryReason): boolean => reason === 'reversal' || !isInOrder({ reason })

/** True unless the swap that brought the device into the order was withdrawn, or the order was corrected. */
export const isInOrder = ({ reason }: Pick<PostedRental, 'reason'>): boolean =>
  reason !== 'withdrawal' && reason !== 'correction'

const OPEN_REASONS: ReadonlySet<EntryReason> = new Set<EntryReason>(['order', 'extension', 'swapped_in'])
