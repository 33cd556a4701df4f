// Builds a receipt from its inputs, including the matches and defaults of the order. Also used by verification.
import { itemTotal, type EmissionLine, type EstimatedItem } from '../engine/estimate.ts'
import { METHOD_VERSION, explainLine } from '../engine/explanation/calculation.ts'
import { NO_EMISSIONS, addEmissions } from '../engine/ledger-history.ts'
import { EMISSION_UNIT, GHG_LABELS, sumMilligrams, toKilograms, type Milligrams } from '../engine/numbers/emission.ts'
import { toDecimal, toExactText } from '../engine/numbers/rational.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { replacePseudonyms } from '../engine/order-inputs.ts'
import type { Order } from '../engine/order.ts'
import { recomputeOrder, type RecomputedOrder } from '../engine/recompute-order.ts'
import { isExactMatch } from '../engine/reference/product-match.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import type { ResolvedItem, ResolvedProduct, ResolvedTransportation } from '../engine/resolve-order.ts'
import {
  JsonDecimal,
  toJsonValue,
  toTextualValue,
  type Difference,
  type JsonObject,
} from '../strict-json/exact-tree.ts'
import { printDevice, printEntry } from './print-devices.ts'
import { RECEIPT_FORMAT, type ReceiptInputs } from './read-receipt.ts'
import { printRelease, requiredData } from './reference-data.ts'

/**
 * For each product: the requested attributes, the footprint they resolved to, the match method, and other candidates.
 */
function printMatches({ facts, candidates }: ReceiptInputs) {
  const { order, footprintIds, matchMethods } = facts
  const products = order.items.flatMap((item, at) => (item.type === 'product' ? [{ product: item, at }] : []))
  return products.map(({ product, at }, position) => ({
    item: at,
    serial_number: product.serialNumber,
    requested: {
      product_id: product.productId,
      model_id: product.modelId ?? undefined,
      product_name: product.productName ?? undefined,
      brand: product.brand ?? undefined,
      device_type: product.deviceType ?? undefined,
    },
    resolved_to: footprintIds[position],
    match_method: matchMethods[position],
    candidates: isExactMatch(matchMethods[position]!) ? [{ model_id: footprintIds[position] }] : candidates[position],
  }))
}

/** The items as they were computed, with every value filled in that the order left open. */
const printNormalisedOrder = ({ sent, items }: RecomputedOrder) => ({
  products: sent.flatMap((item, at) => (item.type === 'product' ? [printProduct(item, at, items)] : [])),
  transportations: sent.flatMap((item, at) => (item.type === 'transportation' ? [printTransportation(item, at)] : [])),
})

const useOf = (item: ResolvedProduct, items: RecomputedOrder['items']): string => {
  const own = items.find((one) => one.item.type === 'product' && one.item.product === item.product)
  return own?.lines.find(({ part }) => part === 'product_use')?.working.method ?? 'none'
}

const printProduct = (item: ResolvedProduct, at: number, items: RecomputedOrder['items']) => ({
  item: at,
  serial_number: item.product.serialNumber,
  country: item.country,
  footprint_id: item.footprintId,
  match_level: item.footprint.level,
  lifetime_months: toExactText(item.footprint.lifetimeMonths),
  lifetime_from: item.footprint.lifetimeFrom,
  use_by: useOf(item, items),
})

const printTransportation = ({ transportation, factor, distanceKm }: ResolvedTransportation, at: number) => ({
  item: at,
  transportation_id: factor.id,
  transportation_mode: factor.mode,
  distance_basis: transportation.distanceBasis ?? factor.distanceBasis,
  distance_km: toExactText(distanceKm),
  distance_km_basis: factor.distanceBasis,
})

interface Default {
  readonly item: number
  readonly code: string
  readonly message: string
}

/** The values used where the order states none or its statement cannot be resolved. */
const printDefaults = ({ sent }: RecomputedOrder, order: Order): readonly Default[] =>
  sent.flatMap((item, at) => defaultsOf(item, order).map(([code, message]) => ({ item: at, code, message })))

function defaultsOf(item: ResolvedItem, order: Order): readonly (readonly [code: string, message: string])[] {
  if (item.type === 'product') return [...countryDefaults(item, order), ...figureDefaults(item)]
  if (item.type === 'packaging') return []
  const { transportation, factor, distanceKm } = item
  const { distanceBasis, distanceKm: stated } = transportation
  if (distanceBasis === null) {
    return [['distance_basis', `No distance_basis is stated: the distance is taken as ${factor.distanceBasis}.`]]
  }
  if (distanceBasis === factor.distanceBasis) return []
  const [from, to] = [stated, distanceKm].map((distance) => toDecimal(distance))
  return [['distance', `${from} km ${distanceBasis} are taken as ${to} km ${factor.distanceBasis}.`]]
}

function countryDefaults({ product, country }: ResolvedProduct, order: Order) {
  if (product.country !== null) return []
  if (country === null) return [['no_country', 'No country is stated: no grid factor can be taken.'] as const]
  return [['country', `No country is stated for the product: that of the order is taken, ${order.country}.`] as const]
}

