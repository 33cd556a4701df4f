// Corrects the content of an order: takes back all that its current revision posted, and posts the next revision with
// the events of the order that count.
import { hash, randomUUID } from 'node:crypto'
import type { OrderKey } from '../engine/device-timeline.ts'
import { revisionOf } from '../engine/order-revision.ts'
import type { Problem } from '../engine/order.ts'
import type { MappingOf } from '../engine/reference/product-match.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { resolveOrder, serialNumbersOf } from '../engine/resolve-order.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { RecordedOrderEvent } from '../contract/event-schema.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { ApiError, invalidRequest } from '../contract/errors.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import { eventContent, loadReferenceDataOf } from './codec.ts'
import { countedEvents, swapsIn } from './counted-events.ts'
import { decideOrderEventPosting, statusByEntries } from './decide-order-event.ts'
import { differencesOfOrder } from './idempotency.ts'
import { identifyLeftDevices } from './left-devices.ts'
import { similarityWarnings } from './ledger-warnings.ts'
import { LEDGER_MESSAGES } from './messages.ts'
import { isSameOrder } from './naming-order.ts'
import { postingOfKnownDevices, postingOfNewOrder, type ParsedOrder } from './order-posting.ts'
import { serialNumbersOfOrder } from './order-state.ts'
import { identifiedBySerial, ledgersWith, NO_EVENT, NOT_YET, storedEntry } from './posted-ledgers.ts'
import { lockRecords, type EventAccount, type LoadReferenceData } from './record-event.ts'
import { contradiction, replayEvents, type PostedEvents } from './replay-events.ts'
import { asNextRevision } from './revisions.ts'
import type {
  DeviceLedgers,
  EventPosting,
  NewEvent,
  OrderPosting,
  OrderRecords,
  RevisionPosting,
  StoredEvent,
} from './records.ts'
import { ledgerWarningsOf, refusalByWarnings } from './stored-warnings.ts'
import type { EventStore, LedgerTransaction } from './store.ts'

export interface OrderCorrection {
  /** The whole content, under the id that the client sent. */
  readonly wire: WireOrder
  readonly reason: string | null
  /** The tags of the states that may be corrected; null for any. */
  readonly tags: readonly string[] | null
  /** The account's mappings of product ids. */
  readonly mappingOf: MappingOf
  /** True if it is refused where the ledgers of the devices have warnings. */
  readonly isStrict: boolean
}

/** `unchanged`: the order has this content already. */
export type CorrectionOutcome<Result> = { readonly outcome: 'not-found' } | Unchanged | Corrected<Result>

interface Unchanged {
  readonly outcome: 'unchanged'
  /** What was said against this content when it was stored. */
  readonly warnings: readonly Problem[]
}

interface Corrected<Result> {
  readonly outcome: 'corrected'
  readonly result: Result
  /** What the ledgers of the devices, without the order, say against the content. */
  readonly warnings: readonly Problem[]
}

/** Identifies the state of an order: its content and its events. A state of other content or events has another tag. */
const contentTagOf = ({ order, events }: Pick<OrderRecords, 'order' | 'events'>): string =>
  `${revisionOf(order.orderId)}-${events.length}`

/**
 * Identifies the response to an order: after its content and events, all else that the response depends on. That is
 * the number of entries of each of its devices, since other orders post to it through them; names, which an erasure
 * replaces; and the version of the program. The figures of a dataset release never change.
 */
export function tagOf(records: OrderRecords, version: string): string {
  const { order, events, entries, ledgers, corrections = [] } = records
  const names = [order.status, order.metadata, order.items, ...events.map(({ content }) => content)]
  const earlier = corrections.map(({ replaced, event }) => [replaced.items, replaced.metadata, event.content])
  const posted = [...ledgers].map(([serialNumber, ledger]) => [serialNumber, ledger.entries.length])
  const rest = hash('sha256', JSON.stringify([version, names, earlier, posted, entries.length]), 'base64url')
  return `${contentTagOf(records)}-${rest.slice(0, 16)}`
}

