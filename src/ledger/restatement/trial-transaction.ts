// A transaction that stores nothing: what it appends is seen by what it reads afterwards, as in one that is committed.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { sentKeyOf } from '../naming-order.ts'
import { identifiedBySerial, ledgersWith, storedEntry, NO_EVENT } from '../posted-ledgers.ts'
import type { DeviceLedger, OrderRecords, PostingTime, StoredEntry, StoredOrder } from '../records.ts'
import type { DecidedRevision, LedgerTransaction } from '../store.ts'
import { pick } from './read-ahead.ts'

export interface Trial {
  readonly transaction: LedgerTransaction
  /** What was appended, in order, with the ledgers before it. */
  readonly appended: readonly DecidedRevision[]
  /** The ledgers that were read, with what was appended. */
  readonly ledgers: ReadonlyMap<string, DeviceLedger>
}

/**
 * @param stored reads what is stored, by one snapshot; its locks are not needed
 * @param time of what is appended
 */
export function tryOn(stored: LedgerTransaction, time: PostingTime): Trial {
  const orders = new Map<string, Pick<OrderRecords, 'order' | 'events'>>()
  const revisions = new Map<string, StoredOrder>()
  const entries = new Map<string, readonly StoredEntry[]>()
  const ledgers = new Map<string, DeviceLedger>()
  const asked = new Set<string>()
  const appended: DecidedRevision[] = []
  const transaction: LedgerTransaction = {
    ...stored,
    findOrder: async (key) => orders.get(orderKey(key)) ?? stored.findOrder(key),
    findOrders: async (keys) => {
      const others = keys.filter((key) => !revisions.has(orderKey(key)))
      const found = others.length > 0 ? await stored.findOrders(others) : []
      return [...keys.flatMap((key) => revisions.get(orderKey(key)) ?? []), ...found]
    },
    findEvents: async (key, eventId) => {
      const own = key && orders.get(orderKey(sentKeyOf(key)))
      return own ? { events: own.events, sameId: null } : stored.findEvents(key, eventId)
    },
    findOrderEntries: async (key) => entries.get(orderKey(key)) ?? stored.findOrderEntries(key),
    lockLedgers: async (serials, own) => {
      const others = serials.filter((serial) => !asked.has(serial))
      if (others.length > 0)
        for (const [serial, ledger] of await stored.lockLedgers(others, own)) ledgers.set(serial, ledger)
      for (const serial of others) asked.add(serial)
      return pick(ledgers, serials)
    },
    appendRevisions: (revisions) => {
      for (const one of revisions) append(one)
      return Promise.resolve()
    },
  }
  return { transaction, appended, ledgers }

  function append(decided: DecidedRevision): void {
    const { order, status, events, event, identifications } = decided.revision
    const next: StoredOrder = { ...order, createdAt: time.postedAt, status }
    revisions.set(orderKey(order), next)
    orders.set(orderKey(sentKeyOf(order)), {
      order: next,
      events: events.map((one) => ({ ...one, order: keyOf(order) })),
    })
    const posting = { ...decided.revision, identified: identifiedBySerial(identifications) }
    const after = ledgersWith(decided.ledgers, posting, [event, ...identifications], time)
    for (const [serial, ledger] of after) ledgers.set(serial, ledger)
    const alone = decided.revision.entries.filter(({ serialNumber }) => serialNumber === '')
    for (const [key, own] of Map.groupBy(alone, orderKey))
      entries.set(
        key,
        own.map((entry) => storedEntry(entry, NO_EVENT, time)),
      )
    appended.push(decided)
  }
}

const keyOf = ({ customerId, orderId }: OrderKey): OrderKey => ({ customerId, orderId })
