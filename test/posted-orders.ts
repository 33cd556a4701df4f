// Orders as they are handed to the database, for tests that care for how they are kept and not for what they emit.
import type { Pool } from 'pg'
import type { AccountPosting, DeviceLedgers, NewEntry, OrderPosting, StoredDevice } from '../src/ledger/records.ts'

/** Texts that mean something to a database, a shell or a terminal. */
export const SPECIAL_TEXTS = [
  `'`,
  `"`,
  `\\`,
  `\\\\`,
  `{`,
  `}`,
  `{}`,
  `{"a","b"}`,
  `,`,
  `NULL`,
  `null`,
  `\\N`,
  `😀`,
  `👩‍👩‍👧‍👦`,
  ` `,
  `a b `,
  `(1,2)`,
  `$1`,
  `%s`,
  `E'\\n'`,
  `--`,
  `; drop table orders; --`,
  `\u202e`,
  `\uffff`,
  `\u2028`,
  `e\u0301`,
  `\t`,
  `\n`,
  `__proto__`,
  `0`,
  '語'.repeat(200),
]

const START = '2025-01-01'
const FOOTPRINT = { items: [], total: 0n, devices: [] }

const deviceWith = (serialNumber: string, milligrams: bigint): StoredDevice => ({
  serialNumber,
  footprintId: `base of ${serialNumber}`,
  releaseId: 1,
  weightKg: null,
  isCapped: true,
  possibleMatch: null,
  balance: { embodiedTotal: 10n ** 14n, allocated: milligrams },
})

export const entryWith = (
  order: NewEntry['cause'] & object,
  serialNumber: string,
  no: number,
  milligrams: bigint,
): NewEntry => ({
  ...order,
  serialNumber,
  no,
  reason: 'order',
  terms: { start: START, end: START, months: '0' },
  country: null,
  releaseId: 1,
  eventId: null,
  cause: null,
  product_embodied_emission: milligrams,
  product_use: 0n,
  packaging: 0n,
  transportation: 0n,
})

/** What an order of one product line for each device posts, given what is known of them. */
function postingOf(
  key: { readonly customerId: string; readonly orderId: string },
  serials: readonly string[],
  milligrams: bigint,
  ledgers: DeviceLedgers = new Map(),
): OrderPosting {
  const known = (serial: string) => ledgers.get(serial)
  return {
    order: {
      ...key,
      orderDate: '2024-12-12',
      tenureStartDate: START,
      country: null,
      metadata: null,
      items: JSON.stringify(serials),
      releaseId: 1,
      footprintIds: serials.map((serial) => `base of ${serial}`),
      matchMethods: serials.map(() => 'product_id'),
      lineEmissions: serials.map(() => milligrams),
    },
    devices: serials.map((serial) => deviceWith(serial, (known(serial)?.device.balance.allocated ?? 0n) + milligrams)),
    identifications: [],
    entries: serials.map((serial) => entryWith(key, serial, (known(serial)?.entries.at(-1)?.no ?? 0) + 1, milligrams)),
    footprint: FOOTPRINT,
  }
}

/** An order whose posting to the ledgers of known devices a test decides. */
export interface TestOrder extends AccountPosting {
  readonly decide: (ledgers: DeviceLedgers) => Promise<OrderPosting>
}

export const posted = (
  customerId: string,
  orderId: string,
  serials: readonly string[] = [`only of ${customerId} ${orderId}`],
  milligrams = 7n,
): TestOrder => ({
  accountId: 1,
  posting: postingOf({ customerId, orderId }, serials, milligrams),
  decide: (ledgers) => Promise.resolve(postingOf({ customerId, orderId }, serials, milligrams, ledgers)),
})

/**
 * Every breach of: an entry has its order, the entries of an order add up to its lines, the entries of a device to its
 * balance, and they are numbered without a gap.
 */
export async function breachesIn(pool: Pool): Promise<readonly object[]> {
  const { rows: ofOrders } = await pool.query<object>(`
    select orders.order_id as stored, entries.order_id as entered, line_emissions_mg
    from orders full join entries using (account_id, customer_id, order_id)
    group by orders.order_id, entries.order_id, account_id, customer_id, line_emissions_mg
    having orders.order_id is null
      or (select coalesce(sum(mg), 0) from unnest(string_to_array(line_emissions_mg, chr(31))::bigint[]) as mg)
        <> coalesce(sum(embodied_mg + use_mg + packaging_mg + transportation_mg), 0)`)
  const { rows: ofDevices } = await pool.query<object>(`
    select serial_number, allocated_mg, sum(embodied_mg) as entered, array_agg(entry_no order by entry_no) as numbers
    from devices full join entries using (account_id, serial_number)
    group by account_id, serial_number, allocated_mg
    having allocated_mg is distinct from sum(embodied_mg)
      or min(entry_no) <> 1 or max(entry_no) <> count(*) or count(*) <> count(distinct entry_no)`)
  return [...ofOrders, ...ofDevices]
}
