// The entries that follow from an order and its events alone, without other orders on its devices: recomputed from the
// order as sent and compared with the recorded ones. Rows of a database and receipts are verified alike.
import { DEVICE_REASONS } from './device-event-types.ts'
import type { OrderKey } from './device-timeline.ts'
import type { EntryReason, LedgerEntry } from './ledger-history.ts'
import { addMonths } from './numbers/calendar.ts'
import { toFractionText, whole } from './numbers/rational.ts'
import type { EventRejection, Shared } from './order-events.ts'
import { DevicelessOrderReplay, OrderReplay, type RecordedEvent } from './order-replay.ts'
import type { Order, Product } from './order.ts'
import type { TermsChange } from './post-entries.ts'
import { productsOf } from './resolve-order.ts'

/** An order as it was sent, with the emissions that its lines of packaging and transportation come to. */
export interface OrderAsSent {
  readonly order: Order
  readonly releaseId: number
  /** Of a device of the order; of the order itself, '', if it has none. */
  readonly sharedOf: (serialNumber: string) => Shared
}

/** What the order or one of its events posts to a device, or to the order itself. */
export type StatedEntry = Pick<
  LedgerEntry,
  'reason' | 'eventId' | 'inForce' | 'terms' | 'country' | 'releaseId' | 'cause' | keyof Shared
>

/** The device that an event concerns, for a swap the replaced one; or why the event cannot have happened. */
export type StatedEvent = { readonly ok: true; readonly serialNumber: string | null } | EventRejection

export interface StatedOrder {
  /** By serial number, '' for the order itself: in the order in which they are posted. */
  readonly entries: ReadonlyMap<string, readonly StatedEntry[]>
  /** What became of each event. */
  readonly events: readonly StatedEvent[]
}

/**
 * Other orders and device events can only cause an event to be rejected. Without them, every recorded event is accepted
 * with the same result.
 */
export function stateEntries(sent: OrderAsSent, events: readonly RecordedEvent[]): StatedOrder {
  const products = productsOf(sent.order)
  return products.length === 0 ? stateAlone(sent, events) : stateWithDevices(sent, products, events)
}

const NO_EVENTS: readonly StatedEvent[] = []

function stateWithDevices(
  sent: OrderAsSent,
  products: readonly Product[],
  events: readonly RecordedEvent[],
): StatedOrder {
  const entries = new Map(products.map((product) => [product.serialNumber, [sentEntry(product, sent)]]))
  if (events.length === 0) return { entries, events: NO_EVENTS }
  const { customerId, orderId } = sent.order
  const devices = [...entries].map(
    ([serialNumber, [entry]]) => [serialNumber, { ...entry!, customerId, orderId, shared: entry! }] as const,
  )
  const replay = new OrderReplay({ ...sent.order, devices: new Map(devices) })
  const decided = events.map((event): StatedEvent => {
    const decision = replay.apply(event)
    if (!decision.ok) return decision
    for (const [serialNumber, change] of decision.changes) {
      const posted = entries.get(serialNumber)
      if (posted) posted.push(entryOf(change))
      else entries.set(serialNumber, [entryOf(change)])
    }
    const [first] = decision.changes.keys()
    return { ok: true, serialNumber: event.type === 'swapped' ? first! : namedIn(event) }
  })
  return { entries, events: decided }
}

const namedIn = (event: RecordedEvent): string | null => ('serialNumber' in event ? event.serialNumber : null)

function sentEntry(product: Product, { order, releaseId, sharedOf }: OrderAsSent) {
  const { serialNumber, tenureMonths } = product
  const start = order.tenureStartDate
  const { packaging, transportation } = sharedOf(serialNumber)
  return {
    reason: 'order' as EntryReason,
    eventId: null as string | null,
    terms: { start, end: addMonths(start, tenureMonths), months: whole(tenureMonths) },
    country: product.country ?? order.country,
    releaseId,
    cause: null,
    packaging,
    transportation,
  }
}

const entryOf = ({ shared, ...change }: TermsChange) => ({ ...change, ...shared, cause: null })

/** An order without items has no entry of its own. */
function stateAlone({ order, releaseId, sharedOf }: OrderAsSent, events: readonly RecordedEvent[]): StatedOrder {
  const posted = order.items.length === 0 ? null : { reason: 'order' as const, eventId: null, ...sharedOf('') }
  const replay = new DevicelessOrderReplay({ ...order, posted })
  const alone = { terms: null, country: null, cause: null, releaseId }
  const entries: StatedEntry[] = posted ? [{ ...posted, ...alone }] : []
  const decided = events.map((event): StatedEvent => {
    const decision = replay.apply(event)
    if (!decision.ok) return decision
    entries.push({ ...decision.change, ...alone })
    return { ok: true, serialNumber: null }
  })
  return { entries: new Map([['', entries]]), events: decided }
}

