// Where the page of an order is, and where the API has it: ids may hold any character.

/** Both ids as the API calls them. */
export interface OrderKey {
  readonly customer_id: string
  readonly order_id: string
}

const placeOf = ({ customer_id: customer, order_id: order }: OrderKey): string =>
  `${encodeURIComponent(customer)}/${encodeURIComponent(order)}`

export const pathOfOrder = (key: OrderKey): string => `/orders/${placeOf(key)}`
export const receiptPathOf = (key: OrderKey, query: string): string =>
  `/api/customer-orders/${placeOf(key)}/receipt${query}`

/** Null where the path names no order. */
export function keyOfPath(path: string): OrderKey | null {
  const ids = /^\/orders\/([^/]+)\/([^/]+)\/?$/.exec(path)
  try {
    return ids && { customer_id: decodeURIComponent(ids[1]!), order_id: decodeURIComponent(ids[2]!) }
  } catch {
    return null
  }
}
