// What a receipt is computed from, read from its own text: the order, its events, its matches, its devices' ledgers.
import { REASONS, type Parts } from '../engine/device-history.ts'
import type { DeviceEvent, Rental, Terms } from '../engine/device-run.ts'
import { DEVICE_TYPES, DISTANCE_BASES } from '../engine/factor-book.ts'
import { isExact } from '../engine/find-product.ts'
import { PARTS, type Milligrams } from '../engine/line.ts'
import { standInId, type DeviceFacts, type OrderFacts, type PostedEntry, type Swap } from '../engine/order-facts.ts'
import type { Item, Order } from '../engine/order.ts'
import { multiply, whole, type Ratio } from '../engine/ratio.ts'
import { reduce } from '../engine/ratio.ts'
import type { PrintedCandidate } from './candidates.ts'
import type { Node } from './receipt-node.ts'
import type { Tree } from './receipt-json.ts'

const TENURE_MAX = 1200
/** More than any rental can last between the first day and the last that orders are taken for. */
const MONTHS_MAX = 10_000
const ROWS_MAX = 1_000_000

export interface ReceiptInputs {
  readonly made: { readonly version: string; readonly at: string; readonly knownAt: string | null }
  readonly receivedAt: string
  readonly asReceived: Tree
  readonly events: Tree
  /** What else a product's words may mean, as the matcher judged it when the receipt was made; by product. */
  readonly candidates: readonly (readonly PrintedCandidate[])[]
  readonly facts: OrderFacts
  /** By serial number. */
  readonly deviceIds: ReadonlyMap<string, string>
}

type ReleaseId = (node: Node) => number

/**
 * @param releaseNames in the sequence of their ids, which are counted from 0
 * @throws ReceiptFault where something is not what it has to be
 */
export function readInputs(receipt: Node, releaseNames: readonly string[]): ReceiptInputs {
  const releaseId: ReleaseId = (node) => releaseNames.indexOf(node.oneOf(releaseNames))
  const made = receipt.get('made')
  const asReceived = receipt.get('order').get('as_received')
  const events = receipt.get('events')
  const order = readOrder(asReceived)
  const devices = receipt.get('devices').list()
  return {
    made: {
      version: made.get('version').text(),
      at: made.get('at').text(),
      knownAt: made.get('known_at').maybe((time) => time.text()),
    },
    receivedAt: receipt.get('order').get('received_at').text(),
    asReceived: asReceived.value!,
    events: events.value!,
    candidates: receipt.get('match').list().map(readCandidates),
    facts: {
      order,
      releaseId: releaseId(receipt.get('order').get('dataset_release')),
      ...readMatches(receipt.get('match'), order),
      ...readEvents(events),
      devices: devices.map((device) => readDevice(device, order, releaseId)),
      posted: receipt
        .get('posted_to_order')
        .list()
        .map((entry) => readEntry(entry, order, 0, releaseId)),
    },
    deviceIds: new Map(devices.map((device) => [device.get('serial_number').text(), device.get('device_id').text()])),
  }
}

const readOrder = (order: Node): Order => ({
  customerId: order.get('customer_id').text(),
  orderId: order.get('order_id').text(),
  orderDate: order.get('order_date').day(),
  tenureStartDate: order.get('tenure_start_date').day(),
  country: order.get('country').maybe((country) => country.text()),
  items: order.get('items').list().map(readItem),
})

function readItem(item: Node): Item {
  const config = item.get('config')
  const weightKg = config.get('weight_kg').number()
  switch (item.get('type').oneOf(['product', 'transportation', 'packaging'])) {
    case 'product':
      return {
        type: 'product',
        productId: config.get('product_id').text(),
        serialNumber: config.get('serial_number').text(),
        tenureMonths: config.get('tenure_months').integer(TENURE_MAX),
        weightKg,
        deviceType: config.get('device_type').maybe((type) => type.oneOf(DEVICE_TYPES)),
        modelId: config.get('model_id').maybe((id) => id.text()),
        productName: config.get('product_name').maybe((name) => name.text()),
        brand: config.get('brand').maybe((brand) => brand.text()),
        country: config.get('country').maybe((country) => country.text()),
      }
    case 'transportation':
      return {
        type: 'transportation',
        transportationId: config.get('transportation_id').text(),
        transportationMode: config.get('transportation_mode').text(),
        distanceKm: config.get('distance_km').number(),
        weightKg,
        distanceBasis: config.get('distance_basis').maybe((basis) => basis.oneOf(DISTANCE_BASES)),
      }
    case 'packaging':
      return { type: 'packaging', packagingId: config.get('packaging_id').text(), weightKg }
  }
}

function readMatches(match: Node, { items }: Order): Pick<OrderFacts, 'bases' | 'found'> {
  const matches = match.list()
  if (matches.length !== items.filter(({ type }) => type === 'product').length) {
    throw match.fault('one match for every product')
  }
  return {
    bases: matches.map((one) => one.get('resolved_to').text()),
    found: matches.map((one) => one.get('found_by').text()),
  }
}

