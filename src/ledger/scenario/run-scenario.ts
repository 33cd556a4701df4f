// Recomputes stored orders under the changes of a scenario, and compares their years with those that were posted.
// Nothing is stored. METHODOLOGY.md#scenarios
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { PARTS, sumMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { ReferenceDataOf } from '../../engine/reference/reference-data.ts'
import { resolveStored, type ResolvedItem } from '../../engine/resolve-order.ts'
import {
  isOfType,
  type ElectricityChange,
  type ScenarioChange,
  type UnchangedReason,
} from '../../engine/scenario/changes.ts'
import type { CountedEntry } from '../../engine/scenario/replay-ledger.ts'
import { YearComparison, yearsOfEntries, type ScenarioSums, type YearsByPart } from '../../engine/scenario/years.ts'
import type { StatedEntry } from '../../engine/stated-entries.ts'
import { sentKeyOf } from '../naming-order.ts'
import { serialNumbersEverInOrder } from '../order-state.ts'
import type { DeviceLedgers, StoredEntry, StoredEvent, StoredOrder } from '../records.ts'
import {
  chargedAfter,
  chargedBefore,
  countedEntry,
  replayDevice,
  scenarioDevice,
  type ScenarioDevice,
  type StatedBySerial,
  type StatedElectricity,
} from './devices.ts'
import { electricityOfOrder, lastTerms, linesOfRental } from './lines.ts'
import {
  changeRevision,
  contentOf,
  isOfContent,
  replayAlone,
  type ChangedRevision,
  type RevisionOutcome,
  type ScenarioRevision,
} from './orders.ts'

/** Everything that is stored of the orders in the scope, from one snapshot. */
export interface ScenarioRecords {
  /** The current revisions. */
  readonly orders: readonly StoredOrder[]
  /** All revisions of these orders, in order. */
  readonly revisions: readonly StoredOrder[]
  /** By orderKey of the revision. */
  readonly events: ReadonlyMap<string, readonly StoredEvent[]>
  /** Of all devices that the revisions ever had. */
  readonly ledgers: DeviceLedgers
  /** Of revisions without devices, by orderKey. */
  readonly alone: ReadonlyMap<string, readonly StoredEntry[]>
}

/** Orders that a change left as they are. */
export interface UnchangedOrders {
  /** The index of the change. */
  readonly change: number
  readonly reason: UnchangedReason
  readonly orders: number
}

export interface ScenarioResult extends ScenarioSums {
  readonly orders: number
  /** Orders that at least one change concerns. */
  readonly changed: number
  /** Orders whose emission in a year is another one: also those that other orders of their devices move. */
  readonly moved: number
  readonly unchanged: readonly UnchangedOrders[]
  /** What the changes move in orders outside the scope, on the devices of those inside it. */
  readonly outside: { readonly orders: number; readonly difference: Milligrams }
}

interface Scenario {
  readonly changes: readonly ScenarioChange[]
  readonly records: ScenarioRecords
  readonly referenceDataOf: ReferenceDataOf
  readonly devices: ReadonlyMap<string, ScenarioDevice>
  readonly revisions: ReadonlyMap<string, ScenarioRevision>
  readonly outcomes: ReadonlyMap<string, RevisionOutcome>
  readonly stated: StatedBySerial
  readonly electricityOf: (device: ScenarioDevice) => StatedElectricity
  readonly tally: YearComparison
  /** Orders in the scope whose emission in a year is another one, by the id that the client sent. */
  readonly moved: Set<string>
}

/** @param referenceDataOf of every release that the records name */
export function* runScenario(
  records: ScenarioRecords,
  changes: readonly ScenarioChange[],
  referenceDataOf: ReferenceDataOf,
): Resumable<ScenarioResult> {
  const scenario = yield* prepare(records, changes, referenceDataOf)
  const outside = new Map<string, Milligrams>()
  for (const device of scenario.devices.values()) {
    yield* addDevice(scenario, device, outside)
    yield
  }
  for (const [key, entries] of records.alone) {
    yield* addAlone(scenario, key, entries.map(countedEntry))
    yield
  }
  const others = [...outside.values()].filter((difference) => difference !== 0n)
  return {
    ...scenario.tally.result(),
    ...countOrders(scenario),
    moved: scenario.moved.size,
    outside: { orders: others.length, difference: sumMilligrams(others) },
  }
}

function* prepare(
  records: ScenarioRecords,
  changes: readonly ScenarioChange[],
  referenceDataOf: ReferenceDataOf,
): Resumable<Scenario> {
  const inScope = new Set(records.orders.map((order) => orderKey(sentKeyOf(order))))
  const isInScope = (order: OrderKey) => inScope.has(orderKey(order))
  const models = changes.filter((change) => change.type === 'model')
  const devices = new Map<string, ScenarioDevice>()
  for (const [serial, ledger] of records.ledgers) {
    devices.set(serial, scenarioDevice(ledger, models, isInScope, referenceDataOf))
    yield
  }
  const revisions = new Map<string, ScenarioRevision>()
  const outcomes = new Map<string, RevisionOutcome>()
  for (const stored of records.revisions) {
    const key = orderKey(stored)
    const alone = (records.alone.get(key) ?? []).map(countedEntry)
    const entriesOf = (serial: string) => (serial === '' ? alone : (devices.get(serial)?.entries ?? []))
    const revision = { stored, events: records.events.get(key) ?? [], entriesOf }
    const typeOf = (serial: string) => devices.get(serial)?.type ?? null
    revisions.set(key, revision)
    outcomes.set(key, changeRevision(revision, changes.filter(isOfContent), typeOf, referenceDataOf(stored.releaseId)))
    yield
  }
  const electricity = changes.filter((change) => change.type === 'electricity')
  const electricityOf =
    ({ type }: ScenarioDevice): StatedElectricity =>
    (order, country) =>
      isInScope(sentKeyOf(order)) ? lastConcerning(electricity, type, country) : null
  const tally = new YearComparison()
  const stated = statedBySerial(outcomes)
  const moved = new Set<string>()
  return { changes, records, referenceDataOf, devices, revisions, outcomes, stated, electricityOf, tally, moved }
}

const lastConcerning = (
  changes: readonly ElectricityChange[],
  type: ScenarioDevice['type'],
  country: string | null,
): ElectricityChange | null =>
  changes.findLast((change) => isOfType(type, change) && (change.country === null || change.country === country)) ??
  null

/** The device's rentals, those in the scope and, as far as they move, the others. */
function* addDevice(scenario: Scenario, device: ScenarioDevice, outside: Map<string, Milligrams>): Resumable<void> {
  const { revisions, referenceDataOf, stated, tally } = scenario
  const isTouched =
    device.replacements.length > 0 ||
    scenario.changes.some(({ type }) => type === 'electricity') ||
    stated.has(device.ledger.device.serialNumber)
  const dayOf = (order: OrderKey) => revisions.get(orderKey(order))?.stored.tenureStartDate ?? null
  const before = yield* yearsOfEntries(device.entries, true, dayOf)
  if (!isTouched) {
    for (const years of before.values()) tally.addUnchanged(years)
    return
  }
  const electricityOf = scenario.electricityOf(device)
  const entries = yield* replayDevice(device, stated, electricityOf, referenceDataOf)
  const after = yield* yearsOfEntries(entries, true, dayOf)
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const sides = [before.get(key), after.get(key)]
    if (isSameYears(sides[0], sides[1])) tally.addUnchanged(sides[0]!)
    else {
      scenario.moved.add(orderKey(sentKeyOf(revisions.get(key)!.stored)))
      tally.addChanged(...sidesOf(scenario, device, key, entries, sides))
    }
  }
  addOutside(device.entries, entries, revisions, outside)
}

