// Reads the inputs of a receipt from its text: the order, its events, matches and device ledgers.
import { DEVICE_EVENT_TYPES } from '../engine/device-event-types.ts'
import type { DeviceEvent, EmissionDefault, Rental, RentalTerms } from '../engine/device-timeline.ts'
import { ENTRY_REASONS, type EmissionsByPart, type InForce } from '../engine/ledger-history.ts'
import type { PrintedCandidate } from '../engine/matching/matcher.ts'
import { monthsBetween } from '../engine/numbers/calendar.ts'
import { PARTS, type Milligrams } from '../engine/numbers/emission.ts'
import { add, compare, multiply, reduce, whole, type Rational } from '../engine/numbers/rational.ts'
import {
  pseudonymousId,
  type DeviceInputs,
  type NamedProduct,
  type OrderInputs,
  type PostedEmission,
  type Swap,
} from '../engine/order-inputs.ts'
import type { Item, Order, Product } from '../engine/order.ts'
import { decodeMatchMethod, isExactMatch } from '../engine/reference/product-match.ts'
import { DEVICE_TYPES, DISTANCE_BASES } from '../engine/reference/reference-data.ts'
import type { JsonValue } from '../strict-json/exact-tree.ts'
import { withdrawnEvents } from './check-references.ts'
import type { Decoder } from '../strict-json/decoder.ts'

function readMatches(match: Decoder, { items }: Order): Pick<OrderInputs, 'footprintIds' | 'matchMethods'> {
  const matches = match.list()
  if (matches.length !== items.filter(({ type }) => type === 'product').length) {
    throw match.fault('one match for every product')
  }
  return {
    footprintIds: matches.map((one) => one.get('resolved_to').text()),
    matchMethods: matches.map((one) => decodeMatchMethod(one.get('match_method').text())),
  }
}

/** A product that names its model exactly has no candidates to read. */
const readCandidates = (match: Decoder): readonly PrintedCandidate[] =>
  isExactMatch(decodeMatchMethod(match.get('match_method').text()))
    ? []
    : match.get('candidates').list().map(readCandidate)

const readCandidate = (node: Decoder): PrintedCandidate => ({
  model_id: node.get('model_id').text(),
  name: node.get('name').text(),
  score: node.get('score').decimalAmount(1),
  reasons: node
    .get('reasons')
    .list()
    .map((reason) => reason.text()),
})

const TENURE_MAX = 1200
/** Limits in kg, km, and kg CO2e per refurbishment. */
const WEIGHT_MAX = 40_000
const DISTANCE_MAX = 50_000
const REFURBISHMENT_MAX = 1_000_000
/** Longer than any rental can last between the first and the last day accepted for orders. */
const MONTHS_MAX = 10_000
const ROWS_MAX = 1_000_000

export interface ReceiptInputs {
  readonly format: ReceiptFormat
  readonly issued: { readonly version: string; readonly at: string; readonly knownAt: string | null }
  readonly receivedAt: string
  readonly asReceived: JsonValue
  /** When and why the content of the order was corrected, and what each correction replaced; undefined without any. */
  readonly corrections: JsonValue | undefined
  readonly events: JsonValue
  /** Other possible matches of a product, by product, as the matcher judged them when the receipt was issued. */
  readonly candidates: readonly (readonly PrintedCandidate[])[]
  readonly facts: OrderInputs
  /** By serial number. */
  readonly deviceIds: ReadonlyMap<string, string>
}

/** Receipts of version 2 have decimals as numbers, and a hash of a form of Cradle's own. Both verify. */
export const RECEIPT_FORMATS = [
  'application/vnd.cradle.receipt+json;version=2',
  'application/vnd.cradle.receipt+json;version=3',
] as const
export type ReceiptFormat = (typeof RECEIPT_FORMATS)[number]
export const RECEIPT_FORMAT = RECEIPT_FORMATS[1]

type ReleaseId = (node: Decoder) => number

/**
 * @param releaseNames in the order of their ids, which start at 0
 * @param format of the receipt that is built from these inputs
 * @throws DecodeError at a value that does not have the required form
 */
export function readReceiptInputs(
  receipt: Decoder,
  releaseNames: readonly string[],
  format: ReceiptFormat = RECEIPT_FORMAT,
): ReceiptInputs {
  const releaseId: ReleaseId = (node) => releaseNames.indexOf(node.oneOf(releaseNames))
  const issued = receipt.get('issued')
  const asReceived = receipt.get('order').get('as_received')
  const events = receipt.get('events')
  const order = readOrder(asReceived)
  const devices = receipt.get('devices').list()
  return {
    format,
    issued: {
      version: issued.get('version').text(),
      at: timeOf(issued.get('at')),
      knownAt: issued.get('known_at').maybe(timeOf),
    },
    receivedAt: timeOf(receipt.get('order').get('received_at')),
    asReceived: asReceived.value!,
    corrections: receipt.get('order').get('corrections').value,
    events: events.value!,
    candidates: receipt.get('match').list().map(readCandidates),
    facts: {
      order,
      releaseId: releaseId(receipt.get('order').get('dataset_release')),
      ...readMatches(receipt.get('match'), order),
      ...readEvents(receipt, releaseId),
      devices: devices.map((device) => readDevice(device, order, releaseId)),
      posted: receipt
        .get('posted_to_order')
        .list()
        .map((entry) => readEntry(entry, order, 0, releaseId)),
    },
    deviceIds: new Map(devices.map((device) => [device.get('serial_number').text(), device.get('device_id').text()])),
  }
}

