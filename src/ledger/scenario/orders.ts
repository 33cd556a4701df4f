// The orders of a scenario: what each would have said, and why it stays as it is.
import { allocateLines } from '../../engine/allocation.ts'
import { asFirstRental, estimateItem, type EmissionLine } from '../../engine/estimate.ts'
import type { RecordedEvent } from '../../engine/order-replay.ts'
import type { Order } from '../../engine/order.ts'
import type { DeviceType, ReferenceData } from '../../engine/reference/reference-data.ts'
import { productsOf, resolveStored, type ResolvedItem } from '../../engine/resolve-order.ts'
import {
  changeContent,
  type ContentChange,
  type OrderContent,
  type ScenarioChange,
  type UnchangedReason,
} from '../../engine/scenario/changes.ts'
import { eventsStating, type CountedEntry } from '../../engine/scenario/replay-ledger.ts'
import { stateEntries, type StatedEntry, type StatedOrder } from '../../engine/stated-entries.ts'
import { toEngineOrder } from '../../contract/parse-order.ts'
import { decodeOrder, replayedEvent } from '../codec.ts'
import type { StoredEvent, StoredOrder } from '../records.ts'

/** A revision of an order in the scope, with what it posted. */
export interface ScenarioRevision {
  readonly stored: StoredOrder
  readonly events: readonly StoredEvent[]
  /** By serial number; '' for an order without devices. */
  readonly entriesOf: (serialNumber: string) => readonly CountedEntry[]
}

/** What an order says of each device with each of its events, with the items that it says it of. */
export interface ChangedRevision {
  readonly items: readonly ResolvedItem[]
  /** By serial number, '' for an order without devices, and by event, null for the order as it was sent. */
  readonly stated: ReadonlyMap<string, ReadonlyMap<string | null, StatedEntry>>
}

export interface RevisionOutcome {
  /** Null if no change of its content concerns it. */
  readonly changed: ChangedRevision | null
  /** For each change of content: null if it applies. */
  readonly reasons: ReadonlyMap<ContentChange, UnchangedReason | null>
}

export const contentOf = (stored: StoredOrder, events: readonly StoredEvent[]): OrderContent => ({
  order: toEngineOrder(decodeOrder(stored)),
  events: events.map(replayedEvent),
})

export const isOfContent = (change: ScenarioChange): change is ContentChange =>
  change.type === 'tenure' || change.type === 'transportation' || change.type === 'packaging'

/** Each change sees what those before it made of the order. One that an event of the order contradicts is left out. */
export function changeRevision(
  revision: ScenarioRevision,
  changes: readonly ContentChange[],
  typeOf: (serialNumber: string) => DeviceType | null,
  referenceData: ReferenceData,
): RevisionOutcome {
  const reasons = new Map<ContentChange, UnchangedReason | null>()
  let content = contentOf(revision.stored, revision.events)
  let changed: ChangedRevision | null = null
  for (const change of changes) {
    const result = changeContent(content, change, typeOf, referenceData)
    if ('unchanged' in result) {
      reasons.set(change, result.unchanged)
      continue
    }
    const next = restate(revision, result.content, referenceData)
    reasons.set(change, next ? null : 'event_contradicts')
    if (!next) continue
    content = result.content
    changed = next
  }
  return { changed, reasons }
}

/** Null if an event could not have been recorded, or would have posted to other devices than it did. */
function restate(
  { stored, entriesOf }: ScenarioRevision,
  { order, events }: OrderContent,
  referenceData: ReferenceData,
): ChangedRevision | null {
  const items = resolveStored(order, stored, referenceData)
  const { entries, events: outcomes } = stateOrder(order, events, items, stored.releaseId)
  if (outcomes.some(({ ok }) => !ok)) return null
  const stated = new Map<string, ReadonlyMap<string | null, StatedEntry>>()
  for (const [serial, own] of entries) {
    const before =
      serial === '' ? entriesOf('').map(({ eventId }) => eventId) : eventsStating(entriesOf(serial), stored)
    if (
      !isSameList(
        before,
        own.map(({ eventId }) => eventId),
      )
    )
      return null
    stated.set(serial, new Map(own.map((entry) => [entry.eventId, entry])))
  }
  return { items, stated }
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((element, at) => element === other[at])

function stateOrder(
  order: Order,
  events: readonly RecordedEvent[],
  items: readonly ResolvedItem[],
  releaseId: number,
): StatedOrder {
  const products = productsOf(order)
  const weights = products.length === 0 ? [null] : products.map(({ weightKg }) => weightKg)
  const shares = allocateLines(sharedLinesOf(items), weights)
  const bySerial = new Map(shares.map((share, at) => [products[at]?.serialNumber ?? '', share]))
  return stateEntries({ order, releaseId, sharedOf: (serial) => bySerial.get(serial)! }, events)
}

const NOBODY = asFirstRental(true)

/** The lines of transportation and packaging. */
export const sharedLinesOf = (items: readonly ResolvedItem[]): readonly EmissionLine[] =>
  items.flatMap((item) => (item.type === 'product' ? [] : estimateItem(item, NOBODY)))

/** The entries of an order without devices as the scenario changes it. */
export const replayAlone = (
  entries: readonly CountedEntry[],
  stated: ReadonlyMap<string | null, StatedEntry>,
): readonly CountedEntry[] =>
  entries.map((entry) => {
    const { packaging, transportation } = stated.get(entry.eventId)!
    return { ...entry, packaging, transportation }
  })
