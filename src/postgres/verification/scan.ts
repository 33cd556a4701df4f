// Scans all devices and orders of a database for verification: one snapshot, page by page, in bounded memory.
import type pg from 'pg'
import type { DeviceRows, OrderEntries, OrderRow } from '../../ledger/verification/records.ts'
import { connectDirectly } from '../pool.ts'
import { encodeTextColumn } from '../row-encoding.ts'
import { findMisdatedEntries, type MisdatedEntry } from './closings.ts'
import { ORPHAN_QUERIES, type OrphanedRow } from './orphans.ts'
import { readRollups, type AccountRollup } from './rollups.ts'
import {
  FIND_ORDER_ENTRIES,
  SCAN_LEDGERS,
  SCAN_ORDERS,
  toOrderRow,
  toStoredDevice,
  toStoredEntry,
  type LedgerColumns,
  type OrderColumns,
  type OrderEntryColumns,
} from './rows.ts'

/** Requests the next value while the previous one is being processed. */
async function* prefetch<Value>(source: AsyncGenerator<Value>): AsyncGenerator<Value> {
  const ask = () => {
    const asked = source.next()
    // The promise is awaited later; until then a rejection must not be reported as unhandled.
    asked.catch(() => undefined)
    return asked
  }
  for (let asked = ask(); ;) {
    const next = await asked
    if (next.done) return
    asked = ask()
    yield next.value
  }
}

/**
 * The rows of a query, each an array of its columns, in pages that are never empty. One scan at a time per connection.
 */
async function* scanTable<Row extends readonly unknown[]>(
  client: pg.Client,
  text: string,
  rowsPerPage: number,
): AsyncGenerator<readonly Row[]> {
  await client.query(`declare walk no scroll cursor for ${text}`)
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${rowsPerPage} from walk`, rowMode: 'array' })
    if (rows.length > 0) yield rows as unknown as Row[]
    if (rows.length < rowsPerPage) break
  }
  await client.query('close walk')
}

/** Splits pages that exceed a weight; a single row may exceed it. */
async function* pagesByBytes<Row>(
  pages: AsyncGenerator<readonly Row[]>,
  weightOf: (row: Row) => number,
  weightMax: number,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) {
    let light: Row[] = []
    let weight = 0
    for (const row of page) {
      if (light.length > 0 && weight + weightOf(row) > weightMax) {
        yield light
        light = []
        weight = 0
      }
      light.push(row)
      weight += weightOf(row)
    }
    yield light
  }
}

/** Groups adjacent rows with the same key; a group is complete even if a page ends within it. */
async function* groupAdjacent<Row>(
  pages: AsyncGenerator<readonly Row[]>,
  areOfOne: (a: Row, b: Row) => boolean,
): AsyncGenerator<readonly (readonly Row[])[]> {
  let open: Row[] = []
  for await (const page of pages) {
    const groups: (readonly Row[])[] = []
    for (const row of page) {
      if (open.length > 0 && !areOfOne(open[0]!, row)) {
        groups.push(open)
        open = []
      }
      open.push(row)
    }
    if (groups.length > 0) yield groups
  }
  if (open.length > 0) yield [open]
}

/** An order that was read, with what it posted to each of its devices. */
export interface OrderWithEntries<Read> {
  readonly read: Read
  readonly posted: readonly OrderEntries[]
}

interface NamesDevices {
  readonly row: OrderRow
  /** The devices that it posts to; '' for the order itself. */
  readonly serials: readonly string[]
}

export interface LedgerCounts {
  readonly accounts: number
  readonly devices: number
  readonly orders: number
  readonly entries: number
  readonly events: number
}

export interface StoredRelease {
  readonly releaseId: number
  readonly name: string
  /** SHA-256 in hexadecimal. */
  readonly contentHash: string
}

/** One snapshot of the database, however long it is read and whatever is written meanwhile. */
export interface LedgerSnapshot {
  /** The names of the accounts by id. */
  readonly accounts: () => Promise<ReadonlyMap<number, string>>
  readonly releases: () => Promise<readonly StoredRelease[]>
  /** The numbers of the releases with figures of accounts' own. */
  readonly accountReleases: () => Promise<readonly number[]>
  readonly counts: () => Promise<LedgerCounts>
  /** The ledgers, except those of a single rental entry: these come with their orders. */
  readonly devices: () => AsyncGenerator<readonly DeviceRows[]>
  readonly orders: <Read extends NamesDevices>(
    read: (row: OrderRow) => Read,
  ) => AsyncGenerator<readonly OrderWithEntries<Read>[]>
  /** What is rolled up for reports. Read it after devices and orders, one account after the other. */
  readonly folded: () => Promise<readonly AccountRollup[]>
  /** The first of the entries that count from a wrong day. */
  readonly misdated: () => Promise<readonly MisdatedEntry[]>
  /** The first of the orphaned rows. */
  readonly strays: () => Promise<readonly OrphanedRow[]>
}

/** More are not counted: one closing that was changed makes every entry after it wrong. */
const MISDATED_MAX = 100

// Small enough that most rows are unused before the garbage collector runs.
const ENTRIES_PER_PAGE = 1_000
const ORDERS_PER_PAGE = 500
/** Characters of items whose orders are in memory at a time: a page may have only large orders. */
const PAGE_CHARACTERS_MAX = 600_000

/**
 * Reads one snapshot through three connections: one scans the ledgers, one the orders, and one looks up related rows.
 * They are outside the pool, whose statement limits are for orders.
 */
export async function withSnapshot<Result>(
  pool: pg.Pool,
  use: (snapshot: LedgerSnapshot) => Promise<Result>,
): Promise<Result> {
  const clients = [connectDirectly(pool), connectDirectly(pool), connectDirectly(pool)] as const
  const [ledgers, orders, looking] = clients
  try {
    await Promise.all(clients.map((client) => client.connect()))
    await looking.query('begin isolation level repeatable read read only')
    const { rows } = await looking.query<{ readonly id: string }>('select pg_export_snapshot() as id')
    await Promise.all([ledgers, orders].map((client) => prepareWalk(client, rows[0]!.id)))
    return await use(snapshotOf(ledgers, orders, looking))
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}

async function prepareWalk(client: pg.Client, snapshotId: string): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set transaction snapshot '${snapshotId}'`)
  // Scans follow a primary key: sorting a complete table first would take long, and much disk space.
  await client.query('set local enable_seqscan = off')
  await client.query('set local enable_hashjoin = off')
}

