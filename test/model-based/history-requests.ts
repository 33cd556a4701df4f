// How a fact of a random history is told over HTTP; a prefix keeps the names of many histories apart.
import type { DeviceEventFact, Fact, OrderEventFact, OrderFact } from './history-model.ts'

/** @param isOther with other content under the same id */
export function requestOf(
  fact: Fact,
  prefix: string,
  isOther: boolean,
): { readonly method: 'POST' | 'PUT'; readonly url: string; readonly payload: string } {
  const method = 'POST' as const
  switch (fact.kind) {
    case 'order':
      return { method, url: '/api/customer-orders', payload: JSON.stringify(orderBody(fact, prefix, isOther)) }
    case 'correction': {
      const payload = JSON.stringify(orderBody(fact.right, prefix, isOther))
      return { method: 'PUT', url: `/api/customer-orders/${namedIn(prefix, fact.order)}`, payload }
    }
    case 'order-event': {
      const path = namedIn(prefix, fact.order)
      const body = { ...orderEventBody(fact, prefix), ...(isOther && otherwise(fact)) }
      return { method, url: `/api/customer-orders/${path}/events`, payload: JSON.stringify(body) }
    }
    case 'identification': {
      const body = { event_id: prefix + fact.id, type: 'identified', model_id: fact.model }
      const payload = JSON.stringify({ ...body, ...(isOther && { reason: 'other' }) })
      return { method, url: `/api/devices/${prefix}${fact.serial}/events`, payload }
    }
    case 'withdrawal': {
      const body = { event_id: prefix + fact.id, type: 'withdrawn', withdraws: prefix + fact.withdraws }
      const path =
        'order' in fact ? `customer-orders/${namedIn(prefix, fact.order)}` : `devices/${prefix}${fact.serial}`
      return {
        method,
        url: `/api/${path}/events`,
        payload: JSON.stringify({ ...body, ...(isOther && { reason: 'other' }) }),
      }
    }
    case 'device-event': {
      const body = { ...deviceEventBody(fact, prefix), ...(isOther && { date: '2031-05-17' }) }
      return { method, url: `/api/devices/${prefix}${fact.serial}/events`, payload: JSON.stringify(body) }
    }
  }
}

/** The path of an order, as the service names it. */
export const namedIn = (prefix: string, order: string): string =>
  order
    .split('/')
    .map((part) => prefix + part)
    .join('/')

const otherwise = ({ type }: OrderEventFact) => (type === 'extended' ? { tenure_months: 777 } : { date: '2031-05-17' })

const orderBody = (fact: OrderFact, prefix: string, isOther: boolean) => ({
  customer_id: prefix + fact.customer,
  order_id: prefix + fact.orderId,
  order_date: isOther ? '2023-05-17' : '2023-12-01',
  tenure_start_date: fact.start,
  items: [
    ...fact.devices.map(({ serial, model, tenure }) => ({
      type: 'product',
      config: { product_id: model, serial_number: prefix + serial, tenure_months: tenure, weight_kg: 1.24 },
    })),
    ...fact.transports.map(({ kilograms, kilometres }) => ({
      type: 'transportation',
      config: {
        transportation_id: 'hypothetical-van',
        transportation_mode: 'road',
        weight_kg: kilograms / 8,
        distance_km: kilometres / 2,
      },
    })),
    ...fact.packagings.map(({ kilograms }) => ({
      type: 'packaging',
      config: { packaging_id: 'hypothetical-board', weight_kg: kilograms / 8 },
    })),
  ],
})

function orderEventBody(fact: OrderEventFact, prefix: string) {
  const serial = fact.serial === undefined ? {} : { serial_number: prefix + fact.serial }
  const common = { event_id: prefix + fact.id, type: fact.type, ...serial }
  switch (fact.type) {
    case 'returned':
      return { ...common, date: fact.date }
    case 'extended':
      return { ...common, tenure_months: fact.tenure }
    case 'cancelled':
      return { ...common, date: fact.date, dispatched: fact.dispatched }
    case 'swapped':
      return {
        ...common,
        date: fact.date,
        new_serial_number: prefix + fact.by,
        weight_kg: 1.24,
        ...(fact.model !== undefined && { product_id: fact.model }),
      }
  }
}

const deviceEventBody = (fact: DeviceEventFact, prefix: string) => ({
  event_id: prefix + fact.id,
  type: fact.type,
  date: fact.date,
  ...(fact.type === 'refurbished' && {
    ...(fact.burden !== null && { emission_kg: Number(fact.burden) }),
    lifetime_months_added: fact.added,
  }),
})
