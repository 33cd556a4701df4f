// What a restatement changes in the orders of a group, cause by cause, without storing anything.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { NO_EMISSIONS, addEmissions, totalEmissionOf, type EmissionsByPart } from '../../engine/ledger-history.ts'
import { PARTS, type Milligrams } from '../../engine/numbers/emission.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { sentKeyOf } from '../naming-order.ts'
import { storedEntry } from '../posted-ledgers.ts'
import { withOwn, yearsOf } from '../preview-event.ts'
import type { DeviceLedgers, NewEntry, PostedOrder, PostingTime, StoredEntry } from '../records.ts'
import type { LedgerTransaction } from '../store.ts'
import { CAUSES, FIGURE_CAUSES, type Cause } from './causes.ts'
import { readAhead, type ReadAhead } from './read-ahead.ts'
import { resolveAgain, type NewFigures, type Resolution } from './resolve-again.ts'
import type { ReleaseMixer } from './release-mixer.ts'
import { restateOrders, type NotRestated, type Restating } from './restate-order.ts'
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
  /** Number of entries in each ledger that the preview used; it grows when anything is posted to the device. */
  readonly ledgers: readonly (readonly [serialNumber: string, entries: number])[]
  /** All orders whose emission changes, also those of which only a device does. */
  readonly orders: readonly RestatedOrder[]
  /** Empty if they are not wanted. */
  readonly years: readonly RestatedYear[]
  /** Devices of which the embodied emission changes. */
  readonly devices: number
  readonly refused: readonly { readonly key: OrderKey; readonly why: NotRestated }[]
}

/** An order of the group that the new figures change. */
interface ToRestate {
  readonly key: OrderKey
  /** The release of the order as it is stored. */
  readonly storedReleaseId: number
  readonly resolution: Resolution
}

interface Trying {
  readonly figures: NewFigures
  readonly mixer: ReleaseMixer
  /** Is called after each order. */
  readonly pause: () => Promise<void>
}

/**
 * Restates the orders of a group as often as there are causes, each time with one cause more. The difference between
 * two of these is what a cause changes; together they are what the restatement changes, to the milligram.
 * @param snapshot reads what is stored
 * @param isWithYears whether the years are computed, too, which follow from the rest
 */
export async function previewGroup(
  snapshot: LedgerTransaction,
  restating: Restating,
  keys: readonly OrderKey[],
  trying: Trying,
  isWithYears: boolean,
): Promise<GroupPreview> {
  const { figures, mixer } = trying
  const { transaction: stored, long, replaced } = await readAhead(snapshot, keys, figures.undoes)
  const time = await snapshot.findPostingTime()
  const group = await toRestate(stored, keys, replaced, trying)
  const causes = await causesOf(group, mixer)
  const exchanged = new Set<Cause>()
  const steps: { readonly cause: Cause; readonly moved: Moved }[] = []
  let refused: GroupPreview['refused'] = []
  let [before, trial]: [DeviceLedgers, Trial | null] = [new Map(), null]
  for (const cause of causes) {
    exchanged.add(cause)
    const isLast = cause === causes.at(-1)
    trial = tryOn(stored, time)
    refused = await restateAll(trial.transaction, restating, group, trying, isLast ? null : new Set(exchanged))
    before = await stored.lockLedgers([...trial.ledgers.keys()], null)
    steps.push({ cause, moved: await movedBy(trial, before, stored, time, isWithYears) })
  }
  return {
    countsFrom: time.countsFrom,
    ledgers: [...before].map(([serial, { entries }]) => [serial, entries.length] as const),
    orders: await bridgedOrders(steps, stored),
    years: bridgedYears(steps),
    devices: trial ? devicesChanged(before, trial.ledgers) : 0,
    refused: [
      ...keys.filter((key) => long.has(orderKey(key))).map((key) => ({ key, why: 'long_ledger' as const })),
      ...refused,
    ],
  }
}

/** Orders of the group that the new figures still change; others may have been changed in the meantime. */
async function toRestate(
  stored: LedgerTransaction,
  keys: readonly OrderKey[],
  replaced: ReadAhead['replaced'],
  { figures, mixer, pause }: Trying,
): Promise<readonly ToRestate[]> {
  const group: ToRestate[] = []
  for (const key of keys) {
    const found = await stored.findOrder(key)
    const candidate = found && { ...found, replaced: replaced.get(orderKey(key)) ?? null }
    const again = candidate && (await resolveAgain(candidate, figures, mixer))
    if (again?.outcome === 'changed')
      group.push({ key, storedReleaseId: found!.order.releaseId, resolution: again.resolution })
    await pause()
  }
  return group
}

/** Those that may move an emission of the group; at least one, so that the group is restated in any case. */
async function causesOf(group: readonly ToRestate[], { differing }: ReleaseMixer): Promise<readonly Cause[]> {
  const found = new Set<Cause>()
  for (const { storedReleaseId, resolution } of group) {
    if (resolution.isIdentifiedAnew) found.add('identification')
    for (const cause of await differing(storedReleaseId, resolution.releaseId)) found.add(cause)
  }
  return found.size === 0 ? [FIGURE_CAUSES[0]!] : CAUSES.filter((cause) => found.has(cause))
}

/** @param exchanged the causes so far; null for all, by the release itself */
const restateAll = (
  transaction: LedgerTransaction,
  restating: Restating,
  group: readonly ToRestate[],
  { mixer: { mix, referenceDataOf }, pause }: Trying,
  exchanged: ReadonlySet<Cause> | null,
): Promise<GroupPreview['refused']> =>
  restateOrders(
    transaction,
    restating,
    group,
    async ({ storedReleaseId, resolution }) => {
      const { releaseId } = resolution
      const release = exchanged
        ? await mix(storedReleaseId, releaseId, exchanged)
        : { releaseId, referenceData: await referenceDataOf(releaseId) }
      return { ...resolution, ...release }
    },
    { referenceDataOf, pause },
  )

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
  isWithYears: boolean,
): Promise<Moved> {
  const added = appended.flatMap(({ revision: { entries, event, identifications } }) => {
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
  return { orders, years: isWithYears ? await yearsMoved(added, appended, before, orders, stored) : new Map() }
}

async function yearsMoved(
  added: readonly StoredEntry[],
  appended: Trial['appended'],
  before: DeviceLedgers,
  orders: Moved['orders'],
  stored: LedgerTransaction,
): Promise<Moved['years']> {
  const known = await stored.findPostedEmissions([...orders.values()].map(({ key }) => key))
  const next: readonly PostedOrder[] = appended.map(({ revision: { order } }) => ({
    customerId: order.customerId,
    orderId: order.orderId,
    tenureStartDate: order.tenureStartDate,
    emission: NO_EMISSIONS,
  }))
  const byKey = new Map([...known, ...next].map((order) => [orderKey(order), order]))
  const years = await runCooperatively(yearsOf(added, withOwn(before, await aloneBefore(added, stored)), byKey))
  return new Map(
    years.map(({ customerId, year, difference }) => [
      `${year} ${customerId}`,
      { customerId, year, sum: totalEmissionOf(difference) },
    ]),
  )
}

/** The stored entries of the orders that have no devices. */
async function aloneBefore(added: readonly StoredEntry[], stored: LedgerTransaction): Promise<readonly StoredEntry[]> {
  const alone = added.filter(({ serialNumber }) => serialNumber === '')
  const keys = new Map(
    alone.map(({ customerId, orderId }) => [orderKey({ customerId, orderId }), { customerId, orderId }]),
  )
  return (await Promise.all([...keys.values()].map((key) => stored.findOrderEntries(key)))).flat()
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
