// What of a receipt has to fit together beside its numbers: names that stand elsewhere in it, and terms that were told.
import { addMonths } from '../engine/calendar.ts'
import { DEVICE_TYPES, aliasKey, type FactorBook } from '../engine/factor-book.ts'
import { findModelId, isExact, levelOf, mappingIn } from '../engine/find-product.ts'
import { WEIGHT_BASIS } from '../engine/footprint.ts'
import type { OrderFacts, PostedEntry } from '../engine/order-facts.ts'
import type { Item, Product } from '../engine/order.ts'
import { whole } from '../engine/ratio.ts'
import { toExact } from './receipt-json.ts'
import type { Node } from './receipt-node.ts'

type BookOf = (releaseId: number) => FactorBook

/** @throws ReceiptFault at a name that nothing else in the receipt bears */
export function checkNames(receipt: Node, facts: OrderFacts, bookOf: BookOf): void {
  const book = bookOf(facts.releaseId)
  const serials = new Set(facts.devices.map(({ serialNumber }) => serialNumber))
  const items = receipt.get('order').get('as_received').get('items').list()
  for (const [at, item] of facts.order.items.entries()) checkItem(items[at]!.get('config'), item, serials, book)
  const products = facts.order.items.flatMap((item) => (item.type === 'product' ? [item] : []))
  for (const [at, match] of receipt.get('match').list().entries()) {
    checkBasis(match.get('resolved_to'), book)
    checkFound(match.get('found_by'), facts.bases[at]!, products[at]!, book)
  }
  for (const [at, device] of receipt.get('devices').list().entries()) {
    checkBasis(device.get('charged_by'), bookOf(facts.devices[at]!.releaseId))
  }
  for (const told of receipt.get('events').list()) {
    const comer = told.get('event').get('new_serial_number')
    if (comer.value !== undefined && !serials.has(comer.text())) throw comer.fault('a device of the receipt')
  }
}

function checkItem(config: Node, item: Item, serials: ReadonlySet<string>, book: FactorBook): void {
  if (item.type === 'product') {
    if (!serials.has(item.serialNumber)) throw config.get('serial_number').fault('a device of the receipt')
  } else if (item.type === 'packaging') {
    if (!book.packagings.has(item.packagingId)) throw config.get('packaging_id').fault(`a packaging of ${book.release}`)
  } else {
    const factor = book.transports.get(item.transportationId)
    if (!factor) throw config.get('transportation_id').fault(`a transportation of ${book.release}`)
    config.get('transportation_mode').oneOf([factor.mode])
  }
}

/** By what a product was found has to lead to what it was taken for, as far as the receipt tells. */
function checkFound(node: Node, basis: string, { modelId, productId }: Product, book: FactorBook): void {
  const found = node.text()
  if (isExact(found)) {
    const text = found === 'model_id' ? modelId : productId
    const isAlias = found === 'alias'
    const fits = text !== null && findModelId(text, book) === basis
    if (!fits || (found !== 'model_id' && isAlias !== (aliasKey(text) !== basis)))
      throw node.fault(`what found ${basis}`)
    return
  }
  const mapping = mappingIn(found)
  if (mapping) {
    if (mapping.modelId === null ? !isDeviceType(mapping.deviceType) : mapping.modelId !== basis) {
      throw node.fault(`the mapping that leads to ${basis}`)
    }
    return
  }
  node.oneOf(book.models.has(basis) ? ['name', 'variant'] : [levelOf(basis)])
}

const isDeviceType = (text: string): boolean => DEVICE_TYPES.some((type) => type === text)

/** Something to be charged by that the release has: a type that the receipt prints no figures of is of no use. */
function checkBasis(node: Node, book: FactorBook): void {
  const basis = node.text()
  if (basis === WEIGHT_BASIS || book.models.has(basis)) return
  const type = basis.startsWith('type:') ? basis.slice('type:'.length) : ''
  if (![...book.typeDefaults.values()].some((one) => one.type === type && one.embodied)) {
    throw node.fault(`a model or type of ${book.release}`)
  }
}

/**
 * The terms of a rental are those of the order, or those that an event of the receipt told.
 * @throws ReceiptFault at terms that are not
 */
export function checkTerms(receipt: Node, facts: OrderFacts): void {
  const events = new Map(
    receipt
      .get('events')
      .list()
      .map((told) => [told.get('event').get('event_id').text(), told.get('event')]),
  )
  for (const [at, device] of receipt.get('devices').list().entries()) {
    const entries = device.get('posted').list()
    for (const [position, entry] of facts.devices[at]!.posted.entries()) {
      if (entry.terms === null) continue
      const node = entries[position]!
      if (entry.reason === 'order') checkOrdered(node.get('agreed'), facts.devices[at]!.serialNumber, facts)
      else checkTold(node, entry, events, facts)
    }
  }
}

function checkOrdered(agreed: Node, serialNumber: string, { order }: OrderFacts): void {
  const product = order.items.find((item) => item.type === 'product' && item.serialNumber === serialNumber)
  if (product?.type !== 'product') throw agreed.fault('terms of a product that was ordered')
  const { tenureStartDate } = order
  agreed.get('start').oneOf([tenureStartDate])
  agreed.get('end').oneOf([addMonths(tenureStartDate, product.tenureMonths)])
  agreed.get('months').oneOf([toExact(whole(product.tenureMonths))])
}

const TENURE_MAX = 1200

function checkTold(node: Node, entry: PostedEntry, events: ReadonlyMap<string, Node>, { order }: OrderFacts): void {
  const event = entry.eventId === null ? undefined : events.get(entry.eventId)
  if (!event) throw node.get('event_id').fault('the event_id of an event of the receipt')
  const { start, end } = { start: node.get('agreed').get('start'), end: node.get('agreed').get('end') }
  switch (entry.reason) {
    case 'extension':
      end.oneOf([addMonths(order.tenureStartDate, event.get('tenure_months').integer(TENURE_MAX))])
      return
    case 'swapped_in':
      start.oneOf([event.get('date').day()])
      return
    case 'cancelled':
      end.oneOf([start.day()])
      return
    default:
      end.oneOf([event.get('date').day()])
  }
}