/** Reasons of entries that follow from other orders, or from events on the device. */
const OF_OTHERS: ReadonlySet<EntryReason> = new Set([...DEVICE_REASONS, 'overlap', 'resequenced'])

/** A withdrawal of an order's own event states terms, or which ones are in force; that of a device's event does not. */
export const isStated = ({ reason, terms, inForce }: LedgerEntry): boolean =>
  terms !== null || (inForce ?? null) !== null || !OF_OTHERS.has(reason)

export const orderSubject = ({ customerId, orderId }: OrderKey): string => `order "${orderId}" of "${customerId}"`

export type Comparable = string | bigint | number | boolean | null

const STATED_COLUMNS = {
  reason: ({ reason }) => reason,
  event_id: ({ eventId }) => eventId,
  in_force: ({ inForce }) => (inForce ? `${inForce.reason} ${inForce.eventId ?? ''}` : null),
  cause: ({ cause }) => cause && orderSubject(cause),
  start_date: ({ terms }) => terms && terms.start,
  end_date: ({ terms }) => terms && terms.end,
  months: ({ terms }) => terms && toFractionText(terms.months),
  country: ({ country }) => country,
  release_id: ({ releaseId }) => releaseId,
  packaging_mg: ({ packaging }) => packaging,
  transportation_mg: ({ transportation }) => transportation,
} as const satisfies Readonly<Record<string, (entry: StatedEntry) => Comparable>>

const LEDGER_COLUMNS = {
  order: (entry) => (entry.orderId === '' ? 'the device' : orderSubject(entry)),
  embodied_mg: ({ product_embodied_emission: embodied }) => embodied,
  use_mg: ({ product_use: use }) => use,
} as const satisfies Readonly<Record<string, (entry: LedgerEntry) => Comparable>>

export type StatedColumn = keyof typeof STATED_COLUMNS

/** A column of an entry of which the recorded value is not the recomputed one. */
interface ColumnDifference<Column extends string = string> {
  readonly column: Column
  readonly stored: Comparable
  readonly recomputed: Comparable
}

const differencesIn =
  <Entry, Column extends string>(columns: Readonly<Record<Column, (entry: Entry) => Comparable>>) =>
  (entry: Entry, expected: Entry): readonly ColumnDifference<Column>[] => {
    let found: ColumnDifference<Column>[] | null = null
    for (const column in columns) {
      const [stored, recomputed] = [columns[column](entry), columns[column](expected)]
      if (stored !== recomputed) (found ??= []).push({ column, stored, recomputed })
    }
    return found ?? NONE
  }

const NONE: readonly never[] = []

/** Compares what the order and its events determine. */
const compareStatedEntry = differencesIn<StatedEntry, StatedColumn>(STATED_COLUMNS)

/** Compares an entry with the one that the ledger of its device comes to. */
export const compareLedgerEntry = differencesIn<LedgerEntry, string>({ ...LEDGER_COLUMNS, ...STATED_COLUMNS })

/** Where recorded entries differ from those that are stated. */
export interface StatedDifference extends Omit<ColumnDifference, 'column'> {
  /** The place of the entry among those compared, from 0; of a missing one, where it would stand. */
  readonly place: number
  /** Null for a whole entry: `stored` or `recomputed` is null. */
  readonly column: StatedColumn | null
}

/** Compares in order; an entry that is missing or surplus does not shift those after it. */
export function compareStatedEntries(
  entries: readonly StatedEntry[],
  stated: readonly StatedEntry[],
): readonly StatedDifference[] {
  if (entries.length === 1 && stated.length === 1) return columnsOf(entries[0]!, stated[0]!, 0)
  if (entries.length === stated.length) {
    return entries.flatMap((entry, place) => columnsOf(entry, stated[place]!, place))
  }
  const left = new Map([...entries.entries()].map(([at, { eventId }]) => [eventId, at] as const).toReversed())
  const matched = new Set<number>()
  let place = 0
  const differences = stated.flatMap((expected) => {
    const at = left.get(expected.eventId)
    if (at === undefined) return [{ place, column: null, stored: null, recomputed: describeStated(expected) }]
    left.delete(expected.eventId)
    matched.add(at)
    place = at + 1
    return columnsOf(entries[at]!, expected, at)
  })
  const surplus = entries.flatMap(({ reason }, at) =>
    matched.has(at) ? [] : [{ place: at, column: null, stored: `${reason} without an event`, recomputed: null }],
  )
  return [...differences, ...surplus]
}

function columnsOf(entry: StatedEntry, expected: StatedEntry, place: number): readonly StatedDifference[] {
  const differences = compareStatedEntry(entry, expected)
  return differences.length === 0 ? NONE : differences.map((difference) => ({ place, ...difference }))
}

export const describeStated = ({ reason, eventId }: StatedEntry): string =>
  `an entry "${reason}"${eventId === null ? '' : ` of the event "${eventId}"`}`
