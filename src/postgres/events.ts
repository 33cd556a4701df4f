// What happens to orders and devices: each event stored once, with what it posts, while its devices are locked.
import type { Pool, PoolClient } from 'pg'
import type { OrderKey } from '../engine/device-timeline.ts'
import type { OrderStatus } from '../engine/order.ts'
import { ConcurrentModification, isRowError } from './errors.ts'
import { applyPosting, deviceKey, findOrderEntries, withDevices } from './entries.ts'
import { lockLedgers } from './ledgers-to-post.ts'
import { cachedOf, type CachedDevice, type LedgerCache } from './ledger-cache.ts'
import type { Ledgers } from './load-ledgers.ts'
import { addEvent, findEvent, findEventsOfOrder, findOrders, orderIdentity } from './order-reads.ts'
import type {
  DeviceLedger,
  DeviceLedgers,
  NewEntry,
  StoredDevice,
  StoredEntry,
  StoredEvent,
  StoredOrder,
} from '../ledger/records.ts'
import { JOB_BYTES, appendLocked, type BatchLimits } from './orders.ts'
import { createBatcher } from '../concurrency/batcher.ts'
import { inTransaction, type Connection } from './transaction.ts'

/** Events on different devices do not wait for each other; each holds a connection while it does. */
const EVENTS_AT_ONCE = 6

/** An order with all that is known of it. */
export interface OrderRecords {
  readonly order: StoredOrder
  readonly events: readonly StoredEvent[]
  readonly journals: DeviceLedgers
  /** What was posted to the order alone: of an order without devices. */
  readonly entries: readonly StoredEntry[]
}

/** What an event posts: devices with their new balances, entries, and what becomes of its order. */
export interface EventPosting {
  readonly devices: readonly StoredDevice[]
  readonly entries: readonly NewEntry[]
  readonly status: OrderStatus | null
  /** The device that it turned out to concern: of a swap, the one that was replaced. */
  readonly serialNumber: string | null
}

export type NewEvent = Omit<StoredEvent, 'postedAt'>

export interface NewOrderEvent {
  readonly accountId: number
  readonly event: NewEvent & { readonly order: OrderKey }
  /** The device that a swap brings in. */
  readonly newSerialNumber: string | null
  /** The devices that stand in an order, given what happened to it. */
  readonly serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[]
  /** What the event posts. Throws where it contradicts what is known: then nothing is stored. */
  readonly decide: (file: OrderRecords) => Promise<EventPosting>
}

export interface NewDeviceEvent {
  readonly accountId: number
  readonly event: NewEvent & { readonly serialNumber: string }
  readonly decide: (journal: DeviceLedger) => Promise<EventPosting>
}

/** `unknown`: there is no such order or device. `there-before`: an event of this id is stored, with this content. */
export type PostedEvent =
  { readonly outcome: 'posted' | 'unknown' } | { readonly outcome: 'there-before'; readonly stored: StoredEvent }

export interface Events {
  readonly postOrderEvent: (event: NewOrderEvent) => Promise<PostedEvent>
  readonly postDeviceEvent: (event: NewDeviceEvent) => Promise<PostedEvent>
}

/** What became of an event, and the ledgers of long journals that took it in. */
interface Done {
  readonly posted: PostedEvent
  readonly kept: readonly (readonly [string, CachedDevice])[]
}

const unposted = (posted: PostedEvent): Done => ({ posted, kept: [] })

export function createEvents(pool: Pool, limits: BatchLimits, ledgers: Ledgers): Events {
  // Each travels alone, in a transaction of its own; those of one order or device one after the other.
  const alone = {
    ...limits,
    tripsMax: EVENTS_AT_ONCE,
    isOfOneJob: isRowError,
    weightOf: () => JOB_BYTES,
    weightPerTripMax: 0,
  }
  const travel = <Job>(post: (connection: PoolClient, job: Job, ledgers: LedgerCache) => Promise<Done>) => {
    return async ([job]: readonly Job[]) => {
      const { posted, kept } = await ledgers.untilLoaded(() =>
        inTransaction(pool, (connection) => post(connection, job!, ledgers)),
      )
      for (const [identity, device] of kept) ledgers.give(identity, device)
      return [posted]
    }
  }
  return {
    postOrderEvent: createBatcher({
      ...alone,
      queue: 'order-events',
      travel: travel(postOrderEvent),
      keysOf: ({ accountId, event }: NewOrderEvent) => [orderIdentity(accountId, event.order)],
    }),
    postDeviceEvent: createBatcher({
      ...alone,
      queue: 'device-events',
      travel: travel(postDeviceEvent),
      keysOf: ({ accountId, event }: NewDeviceEvent) => [deviceKey({ accountId, serialNumber: event.serialNumber })],
    }),
  }
}

