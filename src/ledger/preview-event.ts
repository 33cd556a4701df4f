// Previews an event: decides it as if it were recorded, stores nothing, and reports the emissions that would move.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { NO_EMISSIONS, addEmissions, type EmissionsByPart } from '../engine/ledger-history.ts'
import { PARTS, type Milligrams } from '../engine/numbers/emission.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { monthsOfEntries } from '../engine/occupancy.ts'
import { datedEmissions, monthsOfPart, startsOf, type DatedEmission } from '../engine/reporting-periods.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { WireDeviceEvent, WireOrderEvent } from '../contract/event-schema.ts'
import { toTimed } from './codec.ts'
import { decideCorrection, type CorrectionOutcome, type OrderCorrection } from './correct-order.ts'
import {
  decideOnDevice,
  decideOnOrder,
  type DecidedEvent,
  type DeviceEventAccount,
  type EventAccount,
  type EventReferences,
  type LoadReferenceData,
  type NothingToPost,
} from './record-event.ts'
import type { CurrentRelease } from './identify-device.ts'
import { sentKeyOf } from './naming-order.ts'
import { forgetPosted, storedEntry } from './posted-ledgers.ts'
import type { DeviceLedgers, NewEntry, NewEvent, PostedOrder, StoredEntry } from './records.ts'
import type { EventStore } from './store.ts'

/** The emission of an order on all its devices. */
export interface OrderChange extends OrderKey {
  readonly before: EmissionsByPart
  readonly difference: EmissionsByPart
}

/** The embodied total of a device, which a refurbishment or its withdrawal changes. */
export interface DeviceChange {
  readonly serialNumber: string
  readonly before: Milligrams
  readonly after: Milligrams
}

/** The emission that moves in a calendar year of a customer. */
export interface YearChange {
  readonly customerId: string
  readonly year: number
  readonly difference: EmissionsByPart
}

export interface EventPreview {
  /** The first day on which the change counts in periods, YYYY-MM-DD; null if the books are open for all days. */
  readonly countsFrom: string | null
  /** The orders to which the event posts entries. */
  readonly orders: readonly OrderChange[]
  readonly devices: readonly DeviceChange[]
  /** Null if a device has a long ledger, which is read only in part. */
  readonly years: readonly YearChange[] | null
}

export type PreviewOutcome =
  | NothingToPost
  | { readonly outcome: 'previewed'; readonly preview: EventPreview; readonly event: NewEvent }

/** @throws ApiError if the event contradicts the recorded state */
export const previewOrderEvent = (
  store: EventStore,
  account: EventAccount,
  order: OrderKey,
  wire: WireOrderEvent,
  references: EventReferences,
): Promise<PreviewOutcome> =>
  decideOnOrder(store, account, order, wire, references, (decided, { entries }) => preview(decided, entries))

/** @throws ApiError if the event contradicts the recorded state */
export const previewDeviceEvent = (
  store: EventStore,
  account: DeviceEventAccount,
  serialNumber: string,
  wire: WireDeviceEvent,
  release: CurrentRelease,
  referenceDataOf: LoadReferenceData,
): Promise<PreviewOutcome> =>
  decideOnDevice(store, account, serialNumber, wire, release, referenceDataOf, (decided) => preview(decided, []))

/** @throws ApiError if the correction contradicts the recorded state */
export const previewCorrection = (
  store: EventStore,
  account: EventAccount,
  order: OrderKey,
  correction: OrderCorrection,
  referenceDataOf: LoadReferenceData,
): Promise<CorrectionOutcome<EventPreview>> =>
  decideCorrection(
    store,
    account,
    order,
    correction,
    referenceDataOf,
    async ({ transaction, revision, ledgers }, { entries }) => {
      const { event, order: next } = revision
      const posting = { ...revision, serialNumber: null }
      const { customerId, orderId, tenureStartDate } = next
      const unposted = { customerId, orderId, tenureStartDate, emission: NO_EMISSIONS }
      return (await preview({ transaction, event, posting, ledgers }, entries, [unposted])).preview
    },
  )

/**
 * @param earlier the entries of an order without devices
 * @param unposted orders that would be stored as well
 */
