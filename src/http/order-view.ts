// An order as it was first answered, and as it stands: its items with their lines, from what is stored of it.
import { allocate, wholeWeights } from '../engine/allocate.ts'
import { isOpen, type KnownRental } from '../engine/device-history.ts'
import { orderKey, type OrderKey } from '../engine/device-run.ts'
import { estimateItem, firstRental, type EstimatedItem } from '../engine/estimate.ts'
import type { Line } from '../engine/estimated-line.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import type { Milligrams } from '../engine/line.ts'
import { productLines } from '../engine/product-lines.ts'
import { parseDecimal } from '../engine/ratio.ts'
import { gridOf, resolveStored, type ResolvedItem, type ResolvedProduct } from '../engine/resolve.ts'
import type { OrderFile } from '../postgres/events.ts'
import type { NewOrder, OrderStatus, StoredEvent, StoredOrder } from '../postgres/order-record.ts'
import type { WireOrderEvent } from './event-schema.ts'
import { toOrder } from './read-order.ts'
import { chargedAs, firstEntryNo, knownDevice, runOfDevice, type BookOf, type KnownDevice } from './stored-journal.ts'
import { toWire } from './stored-order.ts'

/** One device in the place of another, in the sequence in which they became known. */
interface Swap {
  readonly out: string
  readonly in: string
  readonly weightKg: number
}

function swapsOf(events: readonly StoredEvent[]): readonly Swap[] {
  return events.flatMap(({ content, serialNumber }) => {
    const event = JSON.parse(content) as WireOrderEvent
    if (event.type !== 'swapped' || serialNumber === null) return []
    return [{ out: serialNumber, in: event.new_serial_number, weightKg: event.weight_kg }]
  })
}

/** The devices that stand in an order: those that it was sent with, and those that took their places. */
export function serialsOf(order: NewOrder, events: readonly StoredEvent[]): readonly string[] {
  const sent = toOrder(toWire(order)).items.flatMap((item) => (item.type === 'product' ? [item.serialNumber] : []))
  return [...sent, ...swapsOf(events).map((swap) => swap.in)]
}

const resolvedItems = (order: StoredOrder, book: FactorBook): readonly ResolvedItem[] =>
  resolveStored(toOrder(toWire(order)), order, book)

/** The order as its creation was answered: its lines as they were stored, and their workings as they were then. */
export function firstAnswer({ order, journals }: OrderFile, bookOf: BookOf): readonly EstimatedItem[] {
  const lines = order.lines.values()
  const items = resolvedItems(order, bookOf(order.releaseId)).map((item): EstimatedItem => {
    const journal = item.type === 'product' ? journals.get(item.product.serialNumber) : undefined
    if (item.type !== 'product' || !journal) return withLines(item, estimateItem(item, firstRental(true)), lines)
    const known = knownDevice(journal, bookOf, firstEntryNo(journal, order))
    const charged = chargedAs(item, known)
    return withLines(charged, productLines(charged, runOfDevice(known).rentals.get(orderKey(order))!), lines)
  })
  if (!lines.next().done) throw new Error(`The order "${order.orderId}" has more lines stored than computed`)
  return items
}

/** Lines are told apart by their sequence alone: one more or less would put emissions under other names. */
function withLines(item: ResolvedItem, lines: readonly Line[], stored: Iterator<Milligrams, undefined>): EstimatedItem {
  const taken = lines.map((line) => {
    const { value } = stored.next()
    if (value === undefined) throw new Error('An order has fewer lines stored than computed')
    return { ...line, emission: value }
  })
  return { item, lines: taken }
}

/** The order as it stands, or as it was known at the time of its file. */
export function standingItems(file: OrderFile, bookOf: BookOf): readonly EstimatedItem[] {
  const { order, journals } = file
  const first = firstAnswer(file, bookOf)
  const known = new Map([...journals].map(([serial, journal]) => [serial, knownDevice(journal, bookOf)]))
  const swaps = swapsOf(file.events)
  const reversed = reversedOf(file, known)
  return first.flatMap((estimated) =>
    estimated.item.type === 'product'
      ? withSuccessors(estimated.item, swaps).map((item) => standingProduct(item, order, known, bookOf))
      : [standingShared(estimated, first, reversed)],
  )
}

