// Tests of what people's files have: titles, constants, units, times, short years, separators, quantities and words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detect, ordersOf } from '../../test/import-reading.ts'
import { workbookOf } from '../../test/workbook-file.ts'
import { headerMeaning } from './header-synonyms.ts'
import type { Settings } from './settings.ts'

const HEADER = 'customer_id,order_id,order_date,tenure_start_date,product_id,serial_number,tenure_months,weight_kg'
const device = (order: string, serial: string, start = '2025-01-02'): string =>
  `c,${order},2025-01-01,${start},P-1,${serial},12,1.4`

interface Body {
  readonly country?: string
  readonly order_id: string
  readonly order_date: string
  readonly items: readonly { readonly type: string; readonly config: Readonly<Record<string, unknown>> }[]
}

async function read(lines: readonly string[], asked: Partial<Settings> = {}) {
  const orders = await ordersOf(`${lines.join('\n')}\n`, asked)
  return orders.map(({ body, errors }) => ({
    body: body as Body,
    codes: errors.map(({ row, column, code }) => `${row} ${column} ${code}`),
  }))
}

/** The order of one device, with one further column or another cell. */
async function one(column: string, cell: string, asked: Partial<Settings> = {}) {
  const names = HEADER.split(',').filter((name) => name !== column)
  const cells = names.map((name) => device('o', 'S').split(',')[HEADER.split(',').indexOf(name)]!)
  const [order] = await read([[...names, column].join(';'), [...cells, `"${cell}"`].join(';')], asked)
  return order!
}

test('adjacent rows with one order id are the devices of one order, without a column of types', async () => {
  for (const count of [2, 3, 5, 20, 100]) {
    const rows = Array.from({ length: count }, (_, at) => device('o1', `S${at}`))
    const orders = await read([HEADER, ...rows, device('o2', 'T')])
    assert.deepEqual(
      orders.map(({ body }) => body.items.length),
      [count, 1],
    )
    assert.deepEqual(
      orders.flatMap(({ codes }) => codes),
      [],
    )
  }
  const [differs] = await read([HEADER, device('o1', 'S'), device('o1', 'T', '2025-02-01')])
  assert.deepEqual(differs!.codes, ['3 tenure_start_date row_differs'])
  const again = await read([HEADER, device('o1', 'S'), device('o1', 'S')])
  assert.equal(again.length, 2)
})

test('a transportation that two rows of an order state alike is one or two, so it is an error', async () => {
  const header = `${HEADER},packaging_id,packaging_weight_kg`
  const [order] = await read([header, `${device('o', 'S')},box,1`, `${device('o', 'T')},box,1`])
  assert.deepEqual(order!.codes, ['3 packaging_id row_repeats_item'])
  const [apart] = await read([header, `${device('o', 'S')},box,1`, `${device('o', 'T')},,`])
  assert.deepEqual([apart!.codes, apart!.body.items.length], [[], 3])
})

test('a column that the file does not have may be a constant', async () => {
  const short = HEADER.replace(',tenure_months', '')
  const row = device('o', 'S').replace(',12,', ',')
  const constants = {
    tenure_months: '24',
    country: 'FR',
    'metadata.site': 'Lyon',
    brand: 'Dell',
    device_type: 'laptop',
  }
  const [order] = await read([short, row], { constants })
  assert.deepEqual([order!.codes, order!.body.country], [[], 'FR'])
  assert.deepEqual(order!.body.items[0]!.config, {
    product_id: 'P-1',
    serial_number: 'S',
    weight_kg: 1.4,
    tenure_months: 24,
    brand: 'Dell',
    device_type: 'laptop',
  })
  const wrong: readonly (readonly [string, string, string])[] = [
    ['tenure_months', '1,5', 'constant_not_a_number'],
    ['returned_on', '1.2.2025', 'constant_not_a_day'],
    ['weight_kg', '2', 'constant_of_column'],
    ['serial_number', 'S', 'constant_unknown'],
    ['tenure', '12', 'constant_unknown'],
  ]
  for (const [column, value, code] of wrong) {
    const detected = await detect(`${short}\n${row}\n`, { constants: { tenure_months: '1', [column]: value } })
    assert.ok(!detected.ok)
    assert.deepEqual(
      detected.problems.map(({ path, code }) => [path, code]),
      [[`/constants/${column}`, code]],
    )
  }
})

