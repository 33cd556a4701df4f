// Tests workbooks: cells are read as a spreadsheet shows them; damaged or hostile files are rejected with a message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordersOf, detect } from '../../test/import-reading.ts'
import { workbookOf, workbookParts, zipOf, type Cell } from '../../test/workbook-file.ts'
import type { Detected } from './detect-settings.ts'

const HEADER = [
  'Customer ID',
  'Order ID',
  'Order Date',
  'Tenure start date',
  'packaging-id',
  'packaging weight kg',
  'metadata.Note',
]
const ROW: readonly Cell[] = ['c', 4711, { day: '2024-12-12' }, { day: '2025-01-01' }, 'box', 0.30000000000000004, null]

const withCell = (column: number, cell: Cell): Cell[] => ROW.map((one, at) => (at === column ? cell : one))
const problemsOf = (detected: Detected) => (detected.ok ? [] : detected.problems)
const messagesOf = (detected: Detected): string =>
  problemsOf(detected)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('\n')

test('numbers, days, texts, truths and the values of formulas are read as a spreadsheet shows them', async () => {
  const [order] = await ordersOf(workbookOf([HEADER, withCell(6, { formula: 'A1', value: 'so' })]))
  assert.deepEqual(order!.body, {
    customer_id: 'c',
    order_id: '4711',
    order_date: '2024-12-12',
    tenure_start_date: '2025-01-01',
    metadata: { Note: 'so' },
    items: [{ type: 'packaging', config: { packaging_id: 'box', weight_kg: 0.3 } }],
  })
  const [truth] = await ordersOf(workbookOf([HEADER, withCell(6, true)]))
  assert.deepEqual((truth!.body as { metadata: unknown }).metadata, { Note: 'TRUE' })
})

test('days are counted from 1904 where the workbook says so', async () => {
  const [order] = await ordersOf(workbookOf([HEADER, [...ROW]], { countsFrom1904: true }))
  assert.equal((order!.body as { order_date: string }).order_date, '2024-12-12')
})

test('rows keep the numbers that the spreadsheet shows, over empty ones', async () => {
  const orders = await ordersOf(workbookOf([HEADER, [...ROW], [], [], withCell(1, 4712)]))
  assert.deepEqual(
    orders.map(({ rows }) => rows[0]!.number),
    [2, 5],
  )
})

test('an error in a cell is a fault of that cell', async () => {
  const [order] = await ordersOf(workbookOf([HEADER, withCell(5, { error: '#N/A' })]))
  assert.deepEqual([order!.errors[0]!.column, order!.errors[0]!.row], ['packaging weight kg', 2])
  assert.match(order!.errors[0]!.reason, /#N\/A/)
  assert.equal(order!.errors.length, 1)
})

test('a day with a time is that day, and a number that became a day is an error where it stands', async () => {
  const [time] = await ordersOf(workbookOf([HEADER, withCell(2, { day: '2024-12-12T10:30:00Z' })]))
  assert.equal((time!.body as { order_date: string }).order_date, '2024-12-12')
  const [day] = await ordersOf(workbookOf([HEADER, withCell(5, { day: '2024-05-01' })]))
  assert.deepEqual([day!.errors[0]!.column, day!.errors[0]!.value], ['packaging weight kg', '2024-05-01'])
})

test('of several sheets that hold something, the right one has to be said', async () => {
  const two = workbookOf([HEADER, [...ROW]], { more: { Old: [['x']], Empty: [] } })
  const asked = await detect(two)
  assert.deepEqual(problemsOf(asked)[0]?.suggestions, ['Orders', 'Old'])
  assert.equal(problemsOf(asked)[0]?.path, '/sheet')
  const told = await detect(two, { sheet: 'Orders' })
  assert.ok(told.ok && told.settings.sheet === 'Orders')
  const one = await detect(workbookOf([HEADER, [...ROW]], { more: { Empty: [] } }))
  assert.ok(one.ok && one.settings.sheet === 'Orders')
})

test('a damaged workbook is refused in a sentence, wherever it is cut or altered', async () => {
  const whole = workbookOf([HEADER, [...ROW]])
  for (let cut = 4; cut < whole.length; cut += 97) {
    assert.match(
      messagesOf(await detect(whole.subarray(0, cut))),
      /^: The XLSX file|^: The file is a ZIP/,
      `cut at ${cut}`,
    )
  }
  for (let at = 30; at < whole.length; at += 53) {
    const altered = Buffer.from(whole)
    altered[at]! ^= 0xff
    // Changes outside the data, such as in a time stamp, do no harm.
    assert.ok(await detect(altered))
  }
  assert.match(messagesOf(await detect(zipOf({ 'readme.txt': 'x' }))), /no XLSX workbook/)
})

test('no entity is expanded, and no document type is taken', async () => {
  const parts = workbookParts([HEADER, [...ROW]])
  const bomb = '<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
  const hostile = { ...parts, 'xl/sharedStrings.xml': `<?xml version="1.0"?>${bomb}<sst><si><t>&b;</t></si></sst>` }
  assert.match(messagesOf(await detect(zipOf(hostile))), /document type/)
  const bare = { ...parts, 'xl/sharedStrings.xml': '<sst><si><t>&b;</t></si></sst>' }
  assert.match(messagesOf(await detect(zipOf(bare))), /damaged/)
})

test('a part that unpacks to hundreds of times its size is refused before it is unpacked', async () => {
  const parts = workbookParts([HEADER, [...ROW]])
  const sheet = parts['xl/worksheets/sheet1.xml']!.replace('</sheetData>', `${' '.repeat(8_000_000)}</sheetData>`)
  assert.match(messagesOf(await detect(zipOf({ ...parts, 'xl/worksheets/sheet1.xml': sheet }))), /unpacks from/)
})

test('an old Excel file is refused with what to do', async () => {
  assert.match(messagesOf(await detect(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]))), /save it as \.xlsx/)
})