function timeOf(node: Decoder): string {
  node.time()
  return node.text()
}

const readOrder = (order: Decoder): Order => ({
  customerId: order.get('customer_id').text(),
  orderId: order.get('order_id').text(),
  orderDate: order.get('order_date').takenDay(),
  tenureStartDate: order.get('tenure_start_date').takenDay(),
  country: order.get('country').maybe((country) => country.text()),
  items: order.get('items').list().map(readItem),
})

function readItem(item: Decoder): Item {
  const config = item.get('config')
  const weightKg = config.get('weight_kg').amount(WEIGHT_MAX)
  switch (item.get('type').oneOf(['product', 'transportation', 'packaging'])) {
    case 'product':
      return {
        type: 'product',
        productId: config.get('product_id').text(),
        serialNumber: config.get('serial_number').text(),
        tenureMonths: config.get('tenure_months').integer(TENURE_MAX),
        ...readWords(config),
        country: config.get('country').maybe((country) => country.text()),
      }
    case 'transportation':
      return {
        type: 'transportation',
        transportationId: config.get('transportation_id').text(),
        transportationMode: config.get('transportation_mode').text(),
        distanceKm: config.get('distance_km').amount(DISTANCE_MAX),
        weightKg,
        distanceBasis: config.get('distance_basis').maybe((basis) => basis.oneOf(DISTANCE_BASES)),
      }
    case 'packaging':
      return { type: 'packaging', packagingId: config.get('packaging_id').text(), weightKg }
  }
}

const readWords = (node: Decoder) => ({
  weightKg: readDeviceWeight(node.get('weight_kg')),
  deviceType: node.get('device_type').maybe((type) => type.oneOf(DEVICE_TYPES)),
  modelId: node.get('model_id').maybe((id) => id.text()),
  productName: node.get('product_name').maybe((name) => name.text()),
  brand: node.get('brand').maybe((brand) => brand.text()),
})

/** The parts of the events that affect the numbers, apart from the entries they posted. */
function readEvents(
  receipt: Decoder,
  releaseId: ReleaseId,
): Pick<OrderInputs, 'eventCount' | 'swaps' | 'undispatched'> {
  const swaps: Swap[] = []
  const undispatched = new Set<string>()
  const withdrawn = withdrawnEvents(receipt)
  const events = receipt.get('events')
  for (const told of events.list()) {
    const event = told.get('event')
    if (withdrawn.has(event.get('event_id').text())) continue
    const out = told.get('serial_number').maybe((serial) => serial.text())
    const type = event.get('type').oneOf(['returned', 'extended', 'cancelled', 'swapped', 'reversed', 'withdrawn'])
    if (type === 'swapped' && out !== null) {
      const [eventId, serialNumber] = [event.get('event_id').text(), event.get('new_serial_number').text()]
      const { weightKg, ...words } = readWords(event)
      const productId = event.get('product_id').maybe((id) => id.text()) ?? ''
      const product = { ...words, ...NOT_OF_SWAPS, productId, serialNumber, weightKg }
      swaps.push({ eventId, out, in: serialNumber, weightKg, named: readNamed(told, product, releaseId) })
    }
    const isDispatched = event.get('dispatched').maybe((dispatched) => dispatched.flag())
    if (type === 'reversed' || (type === 'cancelled' && !isDispatched)) {
      undispatched.add(event.get('event_id').text())
    }
  }
  return { eventCount: events.list().length, swaps, undispatched }
}

const NOT_OF_SWAPS = { type: 'product', tenureMonths: 0, country: null } as const

/** What the words of a swap were matched to, which is beside the event if it fixed what the device is charged by. */
const readNamed = (told: Decoder, product: Product, releaseId: ReleaseId): NamedProduct | null =>
  told.get('resolved_to').maybe((footprint) => ({
    product,
    footprintId: footprint.text(),
    matchMethod: decodeMatchMethod(told.get('match_method').text()),
    releaseId: releaseId(told.get('dataset_release')),
  }))

function readDeviceWeight(node: Decoder): Rational {
  const weight = node.amount(WEIGHT_MAX)
  if (weight.numerator === 0n) throw node.fault('more than 0')
  return weight
}

