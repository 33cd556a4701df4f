// Where the page of a device is: serial numbers may hold any character.

export const pathOfDevice = (serial: string): string => `/devices/${encodeURIComponent(serial)}`

/** Where the console has the page of an order. */
export const pathOfOrder = (order: { readonly customer_id: string; readonly order_id: string }): string =>
  `/orders/${encodeURIComponent(order.customer_id)}/${encodeURIComponent(order.order_id)}`

/**
 * @param path as the window has it: the router's own has some of its characters decoded already
 * @returns null where it names no device
 */
export function serialOfPath(path: string): string | null {
  const [, encoded] = /^\/devices\/([^/]+)\/?$/.exec(path) ?? []
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded)
  } catch {
    return null
  }
}
