// The devices of an account by serial number, page by page, each with its balance and the rental that began last.
import type { Milligrams } from '../engine/line.ts'
import { isOfOneRow } from './database-errors.ts'
import type { Connection } from './order-reads.ts'
import { JOB_WEIGHT, type SharedLimits } from './orders.ts'
import type { LongReads } from './replica.ts'
import { createSharedTrips } from './shared-trips.ts'

export interface WantedDevices {
  readonly accountId: number
  /** What their serial numbers begin with; null for all. */
  readonly prefix: string | null
  /** The last serial number of the page before. */
  readonly after: string | null
  readonly limit: number
}

export interface LastRental {
  readonly customerId: string
  readonly orderId: string
  /** A calendar day, and the day after the last. */
  readonly from: string
  readonly to: string
}

export interface ListedDevice {
  readonly serialNumber: string
  readonly basis: string
  readonly releaseId: number
  /** Embodied footprint and refurbishments, and what of them was charged to orders. */
  readonly putIn: Milligrams
  readonly given: Milligrams
  /** All that was posted on it: embodied, use, packaging and transport. */
  readonly posted: Milligrams
  readonly orderCount: number
  /** Null where every rental was cancelled. */
  readonly lastRental: LastRental | null
  /** Why it is no longer rented out. */
  readonly gone: 'retired' | 'lost' | null
}

export type ListDevices = (wanted: WantedDevices) => Promise<readonly ListedDevice[]>

const LISTS_AT_ONCE = 4

export function createDeviceList(longReads: LongReads, limits: SharedLimits): ListDevices {
  return createSharedTrips<WantedDevices, readonly ListedDevice[]>({
    ...limits,
    queue: 'device-lists',
    tripsMax: LISTS_AT_ONCE,
    isOfOneJob: isOfOneRow,
    weightOf: () => JOB_WEIGHT,
    weightPerTripMax: 0,
    travel: async ([wanted]) => [await longReads((connection) => listDevices(connection, wanted!))],
  })
}

interface DeviceRow {
  readonly serial_number: string
  readonly basis: string
  readonly release_id: number
  readonly whole_mg: Milligrams
  readonly posted_mg: Milligrams
  readonly posted: Milligrams
  readonly order_count: number
  readonly customer_id: string | null
  readonly order_id: string | null
  readonly start_day: string | null
  readonly end_day: string | null
  readonly gone: ListedDevice['gone']
}

/** No character comes after this one: what begins with a prefix is before the prefix with it at its end. */
const LAST_CHARACTER = `chr(${0x10ffff})`

const PAGE = `
  select serial_number, basis, release_id, whole_mg, posted_mg from devices
  where account_id = $1 and ($2::text is null or (serial_number >= $2 and serial_number < $2 || ${LAST_CHARACTER}))
    and ($3::text is null or serial_number > $3)
  order by serial_number limit $4`

/** `offset 0` has the entries of each device looked up by its serial number, whatever the statistics say. */
const SUMS = `
  select coalesce(sum(embodied_mg + use_mg + packaging_mg + transportation_mg), 0)::bigint as posted,
    count(distinct (customer_id, order_id)) filter (where order_id <> '')::integer as order_count,
    max(
      case when order_id <> '' then null when reason = 'retirement' then 'retired' when reason = 'loss' then 'lost' end
    ) as gone
  from (
    select * from entries where entries.account_id = $1 and entries.serial_number = page.serial_number offset 0
  ) as own`

/** The terms of a rental are those that were set last; one that was cancelled has no time left. */
const LAST_RENTAL = `
  select customer_id, order_id, start_date::text as start_day, end_date::text as end_day from (
    select distinct on (customer_id, order_id) customer_id, order_id, start_date, end_date from (
      select * from entries where entries.account_id = $1 and entries.serial_number = page.serial_number offset 0
    ) as own
    where start_date is not null order by customer_id, order_id, entry_no desc
  ) as terms
  where end_date > start_date order by start_date desc, customer_id, order_id limit 1`

async function listDevices(connection: Connection, wanted: WantedDevices): Promise<readonly ListedDevice[]> {
  const { accountId, prefix, after, limit } = wanted
  const { rows } = await connection.query<DeviceRow>({
    name: 'list-devices',
    text: `select * from (${PAGE}) as page
      cross join lateral (${SUMS}) as sums
      left join lateral (${LAST_RENTAL}) as last_rental on true
      order by serial_number`,
    values: [accountId, prefix, after, limit],
  })
  return rows.map(toListed)
}

function toListed(row: DeviceRow): ListedDevice {
  const { customer_id: customerId, order_id: orderId, start_day: from, end_day: to } = row
  const isRented = customerId !== null && orderId !== null && from !== null && to !== null
  return {
    serialNumber: row.serial_number,
    basis: row.basis,
    releaseId: row.release_id,
    putIn: row.whole_mg,
    given: row.posted_mg,
    posted: row.posted,
    orderCount: row.order_count,
    lastRental: isRented ? { customerId, orderId, from, to } : null,
    gone: row.gone,
  }
}