/** Where the words name the model themselves, nothing was judged. */
const readCandidates = (match: Node): readonly PrintedCandidate[] =>
  isExact(match.get('found_by').text()) ? [] : match.get('candidates').list().map(readCandidate)

const readCandidate = (node: Node): PrintedCandidate => ({
  model_id: node.get('model_id').text(),
  name: node.get('name').text(),
  score: node.get('score').number(),
  reasons: node
    .get('reasons')
    .list()
    .map((reason) => reason.text()),
})

/** What of the events bears on the numbers beside the entries that they posted. */
function readEvents(events: Node): Pick<OrderFacts, 'eventCount' | 'swaps' | 'undispatched'> {
  const swaps: Swap[] = []
  const undispatched = new Set<string>()
  for (const told of events.list()) {
    const event = told.get('event')
    const out = told.get('serial_number').maybe((serial) => serial.text())
    const type = event.get('type').oneOf(['returned', 'extended', 'cancelled', 'swapped'])
    if (type === 'swapped' && out !== null) {
      swaps.push({ out, in: event.get('new_serial_number').text(), weightKg: event.get('weight_kg').number() })
    }
    if (type === 'cancelled' && !event.get('dispatched').maybe((dispatched) => dispatched.flag())) {
      undispatched.add(event.get('event_id').text())
    }
  }
  return { eventCount: events.list().length, swaps, undispatched }
}

function readDevice(device: Node, order: Order, releaseId: ReleaseId): DeviceFacts {
  const rentals = device.get('ledger').get('rentals')
  const ownPlace = 1 + rentals.list().findIndex((rental) => rental.get('is_this_order').flag())
  if (ownPlace === 0) throw rentals.fault('a rental that is of this order')
  return {
    serialNumber: device.get('serial_number').text(),
    basis: device.get('charged_by').text(),
    releaseId: releaseId(device.get('dataset_release')),
    weightKg: device.get('weight_kg').maybe((weight) => weight.exact()),
    isCapped: device.get('amortisation').oneOf(['capped', 'uncapped']) === 'capped',
    posted: device
      .get('posted')
      .list()
      .map((entry) => readEntry(entry, order, ownPlace, releaseId)),
    others: rentals.list().flatMap((rental, at): readonly Rental[] => {
      if (at + 1 === ownPlace) return []
      return [{ ...standInId(at + 1, ownPlace), terms: readTerms(rental) }]
    }),
    events: device.get('ledger').get('events').list().map(readDeviceEvent),
  }
}

function readTerms(node: Node): Terms {
  const months = node.get('months')
  const value = months.exact()
  if (value.numerator < 0n || value.numerator > BigInt(MONTHS_MAX) * value.denominator) {
    throw months.fault(`0 to ${MONTHS_MAX} months`)
  }
  return { start: node.get('start').day(), end: node.get('end').day(), months: value }
}

function readDeviceEvent(event: Node): DeviceEvent {
  const type = event.get('type').oneOf(['refurbished', 'retired', 'lost'])
  const date = event.get('date').day()
  if (type !== 'refurbished') return { type, date }
  return { type, date, emission: event.get('emission').exact(), monthsAdded: event.get('months_added').exact() }
}

function readEntry(entry: Node, order: Order, ownPlace: number, releaseId: ReleaseId): PostedEntry {
  const place = entry.get('because_of_rental').maybe((node) => node.integer(ROWS_MAX))
  const agreed = entry.get('agreed')
  const hasTerms = agreed.value !== undefined
  return {
    customerId: order.customerId,
    orderId: order.orderId,
    no: entry.get('entry_no').integer(ROWS_MAX),
    reason: entry.get('reason').oneOf(REASONS),
    postedAt: entry.get('posted_at').text(),
    terms: hasTerms ? readTerms(agreed) : null,
    country: hasTerms ? agreed.get('country').maybe((country) => country.text()) : null,
    releaseId: hasTerms ? releaseId(agreed.get('dataset_release')) : 0,
    eventId: entry.get('event_id').maybe((id) => id.text()),
    cause: place === null ? null : standInId(place, ownPlace),
    event: null,
    ...readParts(entry.get('emission')),
  }
}

const readParts = (emission: Node): Parts =>
  Object.fromEntries(PARTS.map((part) => [part, milligrams(emission.get(part))])) as Parts

const MILLIGRAMS_PER_KILOGRAM = whole(1_000_000)

function milligrams(node: Node): Milligrams {
  const exact: Ratio = reduce(multiply(node.number(), MILLIGRAMS_PER_KILOGRAM))
  if (exact.denominator !== 1n) throw node.fault('a whole number of milligrams, in kilograms')
  return exact.numerator
}
