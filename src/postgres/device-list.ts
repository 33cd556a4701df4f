// Pages of an account's devices, sorted by serial number or emissions, each with its balance and its last rental.
import { DECOMMISSIONING_REASONS, DECOMMISSIONING_TYPES, reasonOfEvent } from '../engine/device-event-types.ts'
import type { DeviceEvent } from '../engine/device-timeline.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import { isRowError } from './errors.ts'
import type { Connection } from './transaction.ts'
import { JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'
import type { ReplicaReads } from './read-replica.ts'

/** By serial number, or by posted emissions: smallest first, or largest first. */
export type DeviceSort = 'serial_number' | 'total_emission' | '-total_emission'

/** The last device of the previous page. */
export interface DeviceCursor {
  readonly serialNumber: string
  readonly posted: Milligrams
}

/** Filters of the list; null for no filter. */
export interface DeviceQuery {
  readonly accountId: number
  /** Prefix of the serial number. */
  readonly prefix: string | null
  /**
   * Only devices that this customer rents or rented. Posted emissions, orders and rentals are then of this customer
   * only.
   */
  readonly customerId: string | null
  /** Footprint of the device. A regression fallback also matches without the weight and screen size behind its `@`. */
  readonly footprintId: string | null
  readonly sort: DeviceSort
  readonly after: DeviceCursor | null
  readonly limit: number
}

export interface LastRental {
  readonly customerId: string
  readonly orderId: string
  /** First day, and the day after the last. */
  readonly from: string
  readonly to: string
}

export interface ListedDevice {
  readonly serialNumber: string
  readonly footprintId: string
  readonly releaseId: number
  /** Embodied footprint including refurbishments, and the part of it that was allocated to orders. */
  readonly embodiedTotal: Milligrams
  readonly allocated: Milligrams
  /** All emissions posted on the device: embodied, use, packaging and transport. */
  readonly posted: Milligrams
  readonly orderCount: number
  /** Null if every rental was cancelled. */
  readonly lastRental: LastRental | null
  /** Why the device is no longer rented out. */
  readonly decommissioned: DeviceEvent['type'] | null
}

export type ListDevices = (wanted: DeviceQuery) => Promise<readonly ListedDevice[]>

const LISTS_AT_ONCE = 4
/** These lists sum up all entries ever posted. More of them concurrently would keep connections from writes. */
const WEIGHED_AT_ONCE = 2

export function createDeviceList(longReads: ReplicaReads, limits: BatchLimits): ListDevices {
  const inQueue = (queue: string, concurrencyMax: number) =>
    createBatcher<DeviceQuery, readonly ListedDevice[]>({
      ...limits,
      queue,
      concurrencyMax: concurrencyMax,
      isJobError: isRowError,
      bytesOf: () => JOB_BYTES,
      batchBytesMax: 0,
      executeBatch: async ([wanted]) => [await longReads((connection) => listDevices(connection, wanted!))],
    })
  const [along, weighed] = [inQueue('device-lists', LISTS_AT_ONCE), inQueue('weighed-devices', WEIGHED_AT_ONCE)]
  return (wanted) => (isAlong(wanted) ? along(wanted) : weighed(wanted))
}

/** True if a page can be read by following the devices in key order. */
const isAlong = ({ sort, customerId }: DeviceQuery): boolean => sort === 'serial_number' && customerId === null

interface DeviceRow {
  readonly serial_number: string
  readonly footprint_id: string
  readonly release_id: number
  readonly embodied_total_mg: Milligrams
  readonly allocated_mg: Milligrams
  readonly posted: Milligrams
  readonly order_count: number
  readonly customer_id: string | null
  readonly order_id: string | null
  readonly start_day: string | null
  readonly end_day: string | null
  readonly gone: ListedDevice['decommissioned']
}

/** The highest code point: texts with a prefix sort before the prefix followed by this character. */
const LAST_CHARACTER = `chr(${0x10ffff})`
const BEGINS = `($2::text is null or (serial_number >= $2 and serial_number < $2 || ${LAST_CHARACTER}))`
const OF_CUSTOMER = '($3::text is null or customer_id = $3)'
/** The id of a regression fallback ends in `@`, weight and screen size; reports leave that part out. */
const OF_BASIS = `($4::text is null or footprint_id = $4 or split_part(footprint_id, '@', 1) = $4)`
const POSTED = 'embodied_mg + use_mg + packaging_mg + transportation_mg'

const ALONG = `select serial_number, 0 as posted from devices where account_id = $1 and ${OF_BASIS}`

/**
 * Sums for any footprint. The primary key stores the entries of a device next to each other, each with its customer.
 */
const WEIGHED = `select serial_number, sum(${POSTED})::bigint as posted from entries
  where account_id = $1 and serial_number <> '' and ${OF_CUSTOMER} and $4::text is null group by serial_number`

/** The entries of each device of a table. `offset 0` forces a look-up by serial number, whatever the statistics say. */
const ownOf = (table: string): string =>
  `(select * from entries where entries.account_id = $1 and entries.serial_number = ${table}.serial_number offset 0)`

const WEIGHED_OF_BASIS = `select serial_number, own.posted from devices
  cross join lateral (
    select sum(${POSTED})::bigint as posted from ${ownOf('devices')} as own where ${OF_CUSTOMER}
  ) as own
  where account_id = $1 and ${OF_BASIS} and own.posted is not null`

/** For each sort: the `order by` columns, and the condition for rows after the cursor. */
const SEQUENCES: Readonly<Record<DeviceSort, readonly [string, string]>> = {
  serial_number: ['page.serial_number', 'page.serial_number > $5'],
  total_emission: ['page.posted, page.serial_number', '(page.posted, page.serial_number) > ($7::bigint, $5)'],
  '-total_emission': [
    'page.posted desc, page.serial_number',
    '(page.posted < $7::bigint or page.posted = $7 and page.serial_number > $5)',
  ],
}

const sequenceOf = ({ sort }: DeviceQuery): string => SEQUENCES[sort][0]

function pageOf(wanted: DeviceQuery): string {
  const source = isAlong(wanted) ? ALONG : wanted.footprintId === null ? WEIGHED : WEIGHED_OF_BASIS
  const [, isAfter] = SEQUENCES[wanted.sort]
  return `select * from (${source}) as page
    where ${BEGINS} and ($5::text is null or ${isAfter}) order by ${sequenceOf(wanted)} limit $6`
}

/** An entry by which the device is no longer in the order, because its swap was withdrawn, or the order corrected. */
const LEFT_ORDER = `reason in ('withdrawal', 'correction') and months is not null and in_force_reason is null`

/** A withdrawal leaves the device decommissioned if another event decommissioned it, too: by the reason in force. */
const DECOMMISSIONED = DECOMMISSIONING_TYPES.map((type) => `when '${reasonOfEvent(type)}' then '${type}'`).join(' ')

const SUMS = `
  select sum(embodied_added_mg)::bigint as embodied_total_mg, sum(embodied_mg)::bigint as allocated_mg,
    coalesce(sum(${POSTED}) filter (where ${OF_CUSTOMER}), 0)::bigint as posted,
    (count(*) filter (where reason in ('order', 'swapped_in') and ${OF_CUSTOMER})
      - count(*) filter (where ${LEFT_ORDER} and ${OF_CUSTOMER}))::integer as order_count,
    case (
      array_agg(coalesce(in_force_reason, reason) order by entry_no desc)
        filter (where order_id = '' and reason in ('${[...DECOMMISSIONING_REASONS, 'withdrawal'].join("', '")}'))
    )[1] ${DECOMMISSIONED} end as gone
  from ${ownOf('page')} as own`

/**
 * The rental that begins last; the terms of a rental are those that were posted last, and a cancelled one has an empty
 * period. If several begin on one day, the one that is last by order id, then customer id, holds the device.
 */
const LAST_RENTAL = `
  select customer_id, order_id, start_date::text as start_day, end_date::text as end_day from (
    select distinct on (customer_id, order_id) customer_id, order_id, start_date, end_date from ${ownOf('page')} as own
    where start_date is not null and ${OF_CUSTOMER} order by customer_id, order_id, entry_no desc
  ) as terms
  where end_date > start_date 
  order by start_date desc, split_part(order_id, chr(31), 1) desc, customer_id desc, order_id desc limit 1`

async function listDevices(connection: Connection, wanted: DeviceQuery): Promise<readonly ListedDevice[]> {
  const { accountId, prefix, customerId, footprintId, sort, after, limit } = wanted
  // Not a prepared statement, so that PostgreSQL plans each query for its filters.
  const { rows } = await connection.query<DeviceRow>(
    `select page.serial_number, device.*, sums.*, last_rental.* from (${pageOf(wanted)}) as page
      cross join lateral (
        select footprint_id, release_id from devices
        where devices.account_id = $1 and devices.serial_number = page.serial_number
        offset 0
      ) as device
      cross join lateral (${SUMS}) as sums
      left join lateral (${LAST_RENTAL}) as last_rental on true
      order by ${sequenceOf(wanted)}`,
    [
      ...[accountId, prefix, customerId, footprintId, after?.serialNumber ?? null, limit],
      ...(sort === 'serial_number' ? [] : [after?.posted ?? null]),
    ],
  )
  return rows.map(toListed)
}

function toListed(row: DeviceRow): ListedDevice {
  const { customer_id: customerId, order_id: orderId, start_day: from, end_day: to } = row
  const isRented = customerId !== null && orderId !== null && from !== null && to !== null
  return {
    serialNumber: row.serial_number,
    footprintId: row.footprint_id,
    releaseId: row.release_id,
    embodiedTotal: row.embodied_total_mg,
    allocated: row.allocated_mg,
    posted: row.posted,
    orderCount: row.order_count,
    lastRental: isRented ? { customerId, orderId, from, to } : null,
    decommissioned: row.gone,
  }
}