function statedBySerial(outcomes: ReadonlyMap<string, RevisionOutcome>): StatedBySerial {
  const all = new Map<string, Map<string, ReadonlyMap<string | null, StatedEntry>>>()
  for (const [key, { changed }] of outcomes) {
    for (const [serial, own] of changed?.stated ?? []) {
      const ofSerial = all.get(serial) ?? new Map<string, ReadonlyMap<string | null, StatedEntry>>()
      all.set(serial, ofSerial.set(key, own))
    }
  }
  return all
}

/** Both sides of a rental, each with the lines that its emission comes from. */
function sidesOf(
  { records, revisions, outcomes, referenceDataOf, electricityOf }: Scenario,
  device: ScenarioDevice,
  key: string,
  entries: readonly CountedEntry[],
  [before, after]: readonly (YearsByPart | undefined)[],
) {
  const { stored } = revisions.get(key)!
  const sent = itemsOf(stored, records, referenceDataOf)
  const items = outcomes.get(key)?.changed?.items ?? sent
  const old = { footprint: chargedBefore(device), items: sent, terms: lastTerms(device.entries, key), stated: null }
  const terms = lastTerms(entries, key)
  const stated = electricityOf(device)(stored, terms.country)
  const next = { footprint: chargedAfter(device), items, terms, stated }
  return [
    before ? { years: before, lines: linesOfRental(old, referenceDataOf) } : null,
    after ? { years: after, lines: linesOfRental(next, referenceDataOf) } : null,
  ] as const
}

