// Usual orders by the million, as the program itself would store them: some are posted, the others are their like.
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import type { WireOrder } from '../src/contract/order-schema.ts'
import { connectDirectly } from '../src/postgres/pool.ts'
import { createPosting, type Poster } from './post-random.ts'

/** An account that grows as time goes: so many orders a day, each customer with so many in all. */
const ORDERS_PER_DAY = 5_000
const ORDERS_PER_CUSTOMER = 500
export const ORDERS_MAX = 20_000_000

const FIRST_DAY = Date.UTC(2018, 0, 1)
const DAY_MS = 86_400_000
const TABLES = ['orders', 'entries'] as const

/** Orders of one day that are posted; every other order of the day is like one of them. */
const TEMPLATES_PER_DAY = 4
const BATCH = 1_000

const dayOf = (days: number): string => new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, 10)
const digits = (number: number): string => String(number).padStart(9, '0')

/** Scatters over all numbers of nine digits, each once: ids that come in time are not found side by side. */
const scattered = (number: number): string => digits((number * 618_033_989) % 1_000_000_000)

export const orderIdOf = (n: number): string => `order-${digits(n)}`
export const serialOf = (n: number): string => `C02${scattered(n)}`
export const customerIdOf = (customer: number): string => `c-${scattered(customer)}`
export const orderDateOf = (n: number): string => dayOf(Math.floor(n / ORDERS_PER_DAY))

/** When the n-th order was posted: on its day, one after the other. */
const postedAtOf = (n: number): string =>
  new Date(FIRST_DAY + (n / ORDERS_PER_DAY) * DAY_MS).toISOString().replace('T', ' ').replace('Z', '+00')

/** What differs from order to order: its ids, and when it was posted. */
const IDS = /(c-\d{9}|order-\d{9}|C02\d{9}|\d{4}-\d\d-\d\d \d\d:\d\d:[\d.]+[+-]\d\d(?::\d\d)?)/

/** The n-th order, of such a customer. */
export type UsualOrders = (n: number, customer: number) => WireOrder

/** One device, its transport and its packaging, like the order of the README; all models in turn. */
export function createUsualOrders(referenceData: ReferenceData): UsualOrders {
  const models = [...referenceData.models.keys()]
  const [transports, packagings] = [[...referenceData.transports.values()], [...referenceData.packagings.keys()]]
  return (n, customer) => {
    const day = Math.floor(n / ORDERS_PER_DAY)
    const turn = day * TEMPLATES_PER_DAY + (n % TEMPLATES_PER_DAY)
    const transport = transports[turn % transports.length]!
    const weight = 1 + (turn % 90) / 100
    return {
      customer_id: customerIdOf(customer),
      order_id: orderIdOf(n),
      order_date: dayOf(day),
      tenure_start_date: dayOf(day + 20),
      items: [
        {
          type: 'product',
          config: {
            product_id: models[turn % models.length]!,
            serial_number: serialOf(n),
            tenure_months: 3 + (turn % 22),
            weight_kg: weight,
          },
        },
        {
          type: 'transportation',
          config: {
            transportation_id: transport.id,
            transportation_mode: transport.mode,
            distance_km: 20 + (turn % 480),
            weight_kg: weight + 0.25,
          },
        },
        { type: 'packaging', config: { packaging_id: packagings[turn % packagings.length]!, weight_kg: 0.26 } },
      ],
    }
  }
}

/** A row in the text of COPY, cut where its ids stand: texts in even places, ids and times in odd ones. */
type Template = readonly string[]
type Templates = Readonly<Record<(typeof TABLES)[number], readonly Template[]>>

/**
 * Posts the orders that the others are like, into a database that has none, and reads what was stored of them.
 * They stay; filling replaces them.
 */
export async function makeTemplates(pool: pg.Pool, poster: Poster, orders: number): Promise<Templates> {
  const { rows } = await pool.query('select from orders limit 1')
  if (rows.length > 0) throw new Error('The database has orders already: usual orders are filled into an empty one')
  const usual = createUsualOrders(poster.referenceData)
  const post = createPosting(pool, poster)
  const days = Math.ceil(orders / ORDERS_PER_DAY)
  const numbers = Array.from(
    { length: days * TEMPLATES_PER_DAY },
    (_, at) => Math.floor(at / TEMPLATES_PER_DAY) * ORDERS_PER_DAY + (at % TEMPLATES_PER_DAY),
  )
  for (let at = 0; at < numbers.length; at += BATCH)
    await Promise.all(numbers.slice(at, at + BATCH).map((n) => post.order(usual(n, n))))
  const client = connectDirectly(pool)
  await client.connect()
  try {
    const bySerial = new Map(numbers.map((n, at) => [serialOf(n), at]))
    const read = async (table: string) => templatesOf(await copied(client, table), bySerial)
    return { orders: await read('orders'), entries: await read('entries') }
  } finally {
    await client.end()
  }
}

async function copied(client: pg.Client, table: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of client.query(copyTo(`copy ${table} to stdout`))) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A usual order has one device, whose serial number is in each of its rows. */
function templatesOf(text: string, bySerial: ReadonlyMap<string, number>): readonly Template[] {
  const templates: Template[] = Array.from({ length: bySerial.size })
  for (const line of text.trimEnd().split('\n')) {
    const template = line.split(IDS)
    templates[bySerial.get(template.find((part) => part.startsWith('C02'))!)!] = template
  }
  return templates
}

function ownText(id: string, n: number, customers: number): string {
  switch (id[0]) {
    case 'o':
      return orderIdOf(n)
    case 'C':
      return serialOf(n)
    case 'c':
      return customerIdOf(n % customers)
    default:
      return postedAtOf(n)
  }
}

function rowOf(template: Template, n: number, customers: number): string {
  let row = template[0]!
  for (let at = 1; at < template.length; at += 2) {
    const id = template[at]!
    row += ownText(id, n, customers)
    row += template[at + 1]!
  }
  return `${row}\n`
}

/** Puts so many orders in place of all that there are: one transaction, so that the log need not have them. */
export async function fillUsual(pool: pg.Pool, templates: Templates, orders: number): Promise<void> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('truncate orders, entries, events')
    for (const table of TABLES) await copyRows(client, table, templates[table], orders)
    await client.query('commit')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

export const customersOf = (orders: number): number => Math.ceil(orders / ORDERS_PER_CUSTOMER)

async function copyRows(client: pg.Client, table: string, templates: readonly Template[], orders: number) {
  const stream = client.query(copyFrom(`copy ${table} from stdin`))
  const isStored = finished(stream)
  isStored.catch(() => undefined)
  const customers = customersOf(orders)
  for (let from = 0; from < orders; from += BATCH) {
    let rows = ''
    for (let n = from; n < Math.min(orders, from + BATCH); n += 1) {
      const template = Math.floor(n / ORDERS_PER_DAY) * TEMPLATES_PER_DAY + (n % TEMPLATES_PER_DAY)
      rows += rowOf(templates[template]!, n, customers)
    }
    if (!stream.write(rows)) await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), isStored])
  }
  stream.end()
  await isStored
}
