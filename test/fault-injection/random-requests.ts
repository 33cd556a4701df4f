// Random orders, events and corrections as requests: some on known devices, some to be refused, the same for a seed.
import type { ReferenceData } from '../../src/engine/reference/reference-data.ts'
import type { WireOrder } from '../../src/contract/order-schema.ts'
import { createRandomOrders, randomFrom } from '../../scripts/random-orders.ts'
import { ORDERS } from '../order-client.ts'

export interface RandomRequest {
  readonly kind: 'order' | 'event' | 'correction'
  /** The id that it is stored under, which no other request has. */
  readonly name: string
  readonly path: string
  readonly body: string
}

export interface RandomRequests {
  readonly next: () => RandomRequest
  /** An order that nothing is wrong with. */
  readonly nextOrder: () => RandomRequest
  /** Events are told of orders that are there. */
  readonly acknowledged: (request: RandomRequest) => void
}

const REMEMBERED_MAX = 200
const SHARE = { orderEvent: 0.1, deviceEvent: 0.04, correction: 0.04, faulty: 0.03 }

export function createRandomRequests(referenceData: ReferenceData, seed: number): RandomRequests {
  const random = randomFrom(seed)
  const source = createRandomOrders(referenceData, seed)
  const orders: WireOrder[] = []
  const corrected = new Set<WireOrder>()
  const order = (faultyShare: number): RandomRequest => {
    const wire = source.order()
    // Of a month that there is not.
    const body = random() < faultyShare ? { ...wire, tenure_start_date: '2024-13-01' } : wire
    return { kind: 'order', name: wire.order_id, path: ORDERS, body: JSON.stringify(body) }
  }
  const orderEvent = (): RandomRequest => {
    const of = orders[Math.floor(random() * orders.length)]!
    const event = source.orderEvent(of)
    const path = `${ORDERS}/${of.customer_id}/${of.order_id}/events`
    return { kind: 'event', name: event.event_id, path, body: JSON.stringify(event) }
  }
  /** Each order once: sent again after another correction, it would be a third one. */
  const correction = (): RandomRequest => {
    const of = orders[Math.floor(random() * orders.length)]!
    if (corrected.has(of)) return order(0)
    corrected.add(of)
    const name = `corrected ${of.order_id}`
    const longer = (item: NonNullable<WireOrder['items']>[number]) =>
      item.type === 'product'
        ? { ...item, config: { ...item.config, tenure_months: item.config.tenure_months + 1 } }
        : item
    const body = JSON.stringify({ ...of, items: (of.items ?? []).map(longer), metadata: { corrected: name } })
    const path = `${ORDERS}/${of.customer_id}/${of.order_id}?${new URLSearchParams({ reason: name }).toString()}`
    return { kind: 'correction', name, path, body }
  }
  const deviceEvent = (): RandomRequest => {
    const { serialNumber, event } = source.deviceEvent()
    const path = `/api/devices/${encodeURIComponent(serialNumber)}/events`
    return { kind: 'event', name: event.event_id, path, body: JSON.stringify(event) }
  }
  return {
    nextOrder: () => order(0),
    next: () => {
      const draw = random()
      const { orderEvent: ofOrders, deviceEvent: ofDevices, correction: ofContents } = SHARE
      if (orders.length === 0 || draw > ofOrders + ofDevices + ofContents) return order(SHARE.faulty)
      if (draw > ofOrders + ofDevices) return correction()
      return draw < SHARE.orderEvent ? orderEvent() : deviceEvent()
    },
    acknowledged: ({ kind, body }) => {
      if (kind !== 'order') return
      if (orders.length === REMEMBERED_MAX) orders.shift()
      orders.push(JSON.parse(body) as WireOrder)
    },
  }
}