test('the header is found below titles, empty rows and a separator line, and may be stated', async () => {
  const starts = [
    ['Rentals 2025'],
    ['Report', '', 'printed,2025-01-01'],
    ['sep=,'],
    [''],
    ['sep=,', 'Title'],
    ['a', 'b', 'c'],
  ]
  for (const titles of starts) {
    const file = [...titles, HEADER, device('o', 'S')]
    const detected = await detect(`${file.join('\n')}\n`)
    assert.ok(detected.ok, titles.join())
    assert.equal(detected.settings.header_row, titles.length + 1)
    assert.deepEqual(
      (await read(file)).map(({ codes }) => codes),
      [[]],
    )
  }
  const semicolons = ['sep=;', HEADER.replaceAll(',', ';'), device('o', 'S').replaceAll(',', ';')]
  assert.equal((await read(semicolons)).length, 1)
  const cells = (text: string) => text.split(',')
  const book = workbookOf([['Title'], [], cells(HEADER), cells(device('o', 'S'))])
  const orders = await ordersOf(book, { decimal: 'point' })
  assert.deepEqual(
    orders.map(({ rows, errors }) => [rows[0]!.number, errors.length]),
    [[4, 0]],
  )
  const stated = await detect(`${HEADER}\n${HEADER}\n${device('o', 'S')}\n`, { header_row: 2 })
  assert.equal(stated.ok && stated.settings.header_row, 2)
})

test('a weight or distance in another unit is converted exactly', async () => {
  const weights: readonly (readonly [string, string, number])[] = [
    ['weight_g', '1240', 1.24],
    ['Weight g', '171', 0.171],
    ['weight_lb', '2.75', 1.2473790175],
    ['weight_oz', '16', 0.45359237],
    ['weight-g', '0.3', 0.0003],
  ]
  for (const [column, cell, kilograms] of weights) {
    const names = HEADER.replace('weight_kg', column)
    const [order] = await read([names, device('o', 'S').replace(/1\.4$/, cell)])
    assert.deepEqual([order!.codes, order!.body.items[0]!.config['weight_kg']], [[], kilograms], column)
  }
})

test('a header with another unit is suggested in that unit, or not at all', () => {
  const meant: readonly (readonly [string, readonly string[]])[] = [
    ['Weight (g)', ['weight_g', 'transportation_weight_g', 'packaging_weight_g']],
    ['Poids (g)', ['weight_g']],
    ['Gewicht in Gramm', ['weight_g', 'transportation_weight_g', 'packaging_weight_g']],
    ['Shipping weight [lbs]', ['transportation_weight_lb']],
    ['Peso (oz)', ['weight_oz']],
    ['Distance (m)', ['distance_m']],
    ['Distance (miles)', ['distance_miles']],
    ['Weight (t)', []],
    ['Duration (weeks)', []],
    ['Laufzeit (Tage)', []],
  ]
  for (const [header, columns] of meant) assert.deepEqual(headerMeaning(header, 'orders')?.columns, columns, header)
})

test('a day with a time is its day as written', async () => {
  const cells = ['2026-09-03 10:14:00 -0400', '2026-09-03T23:30:00Z', '2026-09-03 10:30', '2026-09-03T00:30:00+02:00']
  for (const cell of [...cells, '2026-09-03T10:00:00.123Z', '2026-09-03 10:14 PM']) {
    const { body, codes } = await one('order_date', cell)
    assert.deepEqual([codes, body.order_date], [[], '2026-09-03'], cell)
  }
  const { body } = await one('order_date', '3.9.2026 7:05')
  assert.equal(body.order_date, '2026-09-03')
})