/** A product, and after it the devices that took its place. */
function withSuccessors(item: ResolvedProduct, swaps: readonly Swap[]): readonly ResolvedProduct[] {
  const swap = swaps.find(({ out }) => out === item.product.serialNumber)
  if (!swap) return [item]
  const product = { ...item.product, serialNumber: swap.in, weightKg: parseDecimal(String(swap.weightKg)) }
  return [item, ...withSuccessors({ ...item, product }, swaps)]
}

function standingProduct(
  item: ResolvedProduct,
  order: OrderKey,
  known: ReadonlyMap<string, KnownDevice>,
  bookOf: BookOf,
): EstimatedItem {
  const device = known.get(item.product.serialNumber)!
  const rental = device.history.rentals.get(orderKey(order))!
  const charged = {
    ...chargedAs(item, device),
    tenureStartDate: rental.terms.start,
    grid: gridOf(rental.country, bookOf(rental.releaseId)),
  }
  const lines = productLines(charged, runOfDevice(device).rentals.get(orderKey(order))!)
  return { item: charged, lines: lines.map((line) => ({ ...line, emission: rental.posted[line.part] })) }
}

/** What of transport and packaging was taken back, since a device was cancelled before anything was dispatched. */
interface Reversed {
  readonly all: boolean
  readonly serials: ReadonlySet<string>
}

function reversedOf({ order, entries }: OrderFile, known: ReadonlyMap<string, KnownDevice>): Reversed {
  const isReversed = ({ reason, posted }: KnownRental) =>
    reason === 'cancelled' && posted.packaging === 0n && posted.transportation === 0n
  const rentals = [...known].map(([serial, { history }]) => ({ serial, rental: history.rentals.get(orderKey(order))! }))
  return {
    all: entries.some(
      ({ reason, packaging, transportation }) => reason === 'cancelled' && packaging + transportation < 0n,
    ),
    serials: new Set(rentals.filter(({ rental }) => isReversed(rental)).map(({ serial }) => serial)),
  }
}

/** A line of transport or packaging, less the shares of devices that were cancelled. */
function standingShared(
  { item, lines }: EstimatedItem,
  all: readonly EstimatedItem[],
  reversed: Reversed,
): EstimatedItem {
  if (reversed.all) return { item, lines: lines.map((line) => ({ ...line, emission: 0n })) }
  const products = all.flatMap((one) => (one.item.type === 'product' ? [one.item.product] : []))
  if (reversed.serials.size === 0) return { item, lines }
  const weights = wholeWeights(products.map(({ weightKg }) => weightKg))
  const kept = ({ emission, ...line }: Line): Line => {
    const shares = allocate(emission, weights)
    const left = shares.filter((_, at) => !reversed.serials.has(products[at]!.serialNumber))
    return { ...line, emission: left.reduce((sum, share) => sum + share, 0n) }
  }
  return { item, lines: lines.map(kept) }
}

/** What an order's status is, given what is known of it. */
export function statusOf({ order, events, journals, entries }: OrderFile, bookOf: BookOf): OrderStatus {
  const rentals = [...journals.values()].flatMap(
    (journal) => knownDevice(journal, bookOf).history.rentals.get(orderKey(order)) ?? [],
  )
  const standing = rentals.filter(({ reason }) => reason !== 'swapped_out')
  if (entries.some(({ reason }) => reason === 'cancelled')) return 'cancelled'
  if (standing.length > 0 && standing.every(({ reason }) => reason === 'cancelled')) return 'cancelled'
  if (standing.length > 0 && !standing.some(isOpen)) return 'returned'
  const own = [...journals.values()].flatMap((journal) => journal.entries)
  const isAmended = own.some((entry) => orderKey(entry) === orderKey(order) && entry.reason !== 'order')
  return isAmended || events.length > 0 ? 'amended' : 'created'
}