test('a workbook whose rows go back in their numbers, or whose few bytes name long texts, is refused', async () => {
  const parts = workbookParts([HEADER, [...ROW], [...ROW]])
  const sheet = 'xl/worksheets/sheet1.xml'
  for (const number of ['2', '1', '0', '-3', '2.5', '99999999', 'x', '']) {
    const file = zipOf({ ...parts, [sheet]: parts[sheet]!.replace('<row r="3"', `<row r="${number}"`) })
    await assert.rejects(ordersOf(file), /a row with the number/, number)
  }
  const long = zipOf(workbookParts([HEADER, withCell(6, 'x'.repeat(40_000))]))
  assert.match(messagesOf(await detect(long)), /more than 32767 characters/)
})

test('a workbook at the bounds of what spreadsheets write is read', async () => {
  const parts = workbookParts([
    [...HEADER, 'metadata.Remark'],
    [...ROW, 'x'.repeat(32_767)],
  ])
  const code = `"${'z'.repeat(300)}";dd\\.mm`
  const styles = parts['xl/styles.xml']!.replace(
    'dd\\.mm\\.yyyy',
    `[$-407]dd\\.mm\\.yyyy;${code.replaceAll('"', '&quot;')}`,
  )
  const formats = '<xf numFmtId="0"/>'.repeat(50_000)
  const deep = `<extLst>${'<ext>'.repeat(20)}${'</ext>'.repeat(20)}</extLst>`
  const sheet = parts['xl/worksheets/sheet1.xml']!.replace('<sheetData>', `${deep}<sheetData>`)
  const file = zipOf({
    ...parts,
    'xl/styles.xml': styles.replace('</cellXfs>', `${formats}</cellXfs>`),
    'xl/worksheets/sheet1.xml': sheet,
  })
  const [order] = await ordersOf(file)
  const { order_date, metadata } = order!.body as { order_date: string; metadata: Record<string, string> }
  assert.equal(order_date, '2024-12-12')
  assert.equal(metadata['Remark']!.length, 32_767)
})

test('the sheet that is asked for is read, whatever the others hold', async () => {
  const parts = workbookParts([HEADER, [...ROW]], { more: { Broken: [['x']] } })
  const file = zipOf({ ...parts, 'xl/worksheets/sheet2.xml': '<worksheet>' })
  assert.ok((await detect(file, { sheet: 'Orders' })).ok)
  assert.match(messagesOf(await detect(file)), /damaged/)
})

test('two names of one sheet are two sheets, of which one has to be said', async () => {
  const parts = workbookParts([HEADER, [...ROW]])
  const names = parts['xl/workbook.xml']!.replace('</sheets>', '<sheet name="Again" sheetId="2" r:id="rId1"/></sheets>')
  const detected = await detect(zipOf({ ...parts, 'xl/workbook.xml': names }))
  assert.deepEqual(problemsOf(detected)[0]?.suggestions, ['Orders', 'Again'])
})

test('a sentence about a file quotes no more of it than can be read', async () => {
  const parts = workbookParts([HEADER, [...ROW]])
  const file = zipOf({ ...parts, 'xl/sharedStrings.xml': `<sst></${'q'.repeat(100_000)}></sst>` })
  assert.ok(messagesOf(await detect(file)).length < 600)
})
