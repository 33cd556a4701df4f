// Posts random orders and events straight to a database, as the service does, in shared trips and without HTTP.
import type { Pool } from 'pg'
import { LEDGER_ENTRIES_CACHED_MAX, DB_BATCH_BYTES_MAX, DB_QUEUE_BYTES_MAX } from '../src/config.ts'
import { loadArchivedRelease } from '../src/reference-data/load.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { resolveOrder } from '../src/engine/resolve-order.ts'
import type { RecordedOrderEvent, WireDeviceEvent } from '../src/contract/event-schema.ts'
import type { WireOrder } from '../src/contract/order-schema.ts'
import { createRecordOrder, toRecord } from '../src/ledger/record-order.ts'
import { recordDeviceEvent, recordOrderEvent, type EventOutcome } from '../src/ledger/record-event.ts'
import { normaliseOrder, toEngineOrder } from '../src/contract/parse-order.ts'
import { ApiError } from '../src/contract/errors.ts'
import { createOpenLedger } from '../src/ledger/codec.ts'
import { createEventStore } from '../src/postgres/events.ts'
import { createLedgerTransactions } from '../src/postgres/ledger-transactions.ts'
import { createOrderStore } from '../src/postgres/orders.ts'
import { filesOfRelease } from '../src/postgres/dataset-releases.ts'
import { createQueueLoad } from '../src/concurrency/queue-load.ts'
import { createRandomOrders } from './random-orders.ts'

/** Who posts, and by what. */
export interface Poster {
  readonly accountId: number
  readonly isCapped: boolean
  readonly referenceData: ReferenceData
  readonly releaseId: number
}

export interface RandomFilling extends Poster {
  readonly orders: number
  /** Events told of orders, and of devices, for each order; some of them contradict what is known, and are not kept. */
  readonly eventShare: number
  readonly seed: number
  /** Called with the number of orders that are posted so far. */
  readonly onPosted?: (orders: number) => void
}

/** What is posted at a time: enough to fill the trips, and little enough to be let in. */
const BATCH = 1_000

/** One of so many events is withdrawn again. */
const WITHDRAWN_EACH = 3

const withdrawalOf = ({ event_id: id }: { readonly event_id: string }) => ({
  event_id: `${id}-withdrawn`,
  type: 'withdrawn' as const,
  withdraws: id,
})

/** @returns how many events were kept, withdrawals included */
export async function postRandom(pool: Pool, filling: RandomFilling): Promise<number> {
  const random = createRandomOrders(filling.referenceData, filling.seed)
  const post = createPosting(pool, filling)
  let kept = 0
  for (let posted = 0; posted < filling.orders;) {
    const orders = Array.from({ length: Math.min(BATCH, filling.orders - posted) }, random.order)
    await Promise.all(orders.map(post.order))
    posted += orders.length
    const told = orders.slice(0, Math.ceil(orders.length * filling.eventShare))
    const ofOrders = told.map((order) => ({ order, event: random.orderEvent(order) }))
    const ofDevices = told.map(random.deviceEvent)
    const events = [
      ...ofOrders.map(({ order, event }) => post.orderEvent(order, event)),
      ...ofDevices.map(({ serialNumber, event }) => post.deviceEvent(serialNumber, event)),
    ]
    const areKept = await Promise.all(events)
    const withdrawals = [
      ...ofOrders.map(
        ({ order, event }) =>
          () =>
            post.orderEvent(order, withdrawalOf(event)),
      ),
      ...ofDevices.map(
        ({ serialNumber, event }) =>
          () =>
            post.deviceEvent(serialNumber, withdrawalOf(event)),
      ),
    ].filter((_, at) => areKept[at] && at % WITHDRAWN_EACH === 0)
    const areWithdrawn = await Promise.all(withdrawals.map((withdraw) => withdraw()))
    kept += [...areKept, ...areWithdrawn].filter((isKept) => isKept).length
    filling.onPosted?.(posted)
  }
  return kept
}

export function createPosting(pool: Pool, { accountId, isCapped, referenceData, releaseId }: Poster) {
  const limits = {
    batchBytesMax: DB_BATCH_BYTES_MAX,
    queueBytesMax: DB_QUEUE_BYTES_MAX,
    queueLoad: createQueueLoad(),
  }
  const referenceDataById = new Map([[releaseId, Promise.resolve(referenceData)]])
  const referenceDataOf = (id: number): Promise<ReferenceData> => {
    const found =
      referenceDataById.get(id) ??
      filesOfRelease(pool, id).then((files) => loadArchivedRelease(files, referenceData.matching))
    referenceDataById.set(id, found)
    return found
  }
  const run = createLedgerTransactions(pool, LEDGER_ENTRIES_CACHED_MAX, createOpenLedger(referenceDataOf))
  const recordOrder = createRecordOrder(createOrderStore(pool, run), limits, referenceDataOf)
  const events = createEventStore(limits, run)
  const account = { accountId, isCapped, recordedBy: null, isStrict: false }
  return {
    order: async (body: WireOrder) => {
      const wire = normaliseOrder(body)
      const resolved = resolveOrder(toEngineOrder(wire), referenceData)
      if (!resolved.ok) throw new Error(`A random order has a fault: ${resolved.problems[0]!.message}`)
      return recordOrder(toRecord(accountId, { wire, items: resolved.items, releaseId, isCapped }))
    },
    orderEvent: (order: WireOrder, wire: RecordedOrderEvent) => {
      const key = { customerId: order.customer_id, orderId: order.order_id }
      return isKept(recordOrderEvent(events, account, key, wire, { referenceDataOf, matching: null }))
    },
    deviceEvent: (serialNumber: string, wire: WireDeviceEvent) =>
      isKept(recordDeviceEvent(events, account, serialNumber, wire, { releaseId, referenceData }, referenceDataOf)),
  }
}

/** What contradicts the facts is refused; anything else that fails is a fault of ours. */
async function isKept(posted: Promise<EventOutcome<unknown>>): Promise<boolean> {
  try {
    return (await posted).outcome === 'posted'
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
