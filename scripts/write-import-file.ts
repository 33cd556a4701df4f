// Random or usual orders as the rows of a CSV file, some with a planted fault, and the list of what was planted.
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import type { WireItem, WireOrder } from '../src/contract/order-schema.ts'
import type { ValueKind, Layout } from '../src/spreadsheets/columns.ts'
import { writeCsvRow } from '../src/spreadsheets/write-csv.ts'
import { createFileProducts, type FileProduct } from './generate-import-products.ts'
import { headerFor, rowsOfOrder } from './generate-import-rows.ts'
import { LOST, PLANTS, type WrittenRow } from './generate-import-errors.ts'
import { createRandomOrders, randomFrom } from './random-orders.ts'
import { createUsualOrders } from './typical-orders.ts'

export interface ImportFile {
  readonly referenceData: ReferenceData
  readonly orders: number
  readonly seed: number
  readonly layout: Layout
  /** The share of orders with one fault each, 0 to 1. */
  readonly faultShare: number
  /** Orders of one device, one transport and one packaging, each device once; else of all kinds and sizes. */
  readonly isUsual?: boolean
}

type Put = (bytes: Buffer) => Promise<void>

const FORMS = { decimal: 'point', dates: 'YYYY-MM-DD' } as const
/** One row has room for so many items of a kind; larger orders are left out of that layout. */
const MOST: Readonly<Record<ValueKind, number>> = { product: 3, transportation: 2, packaging: 1 }
const CHUNK = 256 * 1024
const CUSTOMERS = 2_000

/** @returns how many rows and faults there are */
export async function writeFile(
  { referenceData, orders, seed, layout, faultShare, isUsual = false }: ImportFile,
  putRows: Put,
  putFault: Put,
): Promise<{ readonly rows: number; readonly faults: number }> {
  const orderOf = isUsual ? usualOf(referenceData) : randomOf(referenceData, seed)
  const chance = randomFrom(seed + 0x5eed)
  const header = headerFor(layout, MOST, ['cost_centre'])
  const kinds = Object.keys(PLANTS)
  let [rows, faults, nextKind] = [1, 0, 0]
  let [text, list] = [`\ufeff${writeCsvRow(header, ',')}\r\n`, 'row,column,kind,customer_id,order_id\r\n']
  for (let count = 0; count < orders;) {
    const order = orderOf(count)
    if (layout === 'orders' && !fits(order)) continue
    count += 1
    const sound = rowsOfOrder(order, layout, FORMS)
    const kind = chance() < faultShare ? kinds[(nextKind += 1) % kinds.length]! : null
    const planting = kind === null ? null : PLANTS[kind]!(sound, order, layout)
    if (planting) {
      faults += 1
      const row = rows + 1 + planting.at
      list += `${writeCsvRow([`${row}`, planting.column ?? '', kind!, order.customer_id, order.order_id], ',')}\r\n`
    }
    const written: readonly WrittenRow[] = planting?.rows ?? sound.map((cells) => ({ cells }))
    for (const row of written) text += `${lineOf(row, header)}\r\n`
    rows += written.length
    if (text.length > CHUNK) {
      await putRows(bytesOf(text))
      text = ''
    }
  }
  await putRows(bytesOf(text))
  await putFault(Buffer.from(list))
  return { rows, faults }
}

function usualOf(referenceData: ReferenceData): (n: number) => WireOrder {
  const usual = createUsualOrders(referenceData)
  return (n) => usual(n, n % CUSTOMERS)
}

function randomOf(referenceData: ReferenceData, seed: number): () => WireOrder {
  const random = createRandomOrders(referenceData, seed)
  const productOf = createFileProducts(referenceData, seed + 0xf11e)
  return () => asPeopleWrite(random.order(), productOf)
}

const fits = ({ items = [] }: WireOrder): boolean =>
  Object.entries(MOST).every(([kind, most]) => items.filter(({ type }) => type === kind).length <= most)

/** Weights in tens of grams, and few products, each of them often. */
function asPeopleWrite(order: WireOrder, productOf: (serialNumber: string) => FileProduct): WireOrder {
  const items = (order.items ?? []).map((item): WireItem => {
    if (item.type !== 'product') {
      const weight_kg = Number(item.config.weight_kg.toFixed(2))
      return { ...item, config: { ...item.config, weight_kg } } as WireItem
    }
    const { serial_number, tenure_months, country } = item.config
    const config = { ...productOf(serial_number), serial_number, tenure_months }
    return { ...item, config: country === undefined ? config : { ...config, country } }
  })
  return { ...order, items }
}

function lineOf({ cells, spoil }: WrittenRow, header: readonly string[]): string {
  const texts = header.map((name) => cells[name] ?? '')
  const line = writeCsvRow(texts, ',')
  if (!spoil) return line
  switch (spoil) {
    case 'short':
      return writeCsvRow(texts.slice(0, -3), ',')
    case 'long':
      return `${line},and more`
    case 'unclosed':
      return `"${line}`
    case 'misquoted':
      return writeCsvRow(texts.slice(0, 4), ',') + `,15" screen "new"` + `,${writeCsvRow(texts.slice(5), ',')}`
  }
}

/** As UTF-8, with a byte that is none wherever one is planted. */
function bytesOf(text: string): Buffer {
  if (!text.includes(LOST)) return Buffer.from(text)
  const parts = text.split(LOST).flatMap((part, at) => (at === 0 ? [] : [Buffer.of(0xfc)]).concat(Buffer.from(part)))
  return Buffer.concat(parts)
}
