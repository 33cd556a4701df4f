// Checks a receipt beyond its numbers: references to names elsewhere in it, and the footprints of its devices.
import { aliasKey, type ReferenceDataOf, type ReferenceData } from '../engine/reference/reference-data.ts'
import {
  modelIdByAlias,
  isExactMatch,
  isConsistentMatch,
  isConsistentFallback,
  decodeMatchMethod,
  mappingOfMethod,
  type MatchMethod,
} from '../engine/reference/product-match.ts'
import { WEIGHT_FOOTPRINT_ID } from '../engine/reference/footprint.ts'
import { fallbackById } from '../engine/reference/fallback.ts'
import type { DeviceInputs, OrderInputs, PostedEmission } from '../engine/order-inputs.ts'
import type { Item, Product } from '../engine/order.ts'
import { toExactText, type Rational } from '../engine/numbers/rational.ts'
import { productsOf } from '../engine/resolve-order.ts'
import type { Decoder } from '../strict-json/decoder.ts'

/** @throws DecodeError at a name that does not exist elsewhere in the receipt */
export function checkReferences(receipt: Decoder, facts: OrderInputs, referenceDataOf: ReferenceDataOf): void {
  const referenceData = referenceDataOf(facts.releaseId)
  const serials = new Set(facts.devices.map(({ serialNumber }) => serialNumber))
  const items = receipt.get('order').get('as_received').get('items').list()
  for (const [at, item] of facts.order.items.entries())
    checkItem(items[at]!.get('config'), item, serials, referenceData)
  const products = productsOf(facts.order)
  for (const [at, match] of receipt.get('match').list().entries()) {
    checkBasis(match.get('resolved_to'), referenceData)
    checkMatchMethod(match.get('match_method'), facts.footprintIds[at]!, products[at]!, referenceData)
  }
  for (const [at, device] of receipt.get('devices').list().entries()) {
    checkBasis(device.get('footprint_id'), referenceDataOf(facts.devices[at]!.releaseId))
  }
  const withdrawn = withdrawnEvents(receipt)
  for (const event of receipt.get('events').list()) {
    const newSerialNumber = event.get('event').get('new_serial_number')
    if (newSerialNumber.value === undefined || serials.has(newSerialNumber.text())) continue
    // The replacement of a withdrawn swap is not in the order.
    if (!withdrawn.has(event.get('event').get('event_id').text()))
      throw newSerialNumber.fault('a device of the receipt')
  }
}

/** The ids of the withdrawn events. */
export const withdrawnEvents = (receipt: Decoder): ReadonlySet<string> =>
  new Set(
    receipt
      .get('events')
      .list()
      .flatMap(
        (node) =>
          node
            .get('event')
            .get('withdraws')
            .maybe((id) => id.text()) ?? [],
      ),
  )

function checkItem(config: Decoder, item: Item, serials: ReadonlySet<string>, referenceData: ReferenceData): void {
  if (item.type === 'product') {
    if (!serials.has(item.serialNumber)) throw config.get('serial_number').fault('a device of the receipt')
  } else if (item.type === 'packaging') {
    if (!referenceData.packagings.has(item.packagingId))
      throw config.get('packaging_id').fault(`a packaging of ${referenceData.release}`)
  } else {
    const factor = referenceData.transports.get(item.transportationId)
    if (!factor) throw config.get('transportation_id').fault(`a transportation of ${referenceData.release}`)
    config.get('transportation_mode').oneOf([factor.mode])
  }
}

/** The match method must lead to the footprint that the product resolved to, as far as the receipt shows. */
function checkMatchMethod(node: Decoder, basis: string, product: Product, referenceData: ReferenceData): void {
  const method = decodeMatchMethod(node.text())
  const isRight = isExactMatch(method)
    ? isNamed(method, basis, product, referenceData)
    : isMappedOrGuessed(method, basis, product, referenceData)
  if (!isRight) throw node.fault(`what leads to ${basis}`)
}

function isNamed(
  method: MatchMethod,
  basis: string,
  { modelId, productId }: Product,
  referenceData: ReferenceData,
): boolean {
  if (method === 'model_id') return modelId !== null && modelIdByAlias(modelId, referenceData) === basis
  return modelIdByAlias(productId, referenceData) === basis && (method === 'alias') === (aliasKey(productId) !== basis)
}

function isMappedOrGuessed(
  method: MatchMethod,
  basis: string,
  product: Product,
  referenceData: ReferenceData,
): boolean {
  const mapping = mappingOfMethod(method)
  if (!mapping) return isConsistentMatch({ footprintId: basis, matchMethod: method }, product, referenceData)
  if (mapping.modelId !== null) return mapping.modelId === basis
  return (
    !referenceData.models.has(basis) &&
    isConsistentFallback(basis, { ...product, deviceType: mapping.deviceType }, referenceData)
  )
}

/**
 * A guess or mapping is wrong where an id names a model.
 * @param referenceDataOf the complete release if available, because a receipt prints only the names that it uses
 * @throws DecodeError at a guess or a mapping where an id names a model
 */