function figureDefaults({ footprint, footprintId, ownFootprintId, identifiedBy, byDefault = [] }: ResolvedProduct) {
  const { level, lifetimeFrom, useFrom, energyFrom, yearlyEnergyKwh, model, typeDefault } = footprint
  const type = `the default of the type "${typeDefault.type}"`
  return [
    ...(level === 'model' ? [] : [['model', `No model is known: ${footprint.name}.`] as const]),
    ...(footprintId === ownFootprintId
      ? []
      : identifiedBy
        ? [
            [
              'identified',
              `The device is charged by ${footprintId}, as the event "${identifiedBy}" identified it.`,
            ] as const,
          ]
        : [['fixed_by_first_order', `The device is charged by ${footprintId}, which its first order fixed.`] as const]),
    ...(model && lifetimeFrom === 'type' ? [['lifetime_months', `The lifetime is ${type}.`] as const] : []),
    ...(model && useFrom === 'type' ? [['use_share', `The share of use is ${type}.`] as const] : []),
    ...(model && yearlyEnergyKwh && energyFrom === 'type'
      ? [['yearly_energy_kwh', `The yearly electricity is ${type}.`] as const]
      : []),
    ...byDefault.map(({ date, byDefault: { deviceType, release } }) => {
      const ofType = `the default of the type "${deviceType}" in the release ${release}`
      return ['refurbishment', `The emission of the refurbishment on ${date} is ${ofType}.`] as const
    }),
  ]
}

export interface BuiltReceipt {
  /** Without its hash. */
  readonly tree: JsonObject
  readonly lines: number
  readonly devices: number
  /** The first place where the posted emission differs from the emission of the order; null if there is none. */
  readonly imbalance: Difference | null
}

/** @throws RangeError if the inputs are inconsistent */
export function* buildReceipt(inputs: ReceiptInputs, referenceDataOf: ReferenceDataOf): Resumable<BuiltReceipt> {
  const { facts, issued, deviceIds, format } = inputs
  const toValue = format === RECEIPT_FORMAT ? toTextualValue : toJsonValue
  const recomputed = yield* recomputeOrder(facts, referenceDataOf)
  const head = toValue({
    media_type: format,
    issued: {
      by: 'cradle',
      version: issued.version,
      method: METHOD_VERSION,
      at: issued.at,
      known_at: issued.knownAt ?? undefined,
    },
    order: {
      received_at: inputs.receivedAt,
      dataset_release: referenceDataOf(facts.releaseId).release,
      as_received: inputs.asReceived,
      corrections: inputs.corrections,
      normalised: printNormalisedOrder(recomputed),
      defaults_applied: printDefaults(recomputed, facts.order),
    },
    events: inputs.events,
  }) as JsonObject
  const tree: JsonObject = {
    ...head,
    match: yield* mapResumable(printMatches(inputs), toValue),
    releases: yield* mapResumable(requiredData(facts, referenceDataOf), ([id, needs]) =>
      printRelease(referenceDataOf(id), needs),
    ),
    devices: yield* mapResumable(recomputed.devices, (device) =>
      toValue({ device_id: deviceIds.get(device.facts.serialNumber), ...printDevice(device, referenceDataOf) }),
    ),
    posted_to_order: toValue(facts.posted.map((entry) => printEntry(entry, referenceDataOf))),
    items: yield* mapResumable(recomputed.items, (item) =>
      toValue(printItem(item, referenceDataOf(facts.releaseId), deviceIds)),
    ),
    ...(toValue(printTotals(recomputed)) as JsonObject),
  }
  return {
    tree,
    lines: recomputed.items.flatMap(({ lines }) => lines).length,
    devices: recomputed.devices.length,
    imbalance: imbalanceOf(recomputed, inputs),
  }
}

const kg = (emission: Milligrams): JsonDecimal => new JsonDecimal(toKilograms(emission))

function printItem(estimated: EstimatedItem, referenceData: ReferenceData, deviceIds: ReceiptInputs['deviceIds']) {
  const { item, lines } = estimated
  const serial = item.type === 'product' ? item.product.serialNumber : undefined
  return {
    type: item.type,
    device_id: serial === undefined ? undefined : deviceIds.get(serial),
    serial_number: serial,
    total_emission: kg(itemTotal(estimated)),
    emission_breakdown: Object.fromEntries(lines.map((line) => [line.part, printLine(line, referenceData)])),
  }
}

function printLine(line: EmissionLine, referenceData: ReferenceData) {
  const calculation = explainLine(line, referenceData)
  return {
    description: line.description,
    emission: kg(line.emission),
    emission_unit: EMISSION_UNIT,
    ghg_category: GHG_LABELS[line.part].category,
    ghg_scope: GHG_LABELS[line.part].scope,
    type: line.type,
    calculation: {
      ...calculation,
      inputs: calculation.inputs.map(({ symbol, name, value, unit, from }) => ({ symbol, name, value, unit, from })),
      notes: calculation.notes.map(({ message }) => replacePseudonyms(message)),
    },
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

/** The posted emission must equal the computed one: for every device, or for the order if it has no devices. */
function imbalanceOf({ devices, items }: RecomputedOrder, { facts }: ReceiptInputs): Difference | null {
  for (const [at, { facts: device, total }] of devices.entries()) {
    const posted = device.posted.reduce<typeof NO_EMISSIONS>(addEmissions, NO_EMISSIONS)
    for (const part of Object.keys(NO_EMISSIONS) as (keyof typeof NO_EMISSIONS)[]) {
      if (posted[part] !== total[part])
        return difference(`/devices/${at}/posted_total/${part}`, total[part], posted[part])
    }
  }
  if (devices.length > 0) return null
  const [expected, posted] = [
    sumMilligrams(items.map(itemTotal)),
    sumMilligrams(facts.posted.map((entry) => entry.packaging + entry.transportation)),
  ]
  return posted === expected ? null : difference('/posted_to_order', expected, posted)
}

const difference = (place: string, expected: Milligrams, found: Milligrams): Difference => ({
  place,
  found: toKilograms(found),
  expected: toKilograms(expected),
})