async function preview(
  decided: DecidedEvent,
  earlier: readonly StoredEntry[],
  unposted: readonly PostedOrder[] = [],
): Promise<Exclude<PreviewOutcome, NothingToPost>> {
  const { transaction, event, posting, ledgers } = decided
  forgetPosted(ledgers)
  const time = await transaction.findPostingTime()
  const { identifications = [] } = posting
  const eventOf = ({ eventId }: NewEntry) => identifications.find((one) => one.eventId === eventId) ?? event
  const added = posting.entries.map((entry) => storedEntry(entry, eventOf(entry), time))
  const ofOrders = Map.groupBy(
    added.filter(({ orderId }) => orderId !== ''),
    (entry) => orderKey(sentKeyOf(entry)),
  )
  const orders = await transaction.findPostedEmissions([...ofOrders.values()].map(([first]) => sentKeyOf(first!)))
  const revisions = [...orders, ...unposted]
  const byKey = new Map(revisions.map((order) => [orderKey(order), order]))
  const bySent = Map.groupBy(revisions, (order) => orderKey(sentKeyOf(order)))
  const years = hasLongLedger(ledgers) ? null : await runCooperatively(yearsOf(added, withOwn(ledgers, earlier), byKey))
  return {
    outcome: 'previewed',
    event,
    preview: {
      countsFrom: time.countsFrom,
      orders: [...ofOrders].map(([key, entries]) => changeOf(entries, bySent.get(key)!)),
      devices: devicesOf(decided),
      years,
    },
  }
}

const hasLongLedger = (ledgers: DeviceLedgers): boolean => [...ledgers.values()].some(({ cached }) => cached)

/** @param revisions all of the order: entries are posted to those that were corrected, too */
const changeOf = (entries: readonly StoredEntry[], revisions: readonly PostedOrder[]): OrderChange => ({
  ...sentKeyOf(entries[0]!),
  before: revisions.map(({ emission }) => emission).reduce(addEmissions, NO_EMISSIONS),
  difference: entries.reduce<EmissionsByPart>(addEmissions, NO_EMISSIONS),
})

function devicesOf({ posting, ledgers }: DecidedEvent): readonly DeviceChange[] {
  return posting.devices.flatMap(({ serialNumber, balance }) => {
    const before = ledgers.get(serialNumber)?.device.balance.embodiedTotal ?? 0n
    const after = balance.embodiedTotal
    return before === after ? [] : [{ serialNumber, before, after }]
  })
}

/** The earlier entries by serial number; those of an order without devices have an empty one. */
export const withOwn = (
  ledgers: DeviceLedgers,
  ofOrder: readonly StoredEntry[],
): ReadonlyMap<string, readonly StoredEntry[]> =>
  new Map([...[...ledgers].map(([serial, { entries }]) => [serial, entries] as const), ['', ofOrder]])

/**
 * What new entries change in the years of each customer, by the rule of reports and statements.
 * METHODOLOGY.md#reporting-periods
 */
export function* yearsOf(
  added: readonly StoredEntry[],
  earlier: ReadonlyMap<string, readonly StoredEntry[]>,
  orders: ReadonlyMap<string, PostedOrder>,
): Resumable<readonly YearChange[]> {
  const years = new Map<string, YearChange>()
  for (const [serial, entries] of Map.groupBy(added, ({ serialNumber }) => serialNumber)) {
    const all = [...(earlier.get(serial) ?? []), ...entries]
    const months = serial === '' ? null : yield* monthsOfEntries(all, toTimed)
    const rentals = Map.groupBy(
      [...all.entries()].filter(([, { orderId }]) => orderId !== ''),
      ([, entry]) => orderKey(entry),
    )
    for (const key of new Set(entries.filter(({ orderId }) => orderId !== '').map(orderKey))) {
      const rental = rentals.get(key)!
      const starts = startsOf(rental.map(([, entry]) => entry))
      const dated = datedEmissions(
        rental.map(([at, entry], place) => ({ ...entry, months: months && months[at]!, start: starts[place]! })),
      )
      const isNew = ([, entry]: (typeof rental)[number]) => entries.includes(entry)
      for (const one of dated.filter((_, at) => isNew(rental[at]!)).flat()) addYears(years, one, orders.get(key)!)
      yield
    }
  }
  return [...years.values()]
    .filter(({ difference }) => PARTS.some((part) => difference[part] !== 0n))
    .toSorted((a, b) => (a.customerId === b.customerId ? a.year - b.year : a.customerId < b.customerId ? -1 : 1))
}

function addYears(
  years: Map<string, YearChange>,
  dated: DatedEmission,
  { customerId, tenureStartDate }: PostedOrder,
): void {
  for (const part of PARTS) {
    for (const { month, emission } of monthsOfPart(part, dated[part], dated, tenureStartDate)) {
      const year = Number(month.slice(0, 4))
      const key = `${year} ${customerId}`
      const difference = years.get(key)?.difference ?? NO_EMISSIONS
      years.set(key, { customerId, year, difference: { ...difference, [part]: difference[part] + emission } })
    }
  }
}