export function checkMatches(
  receipt: Decoder,
  { order, matchMethods, releaseId }: OrderInputs,
  referenceDataOf: ReferenceDataOf,
): void {
  const matches = receipt.get('match').list()
  for (const [at, { modelId, productId }] of productsOf(order).entries()) {
    if (isExactMatch(matchMethods[at]!)) continue
    const text = modelId ?? (mappingOfMethod(matchMethods[at]!) ? '' : productId)
    const named = modelIdByAlias(text, referenceDataOf(releaseId))
    if (named !== null) throw matches[at]!.get('match_method').fault(`what names ${named}`)
  }
}

/** The footprint must exist in the release. A type is accepted only if the receipt prints an embodied figure for it. */
function checkBasis(node: Decoder, referenceData: ReferenceData): void {
  const basis = node.text()
  if (basis === WEIGHT_FOOTPRINT_ID || referenceData.models.has(basis) || fallbackById(basis, referenceData)) return
  const type = basis.startsWith('type:') ? basis.slice('type:'.length) : ''
  if (![...referenceData.typeDefaults.values()].some((one) => one.type === type && one.embodied)) {
    throw node.fault(`a model or type of ${referenceData.release}`)
  }
}

/**
 * The footprint that follows from the order's own statements, and whether it was guessed or mapped instead of named.
 */
interface Charge {
  readonly basis: string
  readonly releaseId: number
  readonly weightKg: Rational
  readonly isRecorded: boolean
}

/**
 * A device's footprint is fixed by its first order. If that is this order, it must follow from this order's statements,
 * unless an event identified the device since.
 * @returns the number of devices whose footprint is supported only by the receipt's own record
 * @throws DecodeError where the footprint does not follow
 */
export function checkFootprints(receipt: Decoder, facts: OrderInputs): number {
  const charges = chargesOf(receipt, facts)
  const releases = receipt.get('releases').list()
  let recorded = 0
  for (const [at, node] of receipt.get('devices').list().entries()) {
    const device = facts.devices[at]!
    const charge = charges.get(device.serialNumber)!
    const isWeighed = device.footprintId === WEIGHT_FOOTPRINT_ID
    if (isWeighed === (device.weightKg === null)) {
      throw node.get('weight_kg').fault(isWeighed ? 'a weight' : 'nothing: the device is not charged by its weight')
    }
    const isFirst = device.posted[0]!.no === 1
    if (device.identifiedBy !== null) {
      const isPosted = device.posted.some(({ reason, eventId }) => reason === 'identification' && eventId !== null)
      if (isFirst && !isPosted) throw node.get('identified_by').fault('an event that posted an entry to the order')
      recorded += 1
      continue
    }
    if (isFirst) {
      node.get('footprint_id').oneOf([charge.basis])
      node.get('dataset_release').oneOf([releases[charge.releaseId]!.get('name').text()])
      if (isWeighed) node.get('weight_kg').oneOf([toExactText(charge.weightKg)])
    }
    if (charge.isRecorded || (!isFirst && (isWeighed || !isChargedAs(device, charge)))) recorded += 1
  }
  return recorded
}

const isChargedAs = ({ footprintId, releaseId }: DeviceInputs, charge: Charge): boolean =>
  footprintId === charge.basis && releaseId === charge.releaseId

/** By serial number: a product's footprint from its match; a replacement device's from the device that it replaced. */
function chargesOf(
  receipt: Decoder,
  { order, footprintIds, releaseId, devices, swaps }: OrderInputs,
): ReadonlyMap<string, Charge> {
  const matches = receipt.get('match').list()
  const products = productsOf(order)
  const charges = new Map(
    products.map(({ serialNumber, weightKg }, at): readonly [string, Charge] => {
      const isRecorded = !isExactMatch(decodeMatchMethod(matches[at]!.get('match_method').text()))
      return [serialNumber, { basis: footprintIds[at]!, releaseId, weightKg, isRecorded }]
    }),
  )
  const known = new Map(devices.map((device) => [device.serialNumber, device]))
  for (const swap of swaps) {
    const charge = chargeAtSwap(known.get(swap.out)!, charges.get(swap.out)!) ?? {
      basis: known.get(swap.in)!.footprintId,
      releaseId: known.get(swap.in)!.releaseId,
      isRecorded: true,
    }
    charges.set(swap.in, { ...charge, weightKg: swap.weightKg })
  }
  return charges
}

/**
 * What a device was charged by when it was swapped out. An event may have identified it since: then what it was charged
 * by follows from the order if that was its first one. Null if the receipt does not say.
 */
function chargeAtSwap(device: DeviceInputs, byOrder: Charge): Omit<Charge, 'weightKg'> | null {
  const at = device.posted.findLastIndex(({ reason }) => reason === 'swapped_out')
  const [before, since] = [device.posted.slice(0, at), device.posted.slice(at + 1)]
  if (!since.some(changesFootprint))
    return { basis: device.footprintId, releaseId: device.releaseId, isRecorded: byOrder.isRecorded }
  return device.posted[0]!.no === 1 && !before.some(changesFootprint) ? byOrder : null
}

/** An entry by which the order was charged again, because an event identified the device or that was withdrawn. */
const changesFootprint = ({ reason, terms, inForce }: PostedEmission): boolean =>
  reason === 'identification' || (reason === 'withdrawal' && terms === null && !inForce)
