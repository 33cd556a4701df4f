// A receipt from what it is computed from: the same function makes it, and makes it again to verify it.
import { METHOD_VERSION, explainLine } from '../engine/explanation/calculation.ts'
import { addEmissions, NO_EMISSIONS } from '../engine/ledger-history.ts'
import { itemTotal, type EmissionLine, type EstimatedItem } from '../engine/estimate.ts'
import type { ReferenceDataOf, ReferenceData } from '../engine/reference/reference-data.ts'
import { EMISSION_UNIT, GHG_LABELS, sumMilligrams, toKilograms, type Milligrams } from '../engine/numbers/emission.ts'
import { replacePseudonyms } from '../engine/order-inputs.ts'
import { recomputeOrder, type RecomputedOrder } from '../engine/recompute-order.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { printNormalisedOrder, printDefaults, printMatches } from './defaults.ts'
import { printDevice, printEntry } from './devices.ts'
import { requiredData, printRelease } from './figures.ts'
import type { ReceiptInputs } from './read-inputs.ts'
import { JsonNumber, sha256OfCanonicalResumable, toJsonValue, type Difference, type JsonObject } from './json-tree.ts'

export const RECEIPT_FORMAT = 'cradle-receipt/1'

const HASH_OF =
  'all other members as canonical JSON in UTF-8: members sorted by code point, no white space, numbers in shortest ' +
  'decimal form, strings escaped as JSON.stringify does: only ", \\ and characters below U+0020'

export interface BuiltReceipt {
  readonly tree: JsonObject
  readonly lines: number
  readonly devices: number
  /** Where what was posted is not what the order comes to. */
  readonly imbalance: Difference | null
}

/** @throws RangeError where the inputs cannot belong together */
export function* buildReceipt(inputs: ReceiptInputs, bookOf: ReferenceDataOf): Resumable<BuiltReceipt> {
  const { facts, made, deviceIds } = inputs
  const recomputed = yield* recomputeOrder(facts, bookOf)
  const head = toJsonValue({
    receipt: RECEIPT_FORMAT,
    made: {
      by: 'cradle',
      version: made.version,
      method: METHOD_VERSION,
      at: made.at,
      known_at: made.knownAt ?? undefined,
    },
    order: {
      received_at: inputs.receivedAt,
      dataset_release: bookOf(facts.releaseId).release,
      as_received: inputs.asReceived,
      after_defaults: printNormalisedOrder(recomputed),
      defaults_applied: printDefaults(recomputed, facts.order),
    },
    events: inputs.events,
  }) as JsonObject
  const tree: JsonObject = {
    ...head,
    match: yield* mapResumable(printMatches(inputs), toJsonValue),
    releases: yield* mapResumable(requiredData(facts, bookOf), ([id, needs]) => printRelease(bookOf(id), needs)),
    devices: yield* mapResumable(recomputed.devices, (device) =>
      toJsonValue({ device_id: deviceIds.get(device.facts.serialNumber), ...printDevice(device, bookOf) }),
    ),
    posted_to_order: toJsonValue(facts.posted.map((entry) => printEntry(entry, bookOf))),
    items: yield* mapResumable(recomputed.items, (item) =>
      toJsonValue(printItem(item, bookOf(facts.releaseId), deviceIds)),
    ),
    ...(toJsonValue(printTotals(recomputed)) as JsonObject),
  }
  return {
    tree: { ...tree, hash: { algorithm: 'sha256', of: HASH_OF, value: yield* sha256OfCanonicalResumable(tree) } },
    lines: recomputed.items.flatMap(({ lines }) => lines).length,
    devices: recomputed.devices.length,
    imbalance: imbalanceOf(recomputed, inputs),
  }
}

const kg = (emission: Milligrams): JsonNumber => new JsonNumber(toKilograms(emission))

function printItem(estimated: EstimatedItem, book: ReferenceData, deviceIds: ReceiptInputs['deviceIds']) {
  const { item, lines } = estimated
  const serial = item.type === 'product' ? item.product.serialNumber : undefined
  return {
    type: item.type,
    device_id: serial === undefined ? undefined : deviceIds.get(serial),
    serial_number: serial,
    total_emission: kg(itemTotal(estimated)),
    emission_breakdown: Object.fromEntries(lines.map((line) => [line.part, printLine(line, book)])),
  }
}

function printLine(line: EmissionLine, book: ReferenceData) {
  const calculation = explainLine(line, book)
  return {
    description: line.description,
    emission: kg(line.emission),
    emission_unit: EMISSION_UNIT,
    ghg_category: GHG_LABELS[line.part].category,
    ghg_scope: GHG_LABELS[line.part].scope,
    type: line.type,
    calculation: { ...calculation, notes: calculation.notes.map(replacePseudonyms) },
  }
}

function printTotals({ items, status }: RecomputedOrder) {
  const certain = items.flatMap(({ lines }) => lines).filter(({ type }) => type !== 'indicative')
  return {
    status,
    emission_unit: EMISSION_UNIT,
    total_emission: kg(sumMilligrams(items.map(itemTotal))),
    total_emission_excluding_indicative: kg(sumMilligrams(certain.map(({ emission }) => emission))),
  }
}

/** What was posted has to be what the order comes to: for every device, or for the order where it has none. */
function imbalanceOf({ devices, items }: RecomputedOrder, { facts }: ReceiptInputs): Difference | null {
  for (const [at, { facts: device, carries }] of devices.entries()) {
    const posted = device.posted.reduce<typeof NO_EMISSIONS>(addEmissions, NO_EMISSIONS)
    for (const part of Object.keys(NO_EMISSIONS) as (keyof typeof NO_EMISSIONS)[]) {
      if (posted[part] !== carries[part])
        return difference(`/devices/${at}/posted_in_all/${part}`, carries[part], posted[part])
    }
  }
  if (devices.length > 0) return null
  const [expected, posted] = [
    sumMilligrams(items.map(itemTotal)),
    sumMilligrams(facts.posted.map((entry) => entry.packaging + entry.transportation)),
  ]
  return posted === expected ? null : difference('/posted_to_order', expected, posted)
}

const difference = (pointer: string, expected: Milligrams, found: Milligrams): Difference => ({
  pointer,
  expected: kg(expected),
  found: kg(found),
})
