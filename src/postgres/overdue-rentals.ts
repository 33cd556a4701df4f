// Rentals whose agreed end has passed, and of which nobody said that the device came back.
import { DECOMMISSIONING_REASONS } from '../engine/device-event-types.ts'
import { isRowError } from './errors.ts'
import { JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'
import type { ReplicaReads } from './read-replica.ts'
import type { Connection } from './transaction.ts'

export interface OverdueRental {
  readonly customerId: string
  readonly orderId: string
  readonly serialNumber: string
  /** The day after the last one agreed, YYYY-MM-DD. */
  readonly agreedEnd: string
}

export interface OverdueRentals {
  readonly hasMore: boolean
  /** Sorted by serial number, by code point. */
  readonly first: readonly OverdueRental[]
}

export interface OverdueQuery {
  readonly accountId: number
  /** Agreed ends after this day; null for all. */
  readonly after: string | null
  /** Agreed ends until this day: nothing was agreed from it on. */
  readonly until: string
  /** How many are listed. */
  readonly limit: number
}

/** Null for an account with so many entries that they cannot be searched in time. */
export type FindOverdueRentals = (wanted: OverdueQuery) => Promise<OverdueRentals | null>

/** It may read all entries of an account. More at a time would keep connections from writes. */
const AT_ONCE = 1
/** Enough for about a million entries. Longer, and nothing would be left of the 12 s that a request may take. */
const SEARCH_MS_MAX = 4_000
const CANCELED = '57014'

/**
 * A rental is overdue if its terms are still those of its order, an extension or a swap. It is not if the device has
 * been rented again since, because then it came back, or if it was retired or lost. Entries are
 * read in the order of the primary key, in which those of a device are next to each other, until there are enough.
 */
const OVERDUE = `
  select customer_id as "customerId", order_id as "orderId", serial_number as "serialNumber", end_date as "agreedEnd"
  from entries as own
  where account_id = $1 and serial_number <> '' and months is not null and end_date > start_date
    and end_date <= $3 and ($2::date is null or end_date > $2)
    and coalesce(in_force_reason, reason) in ('order', 'extension', 'swapped_in')
    and not exists (
      select from entries as other where other.account_id = $1 and other.serial_number = own.serial_number and (
        (other.customer_id, other.order_id) = (own.customer_id, own.order_id) and other.months is not null
          and other.entry_no > own.entry_no
        or other.start_date > own.start_date and other.end_date > other.start_date and not exists (
          select from entries as later where later.account_id = $1 and later.serial_number = other.serial_number
            and (later.customer_id, later.order_id) = (other.customer_id, other.order_id)
            and later.entry_no > other.entry_no and later.end_date <= later.start_date
        )
        or other.order_id = '' and other.reason in ('${DECOMMISSIONING_REASONS.join("', '")}') and not exists (
          select from entries as later join events using (account_id, event_id)
          where later.account_id = $1 and later.serial_number = other.serial_number and later.order_id = ''
            and later.reason = 'withdrawal' and content::json ->> 'withdraws' = other.event_id
        )
      )
    )
  order by serial_number limit $4`

export function createOverdueRentals(longReads: ReplicaReads, limits: BatchLimits): FindOverdueRentals {
  return createBatcher<OverdueQuery, OverdueRentals | null>({
    ...limits,
    queue: 'overdue-rentals',
    concurrencyMax: AT_ONCE,
    isJobError: isRowError,
    bytesOf: () => JOB_BYTES,
    batchBytesMax: 0,
    executeBatch: async ([wanted]) => [await longReads((connection) => find(connection, wanted!))],
  })
}

async function find(
  connection: Connection,
  { accountId, after, until, limit }: OverdueQuery,
): Promise<OverdueRentals | null> {
  await connection.query(`set local statement_timeout = ${SEARCH_MS_MAX}`)
  try {
    const { rows } = await connection.query<OverdueRental>({
      name: 'find-overdue-rentals',
      text: OVERDUE,
      values: [accountId, after, until, limit + 1],
    })
    return { hasMore: rows.length > limit, first: rows.slice(0, limit) }
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === CANCELED) return null
    throw error
  }
}
