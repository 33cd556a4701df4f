// Reads what many orders need by few statements, so that they are then decided one by one without asking the database.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { sentKeyOf } from '../naming-order.ts'
import { serialNumbersEverInOrder } from '../order-state.ts'
import type { StoredEntry } from '../records.ts'
import type { LedgerTransaction } from '../store.ts'

/**
 * A transaction that has locked and read the orders and their devices. What else is asked, it reads as the given one.
 * @param keys with the ids that clients sent, each once
 */
export async function readAhead(stored: LedgerTransaction, keys: readonly OrderKey[]): Promise<LedgerTransaction> {
  const orders = await stored.findCurrentOrders(keys)
  const told = await stored.findEventsOfOrders(orders)
  const found = new Map(
    orders.map((order) => [orderKey(sentKeyOf(order)), { order, events: told.get(orderKey(order)) ?? [] }]),
  )
  const serials = [...found.values()].map(({ order, events }) => serialNumbersEverInOrder(order, events))
  const locked = new Set(serials.flat())
  const ledgers = locked.size > 0 ? await stored.lockLedgers([...locked], null) : new Map<string, never>()
  // Read again under the locks, as for a single order.
  const events = await stored.findEventsOfOrders(orders)
  const known = new Set(orders.map(orderKey))
  const entries = new Map<string, Promise<readonly StoredEntry[]>>()
  return {
    ...stored,
    findOrder: (key) => Promise.resolve(found.get(orderKey(key)) ?? null),
    findEvents: async (order, eventId) =>
      order && known.has(orderKey(order))
        ? { events: events.get(orderKey(order)) ?? [], sameId: null }
        : stored.findEvents(order, eventId),
    lockLedgers: async (wanted, own) => {
      const others = wanted.filter((serial) => !locked.has(serial))
      const more = others.length > 0 ? await stored.lockLedgers(others, own) : []
      // A long ledger is taken from the cache only once in a transaction.
      return new Map([...pick(ledgers, wanted), ...more])
    },
    findOrderEntries: (key) => {
      const own = entries.get(orderKey(key)) ?? stored.findOrderEntries(key)
      entries.set(orderKey(key), own)
      return own
    },
  }
}

/** The elements with some of the keys. */
export const pick = <Value>(map: ReadonlyMap<string, Value>, keys: readonly string[]): ReadonlyMap<string, Value> =>
  new Map(keys.flatMap((key) => (map.has(key) ? [[key, map.get(key)!] as const] : [])))
