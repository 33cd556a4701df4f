// What a restatement changes in the orders of a group, cause by cause, without storing anything.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { NO_EMISSIONS, addEmissions, totalEmissionOf, type EmissionsByPart } from '../../engine/ledger-history.ts'
import { PARTS, type Milligrams } from '../../engine/numbers/emission.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { sentKeyOf } from '../naming-order.ts'
import { storedEntry } from '../posted-ledgers.ts'
import { withOwn, yearsOf } from '../preview-event.ts'
import type { LoadReferenceData } from '../record-event.ts'
import type { DeviceLedgers, NewEntry, PostedOrder, PostingTime, StoredEntry } from '../records.ts'
import type { LedgerTransaction } from '../store.ts'
import { CAUSES, FIGURE_CAUSES, differingCauses, mixReleases, type Cause } from './causes.ts'
import type { PlannedOrder } from './plan.ts'
import { restateOrder, type NamedRelease, type NotRestated, type Restating } from './restate-order.ts'
import { tryOn, type Trial } from './trial-transaction.ts'

/** What each cause changes; causes that change nothing are left out. */
export type Bridge<Difference> = Readonly<Partial<Record<Cause, Difference>>>

export interface RestatedOrder {
  readonly key: OrderKey
  readonly before: Milligrams
  readonly bridge: Bridge<EmissionsByPart>
}

export interface RestatedYear {
  readonly customerId: string
  readonly year: number
  readonly bridge: Bridge<Milligrams>
}

export interface GroupPreview {
  readonly countsFrom: string | null
  /** All orders whose emission changes, also those of which only a device does. */
  readonly orders: readonly RestatedOrder[]
  readonly years: readonly RestatedYear[]
  /** Devices of which the embodied emission changes. */
  readonly devices: number
  readonly refused: readonly { readonly key: OrderKey; readonly why: NotRestated }[]
}

/** No stored release has this number, or a lower one: those are of 16 bits. */
const FIRST_MIXED = -100_000

/** Releases that are mixed from two, each under a number that no stored release has. */
export function createReleaseMixer(referenceDataOf: LoadReferenceData) {
  const mixed = new Map<string, NamedRelease>()
  const byId = new Map<number, ReferenceData>()
  const differing = new Map<string, ReturnType<typeof differingCauses>>()
  return {
    referenceDataOf: (releaseId: number): Promise<ReferenceData> => {
      const known = byId.get(releaseId)
      return known ? Promise.resolve(known) : referenceDataOf(releaseId)
    },
    differing: async (earlier: number, later: number) => {
      const pair = `${earlier} ${later}`
      const known = differing.get(pair) ?? differingCauses(await referenceDataOf(earlier), await referenceDataOf(later))
      differing.set(pair, known)
      return known
    },
    mix: async (earlier: number, later: number, exchanged: ReadonlySet<Cause>): Promise<NamedRelease> => {
      const name = `${earlier} ${later} ${[...exchanged].join(' ')}`
      const known = mixed.get(name)
      if (known) return known
      const referenceData = mixReleases(await referenceDataOf(earlier), await referenceDataOf(later), exchanged)
      const release = { releaseId: FIRST_MIXED - mixed.size, referenceData }
      mixed.set(name, release)
      byId.set(release.releaseId, referenceData)
      return release
    },
  }
}

export type ReleaseMixer = ReturnType<typeof createReleaseMixer>

/**
 * Restates the orders of a group as often as there are causes, each time with one cause more. The difference between
 * two of these is what a cause changes; together they are what the restatement changes, to the milligram.
 * @param snapshot reads what is stored
 */
