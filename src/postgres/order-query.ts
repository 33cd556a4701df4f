// Which orders a list has, and in which order: found by the most selective filter, or along an index.
import type { OrderKey } from '../engine/device-timeline.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { OrderStatus } from '../engine/order.ts'
import { belongsToOrder } from './entries.ts'
import { IS_CURRENT, ORDER_FIELDS } from './order-reads.ts'
import type { Connection } from './transaction.ts'

/**
 * Orders of one day, or of equal emission, are sorted by order id, then customer id; a descending sort reverses these
 * too.
 */
export interface OrderSort {
  readonly by: 'order_id' | 'order_date' | 'total_emission'
  readonly isDescending: boolean
}

/** Filters of the list; null for no filter. */
export interface OrderFilter {
  readonly customerId: string | null
  readonly orderId: string | null
  /** A device that is in the order, or was until it was swapped. */
  readonly serialNumber: string | null
  readonly statuses: ReadonlySet<OrderStatus> | null
  /** Calendar days of the order date, both inclusive. */
  readonly from: string | null
  readonly to: string | null
  /** Prefix of the order id or customer id, or of the serial number of such a device; neither is empty. */
  readonly beginning: { readonly id: string; readonly serial: string } | null
}

/** The position of an order in any of the sort orders. */
export interface OrderCursor extends OrderKey {
  readonly orderDate: string
  readonly posted: Milligrams
}

export interface OrderQuery {
  readonly accountId: number
  readonly filter: OrderFilter
  readonly sequence: OrderSort
  /** The last order of the previous page. */
  readonly after: OrderCursor | null
  readonly limit: number
  /**
   * No index has the emissions posted to an order. For a page sorted by emission, all matching orders are summed up; if
   * there are more than this, none are.
   */
  readonly weighedMax: number
}

/**
 * Up to this number, the orders are read and sorted. With more, following the index of the sort order fills a page
 * sooner. With ten million orders in one account, both take equally long at about 30,000.
 */
const SORTED_MAX = 30_000

export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Selects ORDER_FIELDS of up to `limit` sorted orders; `too-many` if there are too many orders to sum up. */
export async function buildOrderQuery(connection: Connection, choice: OrderQuery): Promise<SqlStatement | 'too-many'> {
  const { accountId, sequence, after, limit } = choice
  const isWeighed = sequence.by === 'total_emission'
  const source = await findSource(connection, choice)
  if (source === 'sequence' && isWeighed) return 'too-many'
  const values = createValues(accountId)
  const chosen = `${chosenRows(choice, source, values)} ${source === 'sequence' ? '' : 'offset 0'}`
  const rows = isWeighed ? `select *, ${POSTED} as posted from (${chosen}) as orders offset 0` : chosen
  const beyond = after ? `where ${isBeyond(after, sequence, values)}` : ''
  const text = `select ${ORDER_FIELDS}${isWeighed ? ', posted' : ''} from (${rows}) as orders ${beyond}
    order by ${orderBy(sequence)} limit ${values.name(limit)}`
  return { text, values: values.sent }
}

/**
 * The `offset 0` after this query makes PostgreSQL find the orders by the selective filter, whatever they are sorted by
 * afterwards. Within it, `offset 0` makes each key be looked up by itself, even in an account without statistics.
 */
function chosenRows({ filter, sequence }: OrderQuery, source: Source, values: Values): string {
  const conditions = conditionsOf(filter, source).map(({ text }) => text(values))
  const inSequence = sequence.by === 'order_date' && source === 'sequence' ? [BY_INDEX] : []
  const where = `where ${[OF_ACCOUNT, IS_CURRENT, ...inSequence, ...conditions].join(' and ')}`
  if (source !== 'keys') return `select orders.* from orders ${where}`
  const keys = `select distinct * from (${foundBy(filter, values, KEY).join(' union all ')}) as found`
  return `select orders.* from (${keys}) as found cross join lateral (
      select * from orders
      where ${OF_ACCOUNT} and orders.order_id = found.order_id and orders.customer_id = found.customer_id
      offset 0
    ) as orders ${where}`
}

