// Reads what many orders need by few statements, so that they are then decided one by one without asking the database.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { sentKeyOf } from '../naming-order.ts'
import { serialNumbersEverInOrder } from '../order-state.ts'
import type { DeviceLedger, StoredEntry, StoredOrder } from '../records.ts'
import type { LedgerTransaction } from '../store.ts'

export interface ReadAhead {
  /** Has locked and read the orders and their devices. What else is asked, it reads as the given one. */
  readonly transaction: LedgerTransaction
  /** Orders with a device that has a long ledger, by orderKey: neither is read, for each would be read as a whole. */
  readonly long: ReadonlySet<string>
  /** For an undo, the revisions that the restatement replaced, by orderKey; it replaced none of the others. */
  readonly replaced: ReadonlyMap<string, StoredOrder>
}

/**
 * @param keys with the ids that clients sent, each once
 * @param undoes the number of a restatement that is undone
 */
export async function readAhead(
  stored: LedgerTransaction,
  keys: readonly OrderKey[],
  undoes?: number,
): Promise<ReadAhead> {
  const { orders, alone, serials, long } = await ordersToRead(stored, keys)
  const locked = new Set(serials)
  const ledgers = locked.size > 0 ? await stored.lockLedgers([...locked], null) : new Map<string, DeviceLedger>()
  const lockedAlone = alone.length > 0 ? await stored.lockOrders(alone) : new Set<string>()
  // Read again under the locks, as for a single order.
  const all = [...orders.values()].map(({ order }) => order)
  const events = await stored.findEventsOfOrders(all)
  const replaced =
    undoes === undefined ? new Map<string, StoredOrder>() : await stored.findReplacedRevisions(all, undoes)
  const known = new Set([...orders.values()].map(({ order }) => orderKey(order)))
  const entries = new Map<string, Promise<readonly StoredEntry[]>>()
  const transaction: LedgerTransaction = {
    ...stored,
    findOrder: (key) => Promise.resolve(orders.get(orderKey(key)) ?? null),
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
    lockOrder: (key) => Promise.resolve(lockedAlone.has(orderKey(key))),
    findOrderEntries: (key) => {
      const own = entries.get(orderKey(key)) ?? stored.findOrderEntries(key)
      entries.set(orderKey(key), own)
      return own
    },
  }
  return { transaction, long, replaced }
}

/** The orders with their events and devices, those without a device, and those that are not to be read. */
async function ordersToRead(stored: LedgerTransaction, keys: readonly OrderKey[]) {
  const found = await stored.findCurrentOrders(keys)
  const events = await stored.findEventsOfOrders(found)
  const all = found.map((order) => {
    const own = events.get(orderKey(order)) ?? []
    return { order, events: own, serials: serialNumbersEverInOrder(order, own) }
  })
  const longLedgers = await stored.findLongLedgers([...new Set(all.flatMap(({ serials }) => serials))])
  const [long, read] = [new Set<string>(), new Map<string, (typeof all)[number]>()]
  for (const one of all) {
    const sent = orderKey(sentKeyOf(one.order))
    if (one.serials.some((serial) => longLedgers.has(serial))) long.add(sent)
    else read.set(sent, one)
  }
  const toRead = [...read.values()]
  return {
    orders: read,
    alone: toRead.filter(({ serials }) => serials.length === 0).map(({ order }) => order),
    serials: toRead.flatMap(({ serials }) => serials),
    long,
  }
}

/** The elements with some of the keys. */
export const pick = <Value>(map: ReadonlyMap<string, Value>, keys: readonly string[]): ReadonlyMap<string, Value> =>
  new Map(keys.flatMap((key) => (map.has(key) ? [[key, map.get(key)!] as const] : [])))