/** Whether a tag that a client read names the current content and events; what other orders posted does not matter. */
const isOfContent = (tag: string, records: OrderRecords): boolean =>
  tag.split('-', 2).join('-') === contentTagOf(records)

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
  decideCorrection(store, account, order, correction, referenceDataOf, ({ transaction, revision, ledgers }) =>
    transaction.appendRevisions([{ revision, ledgers }]),
  )

/**
 * Decides what a correction posts, and finishes in the same transaction.
 * @param finish stores the correction, or reports what it would change
 * @throws ApiError if the correction contradicts the recorded state; then `finish` is not called
 */
export const decideCorrection = <Result>(
  store: EventStore,
  { accountId, recordedBy, isCapped }: EventAccount,
  order: OrderKey,
  correction: OrderCorrection,
  referenceDataOf: LoadReferenceData,
  finish: (decided: DecidedCorrection, records: OrderRecords) => Promise<Result>,
): Promise<CorrectionOutcome<Result>> =>
  store.onOrder(accountId, order, async (transaction): Promise<CorrectionOutcome<Result>> => {
    const { wire, reason, tags, isStrict } = correction
    const eventId = `correction-${randomUUID()}`
    const { records, key } = await lockRecords(transaction, order, eventId, serialNumbersIn(wire))
    if (!records) return { outcome: 'not-found' }
    if (differencesOfOrder(records.order, wire).length === 0)
      return { outcome: 'unchanged', warnings: ledgerWarningsOf(records.order) }
    if (tags && !tags.some((tag) => isOfContent(tag, records))) throw changedMeanwhile(records)
    if (records.order.status === 'reversed') throw new ApiError('conflict', LEDGER_MESSAGES.order_reversed())
    const next = asNextRevision(wire, key.orderId)
    const parsed = { ...(await resolveNext(next, records, correction, referenceDataOf, isCapped)), recordedBy }
    const content: RecordedOrderEvent = { event_id: eventId, type: 'corrected', ...(reason !== null && { reason }) }
    const event = { eventId, recordedBy, order: key, serialNumber: null, content: JSON.stringify(content) }
    const revision = await decideRevision(parsed, content, event, records, transaction, referenceDataOf)
    const warnings = ledgerWarningsOf(revision.order)
    if (isStrict) refuseNew(warnings, ledgerWarningsOf(records.order))
    const misspelt = await misspeltSerials(parsed, records, transaction)
    const result = await finish({ transaction, revision, ledgers: records.ledgers }, records)
    return { outcome: 'corrected', result, warnings: [...warnings, ...misspelt] }
  })

/** Not of a device that only this order had: the correction is of its case or white space. */
async function misspeltSerials(
  { items }: ParsedOrder,
  { order, ledgers }: OrderRecords,
  transaction: LedgerTransaction,
): Promise<readonly Problem[]> {
  const isOfOthers = (known: string) =>
    ledgers.get(known)?.entries.some((entry) => entry.orderId !== '' && !isSameOrder(entry, order)) ?? true
  const similar = await transaction.findSimilarSerials(serialNumbersOf(items))
  return similarityWarnings(items, new Map([...similar].filter(([, known]) => isOfOthers(known))), ledgers)
}

/**
 * What the order was accepted with does not refuse its correction.
 * @throws ApiError for a warning that the content before did not have
 */
function refuseNew(warnings: readonly Problem[], before: readonly Problem[]): void {
  const kept = new Set(before.map(({ code, path }) => `${code} ${path}`))
  const added = warnings.filter(({ code, path }) => !kept.has(`${code} ${path}`))
  if (added.length > 0) throw refusalByWarnings(added)
}

const serialNumbersIn = ({ items = [] }: WireOrder): readonly string[] =>
  items.flatMap((item) => (item.type === 'product' ? [item.config.serial_number] : []))

const changedMeanwhile = (records: OrderRecords): ApiError =>
  new ApiError('precondition_failed', LEDGER_MESSAGES.order_changed({ etag: `"${contentTagOf(records)}"` }))

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