const snapshotOf = (ledgers: pg.Client, orders: pg.Client, looking: pg.Client): LedgerSnapshot => ({
  accounts: () => findAccounts(looking),
  releases: () => findReleases(looking),
  accountReleases: () => findAccountReleases(looking),
  counts: () => countRows(looking),
  devices: () => prefetch(scanLedgers(ledgers)),
  orders: (read) => prefetch(ordersWithEntries(orders, looking, read)),
  folded: () => readRollups(looking),
  misdated: () => findMisdatedEntries(looking, MISDATED_MAX),
  strays: async () => {
    const orphans: OrphanedRow[] = []
    for (const text of ORPHAN_QUERIES) orphans.push(...(await looking.query<OrphanedRow>(text)).rows)
    return orphans
  },
})

async function findAccounts(client: pg.Client): Promise<ReadonlyMap<number, string>> {
  const text = 'select account_id, name from accounts'
  const { rows } = await client.query<{ readonly account_id: number; readonly name: string }>(text)
  return new Map(rows.map(({ account_id, name }) => [account_id, name]))
}

async function findReleases(client: pg.Client): Promise<readonly StoredRelease[]> {
  const { rows } = await client.query<StoredRelease>(
    `select release_id as "releaseId", name, encode(content_hash, 'hex') as "contentHash" from dataset_releases`,
  )
  return rows
}

async function findAccountReleases(client: pg.Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ readonly release_id: number }>('select release_id from account_releases')
  return rows.map((row) => row.release_id)
}

const COUNTED = ['accounts', 'devices', 'orders', 'entries', 'events'] as const