test('years of two digits are asked for, and read in the form that is stated', async () => {
  const days: readonly (readonly [string, Settings['dates'], string])[] = [
    ['1/23/23', 'MM/DD/YY', '2023-01-23'],
    ['23.1.23', 'DD.MM.YY', '2023-01-23'],
    ['23/01/05', 'DD/MM/YY', '2005-01-23'],
    ['12-31-99', 'MM-DD-YY', '1999-12-31'],
    ['31-12-89', 'DD-MM-YY', '2089-12-31'],
  ]
  for (const [cell, dates, day] of days) {
    const names = HEADER.replace(',order_date', '')
    const detected = await detect(`${names},order_date\n${device('o', 'S').replace(',2025-01-01', '')},${cell}\n`)
    assert.ok(!detected.ok || detected.settings.dates === 'YYYY-MM-DD')
    const { body, codes } = await one('order_date', cell, { dates })
    assert.deepEqual([codes, body.order_date], [[], day])
  }
})

test('a device type, a country and a line break are read in any usual spelling', async () => {
  const cells: readonly (readonly [string, string, string])[] = [
    ['device_type', 'Laptop', 'laptop'],
    ['device_type', 'GAMING CONSOLE', 'gaming_console'],
    ['device_type', 'Desktop', 'Desktop'],
    ['product_name', 'ThinkPad\nT490', 'ThinkPad T490'],
    ['product_name', 'iPad \r\n 9', 'iPad 9'],
    ['brand', 'Hewlett\nPackard', 'Hewlett Packard'],
  ]
  for (const [column, cell, value] of cells)
    assert.equal((await one(column, cell)).body.items[0]!.config[column], value, cell)
  const countries = [
    ['de', 'DE'],
    ['ÖSTERREICH', 'AT'],
    ['Germany', 'DE'],
    ['united kingdom', 'GB'],
    ['Allemagne', 'DE'],
  ]
  for (const [cell, code] of [...countries, ['España', 'ES'], ['Italia', 'IT'], ['Nirgendwo', 'Nirgendwo']])
    assert.equal((await one('country', cell!)).body.country, code, cell)
})

test('headers of French, Spanish and Italian files are recognised, and words for other things are not', async () => {
  const meant: readonly (readonly [string, string])[] = [
    ['Marque', 'brand'],
    ['Modèle', 'product_name'],
    ['Numéro de série', 'serial_number'],
    ['Début', 'tenure_start_date'],
    ['Número de serie', 'serial_number'],
    ['Durata (mesi)', 'tenure_months'],
    ['Fecha de inicio', 'tenure_start_date'],
    ['Produttore', 'brand'],
    ['Lineitem sku', 'product_id'],
    ['Service Tag', 'serial_number'],
    ['Asset Model', 'product_name'],
    ['display_name', 'product_name'],
    ['model.u_form_factor', 'device_type'],
    ['nomEquipementPhysique', 'serial_number'],
  ]
  for (const [header, column] of meant) assert.equal(headerMeaning(header, 'orders')?.columns[0], column, header)
  for (const header of ['Fin', 'retirement_date', 'Data fine', 'Fecha fin', 'Date de fin'])
    assert.equal(headerMeaning(header, 'orders')?.lacks, 'end date', header)
  for (const header of ['Lineitem quantity', 'Quantity Ordered', 'Quantité', 'Cantidad', 'Menge'])
    assert.equal(headerMeaning(header, 'orders')?.lacks, 'quantity', header)
  const others = ['Status', 'Age', 'Age (Months)', 'Months of age', 'Discount Code', 'Asset Status', 'User Allocated']
  for (const header of [...others, 'ComplianceState', 'DeviceName', 'Fulfillment Status', 'Warranty months']) {
    const detected = await detect(`${HEADER},${header}\n${device('o', 'S')},x\n`)
    assert.ok(!detected.ok)
    assert.deepEqual(
      detected.problems.map(({ suggestions = [] }) => suggestions),
      [[]],
      header,
    )
  }
})

test('a long number in a cell is refused as an id, and leading zeros are those that the sheet shows', async () => {
  const header = HEADER.split(',')
  for (const number of [3569380356438090, 8939010102358480000, 1e15, 1234567890123456, 9.9e20]) {
    const cells = device('o', 'S')
      .split(',')
      .map((cell, at) => (header[at] === 'serial_number' ? number : cell))
    const [order] = await ordersOf(workbookOf([header, cells]), { decimal: 'point' })
    assert.deepEqual(
      order!.errors.map(({ column, code }) => [column, code]),
      [['serial_number', 'cell_shortened_number']],
    )
  }
})