export async function previewGroup(
  snapshot: LedgerTransaction,
  restating: Restating,
  group: readonly PlannedOrder[],
  mixer: ReleaseMixer,
): Promise<GroupPreview> {
  const stored = readingOnce(snapshot)
  const time = await stored.findPostingTime()
  const causes = await causesOf(group, mixer)
  const exchanged = new Set<Cause>()
  const steps: { readonly cause: Cause; readonly moved: Moved }[] = []
  let refused: GroupPreview['refused'] = []
  let [before, trial]: [DeviceLedgers, Trial | null] = [new Map(), null]
  for (const cause of causes) {
    exchanged.add(cause)
    const isLast = cause === causes.at(-1)
    trial = tryOn(stored, time)
    refused = await restateAll(trial.transaction, restating, group, mixer, isLast ? null : new Set(exchanged))
    before = await stored.lockLedgers([...trial.ledgers.keys()], null)
    steps.push({ cause, moved: await movedBy(trial, before, stored, time) })
  }
  return {
    countsFrom: time.countsFrom,
    orders: await bridgedOrders(steps, stored),
    years: bridgedYears(steps),
    devices: trial ? devicesChanged(before, trial.ledgers) : 0,
    refused,
  }
}

/** Those that may move an emission of the group; at least one, so that the group is restated in any case. */
async function causesOf(group: readonly PlannedOrder[], { differing }: ReleaseMixer): Promise<readonly Cause[]> {
  const found = new Set<Cause>()
  for (const { storedReleaseId, resolution } of group) {
    if (resolution.isIdentifiedAnew) found.add('identification')
    for (const cause of await differing(storedReleaseId, resolution.releaseId)) found.add(cause)
  }
  return found.size === 0 ? [FIGURE_CAUSES[0]!] : CAUSES.filter((cause) => found.has(cause))
}

/** @param exchanged the causes so far; null for all, by the release itself */
async function restateAll(
  transaction: LedgerTransaction,
  restating: Restating,
  group: readonly PlannedOrder[],
  { mix, referenceDataOf }: ReleaseMixer,
  exchanged: ReadonlySet<Cause> | null,
): Promise<GroupPreview['refused']> {
  const refused: { key: OrderKey; why: NotRestated }[] = []
  for (const { key, storedReleaseId, resolution } of group) {
    const { releaseId } = resolution
    const release = exchanged
      ? await mix(storedReleaseId, releaseId, exchanged)
      : { releaseId, referenceData: await referenceDataOf(releaseId) }
    const resolve = () => Promise.resolve({ ...resolution, ...release })
    const why = await restateOrder(transaction, restating, key, resolve, referenceDataOf)
    if (why !== null) refused.push({ key, why })
  }
  return refused
}

/** By the key of an order as it was sent, and by customer and year. */
interface Moved {
  readonly orders: ReadonlyMap<string, { readonly key: OrderKey; readonly parts: EmissionsByPart }>
  readonly years: ReadonlyMap<string, { readonly customerId: string; readonly year: number; readonly sum: Milligrams }>
}

async function movedBy(
  { appended }: Trial,
  before: DeviceLedgers,
  stored: LedgerTransaction,
  time: PostingTime,
): Promise<Moved> {
  const added = appended.flatMap(({ entries, event, identifications }) => {
    const eventOf = ({ eventId }: NewEntry) => identifications.find((one) => one.eventId === eventId) ?? event
    return entries.map((entry) => storedEntry(entry, eventOf(entry), time))
  })
  const ofOrders = added.filter(({ orderId }) => orderId !== '')
  const bySent = Map.groupBy(ofOrders, (entry) => orderKey(sentKeyOf(entry)))
  const orders = new Map(
    [...bySent].map(([sent, entries]) => [
      sent,
      { key: sentKeyOf(entries[0]!), parts: entries.reduce<EmissionsByPart>(addEmissions, NO_EMISSIONS) },
    ]),
  )
  const known = await stored.findPostedEmissions([...orders.values()].map(({ key }) => key))
  const next: readonly PostedOrder[] = appended.map(({ order: { customerId, orderId, tenureStartDate } }) => ({
    customerId,
    orderId,
    tenureStartDate,
    emission: NO_EMISSIONS,
  }))
  const byKey = new Map([...known, ...next].map((order) => [orderKey(order), order]))
  const years = await runCooperatively(yearsOf(added, withOwn(before, await aloneBefore(added, stored)), byKey))
  return {
    orders,
    years: new Map(
      years.map(({ customerId, year, difference }) => [
        `${year} ${customerId}`,
        { customerId, year, sum: totalEmissionOf(difference) },
      ]),
    ),
  }
}