async function countRows(client: pg.Client): Promise<LedgerCounts> {
  const columns = COUNTED.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')
  const { rows } = await client.query<Readonly<Record<keyof LedgerCounts, bigint>>>(`select ${columns}`)
  return Object.fromEntries(COUNTED.map((table) => [table, Number(rows[0]![table])])) as Record<
    keyof LedgerCounts,
    number
  >
}

/** Positions in LedgerColumns. */
const [ACCOUNT, SERIAL, CUSTOMER, ORDER, CONTENT] = [23, 24, 25, 26, 27] as const

async function* scanLedgers(client: pg.Client): AsyncGenerator<readonly DeviceRows[]> {
  const pages = scanTable<LedgerColumns>(client, SCAN_LEDGERS, ENTRIES_PER_PAGE)
  const areOfOne = (a: LedgerColumns, b: LedgerColumns) => a[SERIAL] === b[SERIAL] && a[ACCOUNT] === b[ACCOUNT]
  for await (const groups of groupAdjacent(pages, areOfOne)) yield groups.map(toLedger)
}

function toLedger(rows: readonly LedgerColumns[]): DeviceRows {
  const [first] = rows
  const serialNumber = first![SERIAL]
  return {
    accountId: first![ACCOUNT],
    serialNumber,
    device: toStoredDevice(rows, serialNumber),
    entries: rows.map((row) =>
      toStoredEntry(row, serialNumber, { customerId: row[CUSTOMER], orderId: row[ORDER] }, row[CONTENT]),
    ),
  }
}

async function* ordersWithEntries<Read extends NamesDevices>(
  walking: pg.Client,
  looking: pg.Client,
  read: (row: OrderRow) => Read,
): AsyncGenerator<readonly OrderWithEntries<Read>[]> {
  const pages = prefetch(scanTable<OrderColumns>(walking, SCAN_ORDERS, ORDERS_PER_PAGE))
  for await (const page of pagesByBytes(pages, (columns) => columns[7].length, PAGE_CHARACTERS_MAX)) {
    yield await findEntries(
      looking,
      page.map((columns) => read(toOrderRow(columns))),
    )
  }
}

// No stored text has such a character; only the id of a later revision has U+001F.
const UNSTORABLE = /[\u0000-\u001e]/
const storable = (text: string): string => (UNSTORABLE.test(text) ? '\u0001' : text)

async function findEntries<Read extends NamesDevices>(
  client: pg.Client,
  orders: readonly Read[],
): Promise<readonly OrderWithEntries<Read>[]> {
  const wanted = orders.flatMap(({ row, serials }) => serials.map((serial) => ({ row, serial })))
  const values = [
    wanted.map(({ row }) => row.accountId).join(),
    encodeTextColumn(wanted.map(({ serial }) => storable(serial))),
    encodeTextColumn(wanted.map(({ row }) => storable(row.customerId))),
    encodeTextColumn(wanted.map(({ row }) => storable(row.orderId))),
  ]
  const query = { name: 'find-order-entries-of-page', text: FIND_ORDER_ENTRIES, values, rowMode: 'array' as const }
  const { rows } = await client.query<unknown[]>(query)
  const entriesOfOrders: OrderEntryColumns[][] = wanted.map(() => [])
  for (const row of rows as unknown as OrderEntryColumns[]) entriesOfOrders[row[AT] - 1]!.push(row)
  let at = 0
  return orders.map((read) => ({
    read,
    posted: read.serials.map((serial) => toPosted(entriesOfOrders[at++]!, serial, read.row)),
  }))
}

/** Positions in OrderEntryColumns. */
const [AT, IS_WHOLE] = [23, 24] as const

function toPosted(rows: OrderEntryColumns[], serialNumber: string, order: OrderRow): OrderEntries {
  if (rows.length > 1) rows.sort(([a], [b]) => a - b)
  const [first] = rows
  return {
    serialNumber,
    device: toStoredDevice(rows, serialNumber),
    isWhole: first?.[IS_WHOLE] ?? false,
    entries: rows.map((row) => toStoredEntry(row, serialNumber, order, null)),
  }
}
