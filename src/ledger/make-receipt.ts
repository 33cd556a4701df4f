// Builds a receipt from stored records: writes the inputs in the receipt's form, then computes it as a verifier would.
import { orderKey, type Rental } from '../engine/device-timeline.ts'
import { printCandidate, rankCandidates } from '../engine/matching/matcher.ts'
import type { ReferenceDataOf, ReferenceData } from '../engine/reference/reference-data.ts'
import { isExactMatch } from '../engine/reference/product-match.ts'
import { PARTS, toKilograms, type Part } from '../engine/numbers/emission.ts'
import type { NamedProduct, Swap } from '../engine/order-inputs.ts'
import { toExactText } from '../engine/numbers/rational.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import type { DeviceLedger, OrderRecords, StoredEntry, StoredOrder } from './records.ts'
import { countedSwaps } from './counted-events.ts'
import { serialNumbersOfOrder } from './order-state.ts'
import { toSwap } from './swapped-product.ts'
import { hashMember } from '../documents/signature.ts'
import { buildReceipt, type BuiltReceipt } from '../receipts/build-receipt.ts'
import { printDefault } from '../receipts/print-devices.ts'
import { readReceiptInputs } from '../receipts/read-receipt.ts'
import { JsonNumber, toJsonValue, type JsonValue, type JsonObject } from '../strict-json/exact-tree.ts'
import { Decoder } from '../strict-json/decoder.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import { decodeOrder, decodeSentOrder, deviceId, knownInSteps, printRecorder, timelineOfDevice } from './codec.ts'

export interface ReceiptRequest {
  readonly accountId: number
  readonly version: string
  readonly at: Date
  readonly knownAt: Date | null
}

/** The receipt of an order, as of the time of its records: current or earlier. */
export function* buildReceiptFor(
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  request: ReceiptRequest,
): Resumable<BuiltReceipt> {
  const swaps = new Map(countedSwaps(records.events).map((swap) => [swap.wire.event_id, toSwap(swap, records.ledgers)]))
  const releases = releasesOf(records, [...swaps.values()], referenceDataOf)
  const head = toJsonValue({
    issued: {
      version: request.version,
      at: request.at.toISOString(),
      known_at: request.knownAt?.toISOString(),
    },
    order: {
      received_at: records.order.createdAt.toISOString(),
      dataset_release: referenceDataOf(records.order.releaseId).release,
      as_received: decodeSentOrder(records.order),
      corrections: records.corrections?.map(({ event, replaced }) => ({
        corrected_at: event.postedAt.toISOString(),
        recorded_by: printRecorder(event.recordedBy),
        event: JSON.parse(event.content) as object,
        replaced: decodeSentOrder(replaced),
      })),
    },
    events: records.events.map(({ eventId, postedAt, recordedBy, serialNumber, content }) => ({
      recorded_at: postedAt.toISOString(),
      recorded_by: printRecorder(recordedBy),
      serial_number: serialNumber,
      ...inputsOfNamed(swaps.get(eventId)?.named, referenceDataOf),
      event: JSON.parse(content) as object,
    })),
    posted_to_order: records.entries.map((entry) => inputsOfEntry(entry, new Map(), referenceDataOf)),
  }) as JsonObject
  const inputs = {
    ...head,
    match: yield* matchesOf(records.order, referenceDataOf(records.order.releaseId)),
    devices: yield* devicesOf(records, referenceDataOf, request),
  }
  const built = yield* buildReceipt(
    readReceiptInputs(new Decoder(inputs), [...releases.keys()]),
    (id) => [...releases.values()][id]!,
  )
  return { ...built, tree: { ...built.tree, hash: toJsonValue(yield* hashMember(built.tree)) } }
}

/** What the words of a swap were matched to, if they fixed what the new device is charged by. */
const inputsOfNamed = (named: NamedProduct | null | undefined, referenceDataOf: ReferenceDataOf) =>
  named && {
    resolved_to: named.footprintId,
    match_method: named.matchMethod,
    dataset_release: referenceDataOf(named.releaseId).release,
  }

/** What each product was resolved to, and, if its words do not identify a model, the other candidates. */
function matchesOf(order: StoredOrder, referenceData: ReferenceData): Resumable<readonly JsonValue[]> {
  const products = toEngineOrder(decodeOrder(order)).items.flatMap((item) => (item.type === 'product' ? [item] : []))
  return mapResumable(products, (product, at) =>
    toJsonValue({
      resolved_to: order.footprintIds[at],
      match_method: order.matchMethods[at],
      candidates: isExactMatch(order.matchMethods[at]!)
        ? []
        : rankCandidates(product, referenceData).map((one) => printCandidate(one, referenceData)),
    }),
  )
}

