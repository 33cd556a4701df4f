// A template file for each layout: the header, and orders that import unchanged, even alongside those of the README.
// That of events has events of these orders.
import { columnNames, memberPath, type Layout } from './columns.ts'
import { writeCsvRow } from './write-csv.ts'

const ORDER = {
  customer_id: 'customer-17',
  order_id: 'order-2024-1301',
  order_date: '2024-12-12',
  tenure_start_date: '2025-01-01',
  country: 'DE',
  'metadata.cost_centre': '4711',
}
const LAPTOP = {
  product_id: 'apple-macbook-air-13-m3-256gb',
  serial_number: 'C02XL0DDJGH8',
  tenure_months: '3',
  weight_kg: '1.24',
}
const PHONE = {
  product_id: 'P-000456',
  serial_number: 'F2LZK0AAN70X',
  tenure_months: '24',
  weight_kg: '0.171',
  device_type: 'mobile',
  product_name: 'iPhone 15',
  brand: 'Apple',
}
const VAN = {
  transportation_id: 'road-van-diesel',
  transportation_mode: 'road',
  distance_km: '100',
  distance_basis: 'actual',
}
const BOX = { packaging_id: 'corrugated-board-recycled' }
const SECOND = { ...ORDER, order_id: 'order-2024-1302', 'metadata.cost_centre': '4712' }

const EVENTS = [
  {
    ...ofOrder(ORDER),
    event_id: 'template-1',
    serial_number: LAPTOP.serial_number,
    type: 'returned',
    date: '2025-03-15',
  },
  { ...ofOrder(SECOND), event_id: 'template-2', type: 'extended', tenure_months: '36' },
  { event_id: 'template-3', serial_number: LAPTOP.serial_number, type: 'retired', date: '2028-01-15' },
]

const ROWS: Readonly<Record<Layout, readonly Readonly<Record<string, string>>[]>> = {
  items: [
    { ...ORDER, type: 'product', ...LAPTOP },
    { ...ORDER, type: 'transportation', ...VAN, weight_kg: '1.5' },
    { ...ORDER, type: 'packaging', ...BOX, weight_kg: '0.26' },
    { ...SECOND, type: 'product', ...PHONE },
  ],
  orders: [
    { ...ORDER, ...LAPTOP, ...VAN, transportation_weight_kg: '1.5', ...BOX, packaging_weight_kg: '0.26' },
    {
      ...SECOND,
      ...PHONE,
      product_id_2: 'P-000457',
      serial_number_2: 'F2LZK0AAN70Y',
      tenure_months_2: '24',
      weight_kg_2: '0.2',
    },
  ],
  events: EVENTS,
}

function ofOrder({ customer_id, order_id }: typeof ORDER) {
  return { customer_id, order_id }
}

/** CSV in UTF-8, with commas, decimal points and days as YYYY-MM-DD. */
export function templateOf(layout: Layout): string {
  const rows = ROWS[layout]
  const further = rows
    .flatMap((row) => Object.keys(row))
    .filter((name) => memberPath(name, layout)?.part === 'metadata' || /_2$/.test(name))
  const header = [...new Set([...columnNames(layout), ...further])]
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))]
  return lines.map((cells) => `${writeCsvRow(cells, ',')}\r\n`).join('')
}
