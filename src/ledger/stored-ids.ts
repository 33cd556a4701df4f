// Ids that earlier versions stored with the white space around them: they are still found under the ids as sent.
import type { OrderKey } from '../engine/device-timeline.ts'
import { normaliseId } from '../contract/parse-order.ts'
import type { WireOrder } from '../contract/order-schema.ts'

/** Whether something is stored under exactly this id. */
export interface StoredIds {
  readonly hasOrder: (accountId: number, key: OrderKey) => Promise<boolean>
  /** An order of this customer. */
  readonly hasCustomer: (accountId: number, customerId: string) => Promise<boolean>
  /** An order with this id, of any customer. */
  readonly hasOrderId: (accountId: number, orderId: string) => Promise<boolean>
  readonly hasEvent: (accountId: number, eventId: string) => Promise<boolean>
}

/** No stored id has a NUL, and PostgreSQL does not accept a parameter that contains one. */
const isStorable = (id: string): boolean => !id.includes('\0')

/** The id as sent if an earlier version stored something under it, else the normalised id. Nearly all are the same. */
async function idInUse(sent: string, isStored: (id: string) => Promise<boolean>): Promise<string> {
  const id = normaliseId(sent)
  return id !== sent && isStorable(sent) && (await isStored(sent)) ? sent : id
}

export const customerIdInUse = (stored: StoredIds, accountId: number, sent: string): Promise<string> =>
  idInUse(sent, (id) => stored.hasCustomer(accountId, id))

/** Ids to filter by; null for each that was not sent. */
export async function filteredIds(
  stored: StoredIds,
  accountId: number,
  { customer_id: customers, order_id: orders }: Readonly<Record<string, readonly string[]>>,
): Promise<{ readonly customerId: string | null; readonly orderId: string | null }> {
  return {
    customerId: customers?.[0] === undefined ? null : await customerIdInUse(stored, accountId, customers[0]),
    orderId: orders?.[0] === undefined ? null : await idInUse(orders[0], (id) => stored.hasOrderId(accountId, id)),
  }
}

const eventIdInUse = (stored: StoredIds, accountId: number, sent: string): Promise<string> =>
  idInUse(sent, (id) => stored.hasEvent(accountId, id))

/** The key as sent if an earlier version stored an order under it, else the normalised key. */
export async function orderKeyInUse(stored: StoredIds, accountId: number, sent: OrderKey): Promise<OrderKey> {
  const key = { customerId: normaliseId(sent.customerId), orderId: normaliseId(sent.orderId) }
  if (key.customerId === sent.customerId && key.orderId === sent.orderId) return sent
  return isStorable(sent.customerId + sent.orderId) && (await stored.hasOrder(accountId, sent)) ? sent : key
}

/**
 * An order with the key under which it is stored, so that one of an earlier version is recognised as a repetition.
 * @param keyAsSent null if it is the key of the order
 */
export async function underStoredKey(
  stored: StoredIds,
  accountId: number,
  { wire, keyAsSent }: { readonly wire: WireOrder; readonly keyAsSent: OrderKey | null },
): Promise<WireOrder> {
  if (keyAsSent === null) return wire
  const { customerId, orderId } = await orderKeyInUse(stored, accountId, keyAsSent)
  return { ...wire, customer_id: customerId, order_id: orderId }
}

/**
 * An event with the id under which it is stored, so that one of an earlier version is recognised as a repetition; and
 * with the id under which the event is stored that it withdraws.
 * @param idAsSent the id of the event as it was sent
 */
export async function underStoredEventId<Event extends { readonly event_id: string }>(
  stored: StoredIds,
  accountId: number,
  { event, idAsSent }: { readonly event: Event; readonly idAsSent: string },
): Promise<Event> {
  const inUse = (id: string): Promise<string> => eventIdInUse(stored, accountId, id)
  const eventId = event.event_id === idAsSent ? idAsSent : await inUse(idAsSent)
  const { withdraws } = event as { readonly withdraws?: string }
  return { ...event, event_id: eventId, ...(withdraws !== undefined && { withdraws: await inUse(withdraws) }) }
}