/** The values of a statement in the order in which its text uses them; the account is the first. */
interface Values {
  readonly sent: unknown[]
  readonly name: (value: unknown) => string
}

function createValues(accountId: number): Values {
  const sent: unknown[] = [accountId]
  return { sent, name: (value) => `$${sent.push(value)}` }
}

const ALL_SEQUENCES = ['order_id', 'order_date', 'total_emission'] as const
const OF_ACCOUNT = 'orders.account_id = $1'
/** As in the indexes on customers and days: sql/0008-order-list.sql. */
const BY_INDEX = 'orders.account_id + 0 = $1'
const KEY = 'order_id, customer_id'
const COLUMNS = {
  order_id: ['order_id', 'customer_id'],
  order_date: ['order_date', 'order_id', 'customer_id'],
  total_emission: ['posted', 'order_id', 'customer_id'],
} as const

/** The ORDER BY list. */
export const orderBy = ({ by, isDescending }: OrderSort): string =>
  COLUMNS[by].map((column) => `${column}${isDescending ? ' desc' : ''}`).join(', ')

function isBeyond(after: OrderCursor, { by, isDescending }: OrderSort, { name }: Values): string {
  const own = { order_id: [], order_date: [after.orderDate], total_emission: [after.posted] }[by]
  const place = [...own, after.orderId, after.customerId].map((value) => name(value))
  return `(${COLUMNS[by].join(', ')}) ${isDescending ? '<' : '>'} (${place.join(', ')})`
}

/**
 * How orders are found: by the keys that a device or a prefix leads to; by columns, one of which leaves few enough
 * rows; or along the index of the sort order until a page is full.
 */
type Source = 'keys' | 'columns' | 'sequence'

async function findSource(connection: Connection, choice: OrderQuery): Promise<Source> {
  const { accountId, filter, sequence, weighedMax } = choice
  const isWeighed = sequence.by === 'total_emission'
  const most = isWeighed ? weighedMax : SORTED_MAX
  const areFew = async (of: (values: Values) => readonly string[]): Promise<boolean> => {
    const values = createValues(accountId)
    const rows = of(values).map((select) => `(${select} limit ${most + 1})`)
    const counting = `select count(*)::integer as found from (${rows.join(' union all ')}) as found`
    const { rows: counted } = await connection.query<{ readonly found: number }>(counting, values.sent)
    return counted[0]!.found <= most
  }
  if (filter.serialNumber !== null) return 'keys'
  if (filter.beginning !== null && (await areFew((values) => foundBy(filter, values, '1')))) return 'keys'
  const narrowing = conditionsOf(filter, 'columns').filter(({ narrows }) => narrows.includes(sequence.by))
  for (const { text } of [...narrowing, ...(isWeighed ? [{ text: () => 'true' }] : [])]) {
    if (await areFew((values) => [`select ${KEY} from orders where ${OF_ACCOUNT} and ${text(values)}`]))
      return 'columns'
  }
  return 'sequence'
}

interface Condition {
  readonly text: (values: Values) => string
  /**
   * The sort orders for which counting the matching rows is worthwhile: the condition has an index that the sort order
   * does not follow.
   */
  readonly narrows: readonly OrderSort['by'][]
}