async function postOrderEvent(connection: PoolClient, job: NewOrderEvent, ledgers: LedgerCache): Promise<Done> {
  const { accountId, event, decide } = job
  const { file, journals } = await lockOrder(connection, job, ledgers)
  // Looked for under the locks: told twice at one moment, the second one has to find the first.
  const stored = await findEvent(connection, accountId, event.eventId)
  if (stored) return unposted({ outcome: 'there-before', stored })
  if (!file) return unposted({ outcome: 'unknown' })
  const { devices, entries, status, serialNumber } = await decide(file)
  const postedAt = await appendLocked(connection, [
    {
      accountId,
      orders: [],
      entries: withDevices(entries, devices, file.journals),
      statuses: [...applyPosting(entries, event.order), ...(status === null ? [] : [{ ...event.order, status }])],
    },
  ])
  await addEvent(connection, accountId, { ...event, serialNumber, postedAt })
  return { posted: { outcome: 'posted' }, kept: cachedOf(accountId, { devices, entries }, journals, postedAt) }
}

interface LockedOrder {
  readonly file: OrderRecords | null
  /** By deviceKey. */
  readonly journals: ReadonlyMap<string, DeviceLedger>
}

/**
 * Locks all devices of an order, the one that comes in too; an order without devices is locked itself.
 * @throws Overtaken where a swap brought in another device meanwhile: it is to be locked too
 */
async function lockOrder(connection: PoolClient, job: NewOrderEvent, ledgers: LedgerCache): Promise<LockedOrder> {
  const { accountId, event, newSerialNumber, serialsOf } = job
  const wanted = { accountId, key: event.order }
  const order = await findOrder(connection, accountId, event.order)
  if (!order) return { file: null, journals: new Map() }
  const standing = serialsOf(order, await findEventsOfOrder(connection, wanted))
  const serials = new Set([...standing, ...(newSerialNumber === null ? [] : [newSerialNumber])])
  const devices = [...serials].map((serialNumber) => ({ accountId, serialNumber }))
  const journals = await lockLedgers(connection, devices, ledgers, event.order)
  if (standing.length === 0) await lockRow(connection, accountId, event.order)
  const events = await findEventsOfOrder(connection, wanted)
  if (!serialsOf(order, events).every((serial) => serials.has(serial))) throw new ConcurrentModification()
  const entries = standing.length === 0 ? await findOrderEntries(connection, wanted) : []
  return { file: { order, events, entries, journals: groupBySerialNumber(journals) }, journals }
}

export const groupBySerialNumber = (journals: ReadonlyMap<string, DeviceLedger>): DeviceLedgers =>
  new Map([...journals.values()].map((journal) => [journal.device.serialNumber, journal]))

async function findOrder(connection: Connection, accountId: number, key: OrderKey): Promise<StoredOrder | null> {
  const found = await findOrders(connection, [{ accountId, key }])
  return found.get(orderIdentity(accountId, key)) ?? null
}

async function lockRow(connection: Connection, accountId: number, { customerId, orderId }: OrderKey): Promise<void> {
  await connection.query(
    'select 1 from orders where account_id = $1 and customer_id = $2 and order_id = $3 for update',
    [accountId, customerId, orderId],
  )
}

async function postDeviceEvent(connection: PoolClient, job: NewDeviceEvent, ledgers: LedgerCache): Promise<Done> {
  const { accountId, event, decide } = job
  const device = { accountId, serialNumber: event.serialNumber }
  const journals = await lockLedgers(connection, [device], ledgers, null)
  const journal = journals.get(deviceKey(device))
  const stored = await findEvent(connection, accountId, event.eventId)
  if (stored) return unposted({ outcome: 'there-before', stored })
  if (!journal) return unposted({ outcome: 'unknown' })
  const { devices, entries } = await decide(journal)
  const written = withDevices(entries, devices, new Map([[event.serialNumber, journal]]))
  const postedAt = await appendLocked(connection, [
    { accountId, orders: [], entries: written, statuses: applyPosting(entries, null) },
  ])
  await addEvent(connection, accountId, { ...event, postedAt })
  return { posted: { outcome: 'posted' }, kept: cachedOf(accountId, { devices, entries }, journals, postedAt) }
}