function readDevice(device: Decoder, order: Order, releaseId: ReleaseId): DeviceInputs {
  const rentals = device.get('ledger').get('rentals')
  const ownPlace = 1 + rentals.list().findIndex((rental) => rental.get('is_this_order').flag())
  if (ownPlace === 0) throw rentals.fault('a rental that is of this order')
  return {
    serialNumber: device.get('serial_number').text(),
    footprintId: device.get('footprint_id').text(),
    releaseId: releaseId(device.get('dataset_release')),
    weightKg: device.get('weight_kg').maybe((weight) => weight.exact()),
    isCapped: device.get('amortisation').oneOf(['capped', 'uncapped']) === 'capped',
    identifiedBy: device.get('identified_by').maybe((id) => id.text()),
    posted: device
      .get('posted')
      .list()
      .map((entry) => readEntry(entry, order, ownPlace, releaseId)),
    others: rentals.list().flatMap((rental, at): readonly Rental[] => {
      if (at + 1 === ownPlace) return []
      return [{ ...pseudonymousId(at + 1, ownPlace), terms: readOtherTerms(rental) }]
    }),
    events: device.get('ledger').get('events').list().map(readDeviceEvent),
  }
}

function readTerms(node: Decoder): RentalTerms {
  const months = node.get('months')
  const value = months.exactAmount(MONTHS_MAX)
  return { start: node.get('start').takenDay(), end: node.get('end').day(), months: value }
}

/** Days of any month are whole multiples of this fraction of a month. */
const PARTS_OF_MONTH = 4n * 3n * 5n * 7n * 29n * 31n
const QUARTER = { numerator: 1n, denominator: 4n }

/**
 * A rental under another order, of which only its terms are known. A full tenure is a number of whole months that
 * differs by less than 0.1 from the days it covers; events increase that difference to at most twice that.
 */
function readOtherTerms(node: Decoder): RentalTerms {
  const terms = readTerms(node)
  const [end, months] = [node.get('end'), node.get('months')]
  if (terms.end < terms.start) throw end.fault(`a day from ${terms.start}`)
  const between = monthsBetween(terms.start, terms.end)
  const isNear = compare(terms.months, add(between, QUARTER)) < 0 && compare(between, add(terms.months, QUARTER)) < 0
  if (!isNear || (terms.months.numerator * PARTS_OF_MONTH) % terms.months.denominator !== 0n) {
    throw months.fault(`the months from ${terms.start} to ${terms.end}`)
  }
  return terms
}

function readDeviceEvent(event: Decoder): DeviceEvent {
  const type = event.get('type').oneOf(DEVICE_EVENT_TYPES)
  const date = event.get('date').takenDay()
  if (type !== 'refurbished') return { type, date }
  const emission = event.get('emission').exactAmount(REFURBISHMENT_MAX)
  const monthsAdded = event.get('months_added').exactAmount(TENURE_MAX)
  if (monthsAdded.denominator !== 1n) throw event.get('months_added').fault('whole months')
  const byDefault = event.get('emission_default').maybe((node) => readDefault(node, emission))
  return { type, date, emission, monthsAdded, ...(byDefault && { byDefault }) }
}

/** Which default it is only its release says, which the receipt does not print for it. */
function readDefault(node: Decoder, emission: Rational): EmissionDefault {
  const [low, high] = [node.get('low').exactAmount(REFURBISHMENT_MAX), node.get('high').exactAmount(REFURBISHMENT_MAX)]
  if (compare(low, emission) > 0) throw node.get('low').fault('at most the emission')
  if (compare(emission, high) > 0) throw node.get('high').fault('at least the emission')
  const deviceType = node.get('device_type').oneOf(DEVICE_TYPES)
  return { deviceType, low, high, release: node.get('dataset_release').text() }
}

function readEntry(entry: Decoder, order: Order, ownPlace: number, releaseId: ReleaseId): PostedEmission {
  const place = entry.get('caused_by_rental').maybe((node) => node.integer(ROWS_MAX))
  const terms = entry.get('terms')
  const hasTerms = terms.value !== undefined
  return {
    customerId: order.customerId,
    orderId: order.orderId,
    no: entry.get('entry_no').integer(ROWS_MAX),
    reason: entry.get('reason').oneOf(ENTRY_REASONS),
    postedAt: timeOf(entry.get('posted_at')),
    terms: hasTerms ? readTerms(terms) : null,
    country: hasTerms ? terms.get('country').maybe((country) => country.text()) : null,
    releaseId: hasTerms ? releaseId(terms.get('dataset_release')) : 0,
    eventId: entry.get('event_id').maybe((id) => id.text()),
    cause: place === null ? null : pseudonymousId(place, ownPlace),
    inForce: entry.get('in_force').maybe(readInForce),
    event: null,
    ...readParts(entry.get('emission')),
  }
}

const readInForce = (node: Decoder): InForce => ({
  reason: node.get('reason').oneOf(ENTRY_REASONS),
  eventId: node.get('event_id').maybe((id) => id.text()),
})

const readParts = (emission: Decoder): EmissionsByPart =>
  Object.fromEntries(PARTS.map((part) => [part, milligrams(emission.get(part))])) as EmissionsByPart

const MILLIGRAMS_PER_KILOGRAM = whole(1_000_000)

function milligrams(node: Decoder): Milligrams {
  const exact: Rational = reduce(multiply(node.decimal(), MILLIGRAMS_PER_KILOGRAM))
  if (exact.denominator !== 1n) throw node.fault('a whole number of milligrams, in kilograms')
  return exact.numerator
}
