// Corrects the content of an order: takes back all that its current revision posted, and posts the next revision with
// the events of the order that count.
import { randomUUID } from 'node:crypto'
import type { OrderKey } from '../engine/device-timeline.ts'
import { messageOf } from '../engine/order.ts'
import type { EventRejection } from '../engine/order-events.ts'
import { nextRevisionId, revisionOf } from '../engine/order-revision.ts'
import type { MappingOf } from '../engine/reference/product-match.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { resolveOrder, serialNumbersOf } from '../engine/resolve-order.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { RecordedOrderEvent } from '../contract/event-schema.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { ApiError, invalidRequest } from '../contract/errors.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import { eventContent, loadReferenceDataOf } from './codec.ts'
import { countedEvents } from './counted-events.ts'
import { decideOrderEventPosting } from './decide-order-event.ts'
import { differencesOfOrder } from './idempotency.ts'
import { LEDGER_MESSAGES } from './messages.ts'
import { postingOfKnownDevices, postingOfNewOrder, type ParsedOrder } from './order-posting.ts'
import { lockRecords, storedEntry, type EventAccount, type LoadReferenceData } from './record-event.ts'
import type {
  DeviceLedgers,
  EventPosting,
  NewEntry,
  NewEvent,
  OrderRecords,
  PostingTime,
  RevisionPosting,
  StoredEvent,
} from './records.ts'
import type { EventStore, LedgerTransaction } from './store.ts'

export interface OrderCorrection {
  /** The whole content, under the id that the client sent. */
  readonly wire: WireOrder
  readonly reason: string | null
  /** The tags of the states that may be corrected; null for any. */
  readonly tags: readonly string[] | null
  /** The account's mappings of product ids. */
  readonly mappingOf: MappingOf
}

/** `unchanged`: the order has this content already. */
export type CorrectionOutcome<Result> = { readonly outcome: 'not-found' | 'unchanged' } | Corrected<Result>

interface Corrected<Result> {
  readonly outcome: 'corrected'
  readonly result: Result
}

/** Identifies the state of an order: its content and its events. A state of other content or events has another tag. */
export const tagOf = ({ order, events }: Pick<OrderRecords, 'order' | 'events'>): string =>
  `${revisionOf(order.orderId)}-${events.length}`

/** A correction that was decided under locks and is not stored yet. */
export interface DecidedCorrection {
  readonly transaction: LedgerTransaction
  readonly revision: RevisionPosting
  /** The locked ledgers, without what the correction posts. */
  readonly ledgers: DeviceLedgers
}

/** @throws ApiError if the correction contradicts the recorded state; then nothing is stored */
export const correctOrder = (
  store: EventStore,
  account: EventAccount,
  order: OrderKey,
  correction: OrderCorrection,
  referenceDataOf: LoadReferenceData,
): Promise<CorrectionOutcome<void>> =>
  decideCorrection(store, account, order, correction, referenceDataOf, ({ transaction, revision }) =>
    transaction.appendRevision(revision),
  )

/**
 * Decides what a correction posts, and finishes in the same transaction.
 * @param finish stores the correction, or reports what it would change
 * @throws ApiError if the correction contradicts the recorded state; then `finish` is not called
 */
export const decideCorrection = <Result>(
  store: EventStore,
  { accountId, isCapped }: EventAccount,
  order: OrderKey,
  correction: OrderCorrection,
  referenceDataOf: LoadReferenceData,
  finish: (decided: DecidedCorrection, records: OrderRecords) => Promise<Result>,
): Promise<CorrectionOutcome<Result>> =>
  store.onOrder(accountId, order, async (transaction): Promise<CorrectionOutcome<Result>> => {
    const { wire, reason, tags } = correction
    const eventId = `correction-${randomUUID()}`
    const { records, key } = await lockRecords(transaction, order, eventId, serialNumbersIn(wire))
    if (!records) return { outcome: 'not-found' }
    if (differencesOfOrder(records.order, wire).length === 0) return { outcome: 'unchanged' }
    if (tags && !tags.includes(tagOf(records))) throw changedMeanwhile(records)
    if (records.order.status === 'reversed') throw new ApiError('conflict', LEDGER_MESSAGES.order_reversed())
    const next = { ...wire, order_id: nextRevisionId(key.orderId) }
    const parsed = await resolveNext(next, records, correction, referenceDataOf, isCapped)
    const content: RecordedOrderEvent = { event_id: eventId, type: 'corrected', ...(reason !== null && { reason }) }
    const event = { eventId, order: key, serialNumber: null, content: JSON.stringify(content) }
    const revision = await decideRevision(parsed, content, event, records, referenceDataOf)
    return { outcome: 'corrected', result: await finish({ transaction, revision, ledgers: records.ledgers }, records) }
  })

const serialNumbersIn = ({ items = [] }: WireOrder): readonly string[] =>
  items.flatMap((item) => (item.type === 'product' ? [item.config.serial_number] : []))

const changedMeanwhile = (records: OrderRecords): ApiError =>
  new ApiError('precondition_failed', LEDGER_MESSAGES.order_changed({ etag: `"${tagOf(records)}"` }))

/**
 * The products and names of the corrected content, by the release of the order: what was not corrected stays as it is.
 * @throws ApiError if the release does not have a name
 */
async function resolveNext(
  wire: WireOrder,
  { order: { releaseId } }: OrderRecords,
  { mappingOf }: OrderCorrection,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
  isCapped: boolean,
): Promise<ParsedOrder> {
  const resolved = resolveOrder(toEngineOrder(wire), await referenceDataOf(releaseId), mappingOf)
  if (!resolved.ok) throw invalidRequest(resolved.problems)
  return { wire, items: resolved.items, releaseId, isCapped }
}

