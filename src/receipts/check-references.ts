// Checks a receipt beyond its numbers: references to names elsewhere in it, and the footprints of its devices.
import { aliasKey, type ReferenceDataOf, type ReferenceData } from '../engine/reference/reference-data.ts'
import {
  modelIdByAlias,
  isIdOf,
  isExactMatch,
  isConsistentMatch,
  isConsistentFallback,
  decodeMatchMethod,
  mappingOfMethod,
  type MatchMethod,
} from '../engine/reference/product-match.ts'
import { unversionedId } from '../engine/reference/own-figures.ts'
import { WEIGHT_FOOTPRINT_ID } from '../engine/reference/footprint.ts'
import { fallbackById, innerBasis, knownOfBasis, namesKnownDevice } from '../engine/reference/fallback.ts'
import { NAMING_MEMBERS, type DeviceInputs, type OrderInputs, type PostedEmission } from '../engine/order-inputs.ts'
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
  checkNamed(receipt, facts, referenceDataOf)
  const withdrawn = withdrawnEvents(receipt)
  for (const event of receipt.get('events').list()) {
    const newSerialNumber = event.get('event').get('new_serial_number')
    if (newSerialNumber.value === undefined || serials.has(newSerialNumber.text())) continue
    // The replacement of a withdrawn swap is not in the order.
    if (!withdrawn.has(event.get('event').get('event_id').text()))
      throw newSerialNumber.fault('a device of the receipt')
  }
}

/** If the words of a swap fixed what the new device is charged by, what they were matched to is beside the event. */
function checkNamed(receipt: Decoder, { swaps, devices }: OrderInputs, referenceDataOf: ReferenceDataOf): void {
  const byEvent = new Map(swaps.map((swap) => [swap.eventId, swap]))
  const firsts = new Map(devices.map(({ serialNumber, posted }) => [serialNumber, posted[0]]))
  for (const told of receipt.get('events').list()) {
    const event = told.get('event')
    const swap = byEvent.get(event.get('event_id').text())
    const hasWords = NAMING_MEMBERS.some((name) => event.get(name).value !== undefined)
    const resolved = told.get('resolved_to')
    if (swap?.named && hasWords) {
      const { footprintId, product, releaseId } = swap.named
      checkBasis(resolved, referenceDataOf(releaseId))
      checkMatchMethod(told.get('match_method'), footprintId, product, referenceDataOf(releaseId))
    } else if (resolved.value !== undefined)
      throw resolved.fault('nothing: no product is named by which a device came in')
    const first = swap && firsts.get(swap.in)
    if (hasWords && resolved.value === undefined && first?.no === 1 && first.eventId === swap?.eventId)
      throw resolved.fault('what the words of the swap lead to')
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
  return (
    modelIdByAlias(productId, referenceData) === basis && (method === 'alias') !== isIdOf(aliasKey(productId), basis)
  )
}

function isMappedOrGuessed(
  method: MatchMethod,
  basis: string,
  product: Product,
  referenceData: ReferenceData,
): boolean {
  const mapping = mappingOfMethod(method)
  if (!mapping) return isConsistentMatch({ footprintId: basis, matchMethod: method }, product, referenceData)
  if (mapping.modelId !== null) return mapping.modelId === unversionedId(basis)
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
  { order, releaseId, swaps }: OrderInputs,
  referenceDataOf: ReferenceDataOf,
): void {
  const matches = receipt.get('match').list()
  for (const [at, product] of productsOf(order).entries())
    checkGuess(matches[at]!.get('match_method'), product, referenceDataOf(releaseId))
  const named = new Map(swaps.map((swap) => [swap.eventId, swap.named]))
  for (const told of receipt.get('events').list()) {
    const one = named.get(told.get('event').get('event_id').text())
    if (one) checkGuess(told.get('match_method'), one.product, referenceDataOf(one.releaseId))
  }
}

function checkGuess(node: Decoder, { modelId, productId }: Product, referenceData: ReferenceData): void {
  const method = decodeMatchMethod(node.text())
  if (isExactMatch(method)) return
  const text = modelId ?? (mappingOfMethod(method) ? '' : productId)
  const named = modelIdByAlias(text, referenceData)
  if (named !== null) throw node.fault(`what names ${named}`)
}

/** The footprint must exist in the release. A type is accepted only if the receipt prints an embodied figure for it. */
function checkBasis(node: Decoder, referenceData: ReferenceData): void {
  const whole = node.text()
  if (namesKnownDevice(whole) && !knownOfBasis(whole, referenceData))
    throw node.fault(`a known device of ${referenceData.release}`)
  const basis = innerBasis(whole)
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
  /** The swap that brought the device in; null for a device that the order was sent with. */
  readonly eventId: string | null
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
    // A swap that was withdrawn may have fixed it.
    const isFirst = device.posted[0]!.no === 1 && device.posted[0]!.eventId === charge.eventId
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

/**
 * By serial number: a product's footprint from its match; a replacement device's from the words of the swap, or from
 * the device that it replaced.
 */
function chargesOf(
  receipt: Decoder,
  { order, footprintIds, releaseId, devices, swaps }: OrderInputs,
): ReadonlyMap<string, Charge> {
  const matches = receipt.get('match').list()
  const products = productsOf(order)
  const charges = new Map(
    products.map(({ serialNumber, weightKg }, at): readonly [string, Charge] => {
      const isRecorded = !isExactMatch(decodeMatchMethod(matches[at]!.get('match_method').text()))
      return [serialNumber, { basis: footprintIds[at]!, releaseId, weightKg, isRecorded, eventId: null }]
    }),
  )
  const known = new Map(devices.map((device) => [device.serialNumber, device]))
  for (const swap of swaps) {
    const { eventId, weightKg, named } = swap
    const charge = (named
      ? { basis: named.footprintId, releaseId: named.releaseId, isRecorded: !isExactMatch(named.matchMethod) }
      : chargeAtSwap(known.get(swap.out)!, charges.get(swap.out)!)) ?? {
      basis: known.get(swap.in)!.footprintId,
      releaseId: known.get(swap.in)!.releaseId,
      isRecorded: true,
    }
    charges.set(swap.in, { ...charge, weightKg, eventId })
  }
  return charges
}

/**
 * What a device was charged by when it was swapped out. An event may have identified it since: then what it was charged
 * by follows from the order if that was its first one. Null if the receipt does not say.
 */
function chargeAtSwap(device: DeviceInputs, byOrder: Charge): Omit<Charge, 'weightKg' | 'eventId'> | null {
  const at = device.posted.findLastIndex(({ reason }) => reason === 'swapped_out')
  const [before, since] = [device.posted.slice(0, at), device.posted.slice(at + 1)]
  if (!since.some(changesFootprint))
    return { basis: device.footprintId, releaseId: device.releaseId, isRecorded: byOrder.isRecorded }
  return device.posted[0]!.no === 1 && !before.some(changesFootprint) ? byOrder : null
}

/** An entry by which the order was charged again, because an event identified the device or that was withdrawn. */
const changesFootprint = ({ reason, terms, inForce }: PostedEmission): boolean =>
  reason === 'identification' || (reason === 'withdrawal' && terms === null && !inForce)