function* devicesOf(
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  { accountId }: ReceiptRequest,
): Resumable<readonly JsonValue[]> {
  const devices: JsonValue[] = []
  for (const serial of serialNumbersOfOrder(records.order, records.events)) {
    const ledger = records.ledgers.get(serial)
    if (!ledger) throw new Error(`The order "${records.order.orderId}" has a device without a ledger`)
    const inputs = yield* inputsOfDevice(ledger, records.order, referenceDataOf)
    devices.push(toJsonValue({ device_id: deviceId(accountId, serial), ...inputs }))
    yield
  }
  return devices
}

/** The dataset releases that the order is based on, by name: its own first. */
function releasesOf(
  { order, ledgers }: OrderRecords,
  swaps: readonly Swap[],
  referenceDataOf: ReferenceDataOf,
): ReadonlyMap<string, ReferenceData> {
  const own = [...ledgers.values()].flatMap(({ device, entries }) => [
    device.releaseId,
    ...entries.filter((entry) => orderKey(entry) === orderKey(order)).map(({ releaseId }) => releaseId),
  ])
  return new Map(
    [order.releaseId, ...own, ...swaps.flatMap(({ named }) => named?.releaseId ?? [])]
      .map(referenceDataOf)
      .map((referenceData) => [referenceData.release, referenceData]),
  )
}

function* inputsOfDevice(ledger: DeviceLedger, order: StoredOrder, referenceDataOf: ReferenceDataOf) {
  const known = yield* knownInSteps(ledger, referenceDataOf)
  const { device, history } = known
  const { steps } = yield* timelineOfDevice(known)
  const rentals = steps.flatMap((step) => ('run' in step ? [{ ...step.order, terms: step.run.terms }] : []))
  const places = new Map(rentals.map((rental, at) => [orderKey(rental), at + 1]))
  const posted = ledger.entries.filter((entry) => orderKey(entry) === orderKey(order))
  return {
    serial_number: device.serialNumber,
    footprint_id: device.footprintId,
    dataset_release: referenceDataOf(device.releaseId).release,
    weight_kg: device.weightKg ?? undefined,
    amortisation: device.isCapped ? 'capped' : 'uncapped',
    identified_by: known.identifiedBy ?? undefined,
    ledger: {
      rentals: rentals.map((rental) => ({
        is_this_order: orderKey(rental) === orderKey(order),
        ...inputsOfTerms(rental),
      })),
      events: [...history.events.values()].map((event) =>
        event.type === 'refurbished'
          ? {
              ...event,
              emission: toExactText(event.emission),
              months_added: toExactText(event.monthsAdded),
              emission_default: event.byDefault && printDefault(event.byDefault),
            }
          : event,
      ),
    },
    posted: posted.map((entry) => inputsOfEntry(entry, places, referenceDataOf)),
  }
}

const inputsOfTerms = ({ terms }: Rental) => ({ start: terms.start, end: terms.end, months: toExactText(terms.months) })

/** Which terms count again after a withdrawal. */
const inForceInputs = ({ inForce }: StoredEntry) =>
  inForce ? { reason: inForce.reason, event_id: inForce.eventId ?? undefined } : undefined

/** The id of an event of another order is not disclosed to this order's reader. */
function inputsOfEntry(entry: StoredEntry, places: ReadonlyMap<string, number>, referenceDataOf: ReferenceDataOf) {
  const { terms, cause } = entry
  const parts = PARTS.map((part): readonly [Part, JsonNumber] => [part, new JsonNumber(toKilograms(entry[part]))])
  return {
    entry_no: entry.no,
    reason: entry.reason,
    posted_at: entry.postedAt.toISOString(),
    event_id: cause === null ? (entry.eventId ?? undefined) : undefined,
    caused_by_rental: cause === null ? undefined : (places.get(orderKey(cause)) ?? 0),
    in_force: inForceInputs(entry),
    terms: terms
      ? { ...terms, country: entry.country ?? undefined, dataset_release: referenceDataOf(entry.releaseId).release }
      : undefined,
    emission: Object.fromEntries(parts),
  }
}