const itemsOf = (
  stored: StoredOrder,
  { events }: ScenarioRecords,
  referenceDataOf: ReferenceDataOf,
): readonly ResolvedItem[] =>
  resolveStored(contentOf(stored, events.get(orderKey(stored)) ?? []).order, stored, referenceDataOf(stored.releaseId))

function isSameYears(one: YearsByPart | undefined, other: YearsByPart | undefined): boolean {
  if (!one || !other) return false
  return PARTS.every((part) =>
    [...one[part].keys(), ...other[part].keys()].every(
      (year) => (one[part].get(year) ?? 0n) === (other[part].get(year) ?? 0n),
    ),
  )
}

function addOutside(
  before: readonly CountedEntry[],
  after: readonly CountedEntry[],
  revisions: ReadonlyMap<string, ScenarioRevision>,
  outside: Map<string, Milligrams>,
): void {
  const add = (entry: CountedEntry, sign: bigint) => {
    if (entry.orderId === '' || revisions.has(orderKey(entry))) return
    const key = orderKey(sentKeyOf(entry))
    outside.set(key, (outside.get(key) ?? 0n) + sign * sumMilligrams(PARTS.map((part) => entry[part])))
  }
  for (const entry of after) add(entry, 1n)
  for (const entry of before) add(entry, -1n)
}

function* addAlone(
  { revisions, outcomes, records, referenceDataOf, tally, moved }: Scenario,
  key: string,
  entries: readonly CountedEntry[],
): Resumable<void> {
  const { stored } = revisions.get(key)!
  const changed: ChangedRevision | null = outcomes.get(key)?.changed ?? null
  const dayOf = () => stored.tenureStartDate
  const before = (yield* yearsOfEntries(entries, false, dayOf)).get(key)
  if (!before) return
  if (!changed) return tally.addUnchanged(before)
  const replayed = replayAlone(entries, changed.stated.get('') ?? new Map<string | null, StatedEntry>())
  const after = (yield* yearsOfEntries(replayed, false, dayOf)).get(key)!
  if (isSameYears(before, after)) return tally.addUnchanged(before)
  moved.add(orderKey(sentKeyOf(stored)))
  const sideOf = (years: YearsByPart, items: readonly ResolvedItem[]) => ({
    years,
    lines: linesOfRental({ footprint: null, items, terms: lastTerms(entries, key), stated: null }, referenceDataOf),
  })
  tally.addChanged(sideOf(before, itemsOf(stored, records, referenceDataOf)), sideOf(after, changed.items))
}

/** How many orders each change leaves as they are, and why; an order is counted once for each change. */
function countOrders(scenario: Scenario): Pick<ScenarioResult, 'orders' | 'changed' | 'unchanged'> {
  const counts = scenario.changes.map(() => new Map<UnchangedReason, number>())
  let changed = 0
  for (const order of scenario.records.orders) {
    const reasons = scenario.changes.map((change) => reasonOf(scenario, order, change))
    if (reasons.includes(null)) changed += 1
    for (const [at, reason] of reasons.entries())
      if (reason !== null) counts[at]!.set(reason, (counts[at]!.get(reason) ?? 0) + 1)
  }
  const unchanged = counts.flatMap((ofChange, change) =>
    [...ofChange].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([reason, orders]) => ({ change, reason, orders })),
  )
  return { orders: scenario.records.orders.length, changed, unchanged }
}

/** Why a change does not concern an order; null if it does. */
function reasonOf(
  { devices, outcomes, records, referenceDataOf }: Scenario,
  order: StoredOrder,
  change: ScenarioChange,
): UnchangedReason | null {
  const key = orderKey(order)
  if (isOfContent(change)) return outcomes.get(key)!.reasons.get(change) ?? null
  const serials = new Set(serialNumbersEverInOrder(order, records.events.get(key) ?? []))
  const own = [...serials].flatMap((serial) => devices.get(serial) ?? [])
  const reasons = own.map((device) =>
    change.type === 'model'
      ? (device.models.get(change) ?? null)
      : electricityOfOrder(change, order, device, referenceDataOf),
  )
  if (reasons.length === 0) return 'no_devices'
  return reasons.includes(null) ? null : mostSpecific(reasons as readonly UnchangedReason[])
}

/** Of several devices, what comes closest to a change. */
const mostSpecific = (reasons: readonly UnchangedReason[]): UnchangedReason =>
  reasons.find((reason) => reason !== 'no_such_model' && reason !== 'other_device_type') ?? reasons[0]!