/** The conditions for a row of orders. Orders found by the keys of a prefix already match it. */
function conditionsOf(filter: OrderFilter, source: Source): readonly Condition[] {
  const { customerId, orderId, statuses, from, to, beginning } = filter
  const conditions: Condition[] = []
  const add = (text: Condition['text'], narrows: Condition['narrows'] = ALL_SEQUENCES) =>
    conditions.push({ text, narrows })
  if (customerId !== null) add(({ name }) => `${BY_INDEX} and orders.customer_id = ${name(customerId)}`)
  if (orderId !== null)
    add(({ name }) => `orders.order_id >= ${name(orderId)} and orders.order_id < ${name(`${orderId} `)}`)
  if (statuses) {
    const areChanged = !statuses.has('created')
    const changed = areChanged ? `and orders.status <> 'created'` : ''
    add(({ name }) => `orders.status = any(${name([...statuses])}) ${changed}`, areChanged ? ALL_SEQUENCES : [])
  }
  if (from !== null || to !== null)
    add(
      ({ name }) =>
        `${BY_INDEX} and orders.order_date >= ${name(from ?? '-infinity')}::date
          and orders.order_date <= ${name(to ?? 'infinity')}::date`,
      ['order_id', 'total_emission'],
    )
  if (beginning && (source !== 'keys' || filter.serialNumber !== null))
    add((values) => `(${beginsSo(beginning, values)})`, [])
  return conditions
}

/**
 * The orders that a device or a prefix leads to; an order may occur several times.
 * @param columns KEY; or no column of the table, to count the orders by an index-only scan
 */
function foundBy({ serialNumber, beginning }: OrderFilter, values: Values, columns: string): readonly string[] {
  // The entries of a device name its orders; entries about the device alone have no order id.
  const areOfOrders = columns === KEY ? `and order_id <> ''` : ''
  const ofDevices = `select ${columns} from entries where entries.account_id = $1 ${areOfOrders}`
  if (serialNumber !== null) return [`${ofDevices} and serial_number = ${values.name(serialNumber)}`]
  const { id, serial } = beginning!
  const ofOrders = `select ${columns} from orders where ${OF_ACCOUNT}`
  return [
    `${ofOrders} and ${within('order_id', id, values)}`,
    `${ofOrders} and ${BY_INDEX} and ${within('customer_id', id, values)}`,
    `${ofDevices} and ${within('serial_number', serial, values)}`,
  ]
}

/** The devices in an order, and '' for its items without a device: see serialNumbersOfOrder and findSums. */
export const SERIALS = `select coalesce(item ->> 's', '') from json_array_elements(orders.items::json) as item
  union select content::json ->> 'new_serial_number' from events
  where events.account_id = $1 and events.customer_id = orders.customer_id and events.order_id = orders.order_id`

const beginsSo = ({ id, serial }: NonNullable<OrderFilter['beginning']>, values: Values): string =>
  `${within('orders.order_id', id, values)} or ${within('orders.customer_id', id, values)} or exists (
    select from (${SERIALS}) as held (serial) where ${within('serial collate "C"', serial, values)}
  )`

/**
 * For an order without events, its lines are what was posted. `offset 0` makes entries be looked up by device: in an
 * account without statistics, the planner would read all entries for each order.
 */
const POSTED = `case when status = 'created' then (
    select coalesce(sum(line::bigint), 0) from string_to_table(line_emissions_mg, chr(31)) as line
  ) else (
    select coalesce(sum(own.mg), 0) from (${SERIALS}) as held (serial) cross join lateral (
      select embodied_mg + use_mg + packaging_mg + transportation_mg as mg from entries
      where entries.account_id = $1 and entries.serial_number = serial
        and ${belongsToOrder('entries', 'orders.customer_id', 'orders.order_id')}
      offset 0
    ) as own
  ) end::bigint`

/** A prefix condition as a range of an index sorted by code point. */
function within(column: string, text: string, { name }: Values): string {
  const past = pastAll(text)
  const from = `${column} >= ${name(text)}`
  return past === null ? from : `${from} and ${column} < ${name(past)}`
}

const LAST_CODE_POINT = 0x10ffff
const SURROGATES = { first: 0xd800, last: 0xdfff }

/** The first text after all texts with this prefix; null if there is none. */
function pastAll(text: string): string | null {
  const characters = [...text]
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = last.codePointAt(0)! + 1
    if (next > LAST_CODE_POINT) continue
    return characters.join('') + String.fromCodePoint(next === SURROGATES.first ? SURROGATES.last + 1 : next)
  }
  return null
}