/**
 * What the next revision of an order posts, and what it takes back of the current one.
 * @param parsed the next revision, under its own id
 * @throws ApiError where an event of the order contradicts the content
 */
export async function decideRevision(
  parsed: ParsedOrder,
  content: RecordedOrderEvent,
  event: NewEvent,
  records: OrderRecords,
  transaction: LedgerTransaction,
  referenceDataOf: LoadReferenceData,
): Promise<RevisionPosting> {
  const taken = await takeBack(content, parsed, records, referenceDataOf)
  const ledgers = ledgersWith(records.ledgers, taken, [], NOT_YET)
  const events = countedEvents(records.events).filter((one) => eventContent(one).type !== 'withdrawn')
  const kept = new Set([...serialNumbersOf(parsed.items), ...swapsIn(events).map(({ wire }) => wire.new_serial_number)])
  const dropped = serialNumbersOfOrder(records.order, []).filter((serial) => !kept.has(serial))
  const { recordedBy } = event
  const left = await identifyLeftDevices(
    records.order,
    dropped,
    records.ledgers,
    ledgers,
    recordedBy,
    transaction,
    referenceDataOf,
  )
  const next = await postingOfNext(parsed, ledgers, referenceDataOf)
  const { order } = next
  const posted = await postingOfEvents(events, next, ledgers, parsed, referenceDataOf)
  const devices = [...taken.devices, ...left.devices, ...next.devices, ...posted.devices]
  const identifications = [...left.identifications, ...next.identifications]
  const own = [...next.entries, ...posted.entries]
  const status = statusByEntries(order, own, events.length)
  return {
    event,
    order,
    status,
    events,
    devices,
    entries: [...taken.entries, ...left.entries, ...own],
    identifications,
  }
}

/** What the current revision posted. To the ledgers of devices that stay in the order, the next one posts at once. */
async function takeBack(
  content: RecordedOrderEvent,
  { isCapped, releaseId, items }: ParsedOrder,
  records: OrderRecords,
  referenceDataOf: LoadReferenceData,
): Promise<EventPosting> {
  const releases = await loadReferenceDataOf(records.ledgers, [releaseId], referenceDataOf)
  const interim = new Set(serialNumbersOf(items))
  const decision = await runCooperatively(decideOrderEventPosting(content, records, releases, isCapped, { interim }))
  if (!decision.ok) throw contradiction(content.event_id, decision)
  return decision.posting
}

function postingOfNext(parsed: ParsedOrder, ledgers: DeviceLedgers, referenceDataOf: LoadReferenceData) {
  const asNew = postingOfNewOrder(parsed)
  const isKnown = asNew.devices.some(({ serialNumber }) => ledgers.has(serialNumber))
  return isKnown ? postingOfKnownDevices(parsed, asNew, ledgers, referenceDataOf) : asNew
}

/** The events were accepted before, so they are decided for the order alone, as after a withdrawal. */
async function postingOfEvents(
  events: readonly StoredEvent[],
  next: OrderPosting,
  before: DeviceLedgers,
  { isCapped, releaseId }: ParsedOrder,
  referenceDataOf: LoadReferenceData,
): Promise<PostedEvents> {
  if (events.length === 0) return { devices: [], entries: [] }
  const { order, devices, entries, identifications } = next
  const identified = identifiedBySerial(identifications)
  const ledgers = ledgersWith(before, { devices, entries, identified }, identifications, NOT_YET)
  const releases = await loadReferenceDataOf(ledgers, [releaseId], referenceDataOf)
  const own = entries.filter(({ serialNumber }) => serialNumber === '')
  const records: OrderRecords = {
    order: { ...order, createdAt: NOT_YET.postedAt, status: 'created' },
    events: [],
    ledgers,
    entries: own.map((entry) => storedEntry(entry, NO_EVENT, NOT_YET)),
  }
  return runCooperatively(replayEvents(events, records, releases, isCapped))
}