/** The entries of the order without devices that the group is; none for a group with devices. */
async function aloneBefore(added: readonly StoredEntry[], stored: LedgerTransaction): Promise<readonly StoredEntry[]> {
  const first = added.find(({ serialNumber }) => serialNumber === '')
  return first ? stored.findOrderEntries({ customerId: first.customerId, orderId: first.orderId }) : []
}

async function bridgedOrders(
  steps: readonly { readonly cause: Cause; readonly moved: Moved }[],
  stored: LedgerTransaction,
): Promise<readonly RestatedOrder[]> {
  const keys = new Map(steps.flatMap(({ moved }) => [...moved.orders].map(([sent, { key }]) => [sent, key])))
  const posted = Map.groupBy(await stored.findPostedEmissions([...keys.values()]), (one) => orderKey(sentKeyOf(one)))
  return [...keys].flatMap(([sent, key]) => {
    const bridge: Partial<Record<Cause, EmissionsByPart>> = {}
    let earlier: EmissionsByPart = NO_EMISSIONS
    for (const { cause, moved } of steps) {
      const parts = moved.orders.get(sent)?.parts ?? NO_EMISSIONS
      const difference = subtract(parts, earlier)
      if (PARTS.some((part) => difference[part] !== 0n)) bridge[cause] = difference
      earlier = parts
    }
    const before = (posted.get(sent) ?? []).reduce((sum, { emission }) => sum + totalEmissionOf(emission), 0n)
    return Object.keys(bridge).length === 0 ? [] : [{ key, before, bridge }]
  })
}

function bridgedYears(steps: readonly { readonly cause: Cause; readonly moved: Moved }[]): readonly RestatedYear[] {
  const keys = new Map(steps.flatMap(({ moved }) => [...moved.years]))
  return [...keys].flatMap(([name, { customerId, year }]) => {
    const bridge: Partial<Record<Cause, Milligrams>> = {}
    let earlier = 0n
    for (const { cause, moved } of steps) {
      const sum = moved.years.get(name)?.sum ?? 0n
      if (sum !== earlier) bridge[cause] = sum - earlier
      earlier = sum
    }
    return Object.keys(bridge).length === 0 ? [] : [{ customerId, year, bridge }]
  })
}

const subtract = (one: EmissionsByPart, other: EmissionsByPart): EmissionsByPart =>
  Object.fromEntries(PARTS.map((part) => [part, one[part] - other[part]])) as EmissionsByPart

const devicesChanged = (before: DeviceLedgers, after: DeviceLedgers): number =>
  [...after].filter(
    ([serial, { device }]) => device.balance.embodiedTotal !== before.get(serial)?.device.balance.embodiedTotal,
  ).length

/** The steps read the same records. */
function readingOnce(snapshot: LedgerTransaction): LedgerTransaction {
  const read = new Map<string, Promise<unknown>>()
  const once = <Result>(name: string, key: unknown, find: () => Promise<Result>): Promise<Result> => {
    const place = `${name} ${JSON.stringify(key)}`
    const known = (read.get(place) as Promise<Result> | undefined) ?? find()
    read.set(place, known)
    return known
  }
  return {
    ...snapshot,
    findOrder: (key) => once('order', key, () => snapshot.findOrder(key)),
    findOrders: (keys) => once('orders', keys, () => snapshot.findOrders(keys)),
    findEvents: async (order, eventId) => {
      // The id of a restatement's event is new each time.
      const { events } = await once('events', order, () => snapshot.findEvents(order, eventId))
      return { events, sameId: null }
    },
    findOrderEntries: (key) => once('entries', key, () => snapshot.findOrderEntries(key)),
    lockLedgers: (serials) => once('ledgers', [...serials].toSorted(), () => snapshot.lockLedgers(serials, null)),
    findPostedEmissions: (keys) => once('posted', keys, () => snapshot.findPostedEmissions(keys)),
  }
}