/** What has been decided so far: the records with all of it, and its devices and entries. */
interface Draft {
  readonly records: OrderRecords
  readonly devices: RevisionPosting['devices']
  readonly entries: RevisionPosting['entries']
  readonly identifications: RevisionPosting['identifications']
}

async function decideRevision(
  parsed: ParsedOrder,
  content: RecordedOrderEvent,
  event: NewEvent,
  records: OrderRecords,
  referenceDataOf: LoadReferenceData,
): Promise<RevisionPosting> {
  const { isCapped, releaseId, items } = parsed
  const load = (ledgers: DeviceLedgers) => loadReferenceDataOf(ledgers, [releaseId], referenceDataOf)
  const remaining = new Set(serialNumbersOf(items))
  const taken = await decide(content, records, await load(records.ledgers), isCapped, remaining)
  let draft: Draft = afterEvent({ records, devices: [], entries: [], identifications: [] }, taken, event)
  draft = await withNextOrder(draft, parsed, referenceDataOf)
  const events = countedEvents(records.events).filter((one) => eventContent(one).type !== 'withdrawn')
  for (const one of events) {
    const posting = await decide(replayable(one), draft.records, await load(draft.records.ledgers), isCapped, NONE, one)
    draft = afterEvent(draft, posting, one)
  }
  const {
    records: { order },
    devices,
    entries,
    identifications,
  } = draft
  return { event, order, status: order.status, events, devices, entries, identifications }
}

const NONE: ReadonlySet<string> = new Set()

/** A swap that was sent without the device that it replaced names it. */
function replayable(stored: StoredEvent): RecordedOrderEvent {
  const wire = eventContent(stored)
  return wire.type === 'swapped' && stored.serialNumber !== null
    ? { ...wire, serial_number: stored.serialNumber }
    : wire
}

/** @param recorded the event if it was recorded before, and contradicts the corrected content if it is rejected */
async function decide(
  wire: RecordedOrderEvent,
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
  interim: ReadonlySet<string>,
  recorded?: StoredEvent,
): Promise<EventPosting> {
  const decision = await runCooperatively(
    decideOrderEventPosting(wire, records, referenceDataOf, isCapped, { interim }),
  )
  if (decision.ok) return decision.posting
  throw contradiction(recorded?.eventId ?? wire.event_id, decision)
}

/** Thrown, so that the transaction forgets the ledgers that the facts before were posted to. */
const contradiction = (eventId: string, { problem }: EventRejection): ApiError =>
  new ApiError(
    'conflict',
    LEDGER_MESSAGES.event_contradicts_content({ event_id: eventId, problem: messageOf(problem) }),
  )

function afterEvent(draft: Draft, posting: EventPosting, event: NewEvent): Draft {
  const { records } = draft
  const added = posting.entries.filter(({ serialNumber }) => serialNumber === '')
  const status = posting.status ?? records.order.status
  return {
    records: {
      order: { ...records.order, status },
      events: [...records.events, { ...event, postedAt: NOT_YET.postedAt }],
      ledgers: ledgersWith(records.ledgers, posting, []),
      entries: [...records.entries, ...added.map((entry) => storedEntry(entry, event, NOT_YET))],
    },
    devices: [...draft.devices, ...posting.devices],
    entries: [...draft.entries, ...posting.entries],
    identifications: draft.identifications,
  }
}

async function withNextOrder(draft: Draft, parsed: ParsedOrder, referenceDataOf: LoadReferenceData): Promise<Draft> {
  const { ledgers } = draft.records
  const asNew = postingOfNewOrder(parsed)
  const isKnown = asNew.devices.some(({ serialNumber }) => ledgers.has(serialNumber))
  const posting = isKnown ? await postingOfKnownDevices(parsed, asNew, ledgers, referenceDataOf) : asNew
  const { order, devices, entries, identifications } = posting
  const own = entries.filter(({ serialNumber }) => serialNumber === '')
  return {
    records: {
      order: { ...order, createdAt: NOT_YET.postedAt, status: 'created' },
      events: [],
      ledgers: ledgersWith(ledgers, posting, identifications),
      entries: own.map((entry) => storedEntry(entry, NO_EVENT, NOT_YET)),
    },
    devices: [...draft.devices, ...devices],
    entries: [...draft.entries, ...entries],
    identifications,
  }
}

/** In the draft: what is decided does not depend on the time of posting. */
const NOT_YET: PostingTime = { postedAt: new Date(0), countsFrom: null, isSpreadUntilEnd: true }
const NO_EVENT = { content: '' }

/**
 * The ledgers with what is posted to them. A cached ledger includes it already.
 * @param events those of entries of a device alone
 */
function ledgersWith(
  before: DeviceLedgers,
  { devices, entries }: Pick<EventPosting, 'devices' | 'entries'>,
  events: readonly NewEvent[],
): DeviceLedgers {
  const after = new Map(before)
  const eventOf = ({ eventId }: NewEntry) => events.find((event) => event.eventId === eventId) ?? NO_EVENT
  const bySerial = Map.groupBy(entries, ({ serialNumber }) => serialNumber)
  for (const device of devices) {
    const { serialNumber } = device
    const earlier = before.get(serialNumber)
    const added = (bySerial.get(serialNumber) ?? []).map((entry: NewEntry, at) => ({
      ...storedEntry(entry, eventOf(entry), NOT_YET),
      ...(at === 0 && (!earlier || entry.orderId === '') && { footprint: device }),
    }))
    const rest = earlier?.cached ? { cached: earlier.cached } : {}
    after.set(serialNumber, { device, entries: [...(earlier?.entries ?? []), ...added], ...rest })
  }
  return after
}
