// Tests that the content of a table can be read back from each format, and that no spreadsheet runs any of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { readSheet as readForeign } from 'read-excel-file/node'
import { parse } from 'csv-parse/sync'
import { unescapeFormula } from './cells.ts'
import { openWorkbook, readSheet } from './read-workbook.ts'
import { exportFile, type ExportFormat } from './write-table.ts'
import { day, kilograms, number, text, time, type ExportMetadata, type ExportTable } from './export-table.ts'
import { workbookFile } from './write-workbook.ts'

interface Row {
  readonly text: string | null
  readonly emission: bigint | null
  readonly share: number | string | null
  readonly day: string | null
  readonly time: Date | null
}

const VIEW = { reportingEntity: 'lessor', consolidationApproach: 'financial', leaseType: 'operating' } as const
const ABOUT: ExportMetadata = {
  title: 'Rows',
  account: '=acme & "sons"',
  view: VIEW,
  exportedAt: new Date('2026-11-22T12:00:00Z'),
  releases: ['2026.1', '2026.2'],
  methodVersion: '1.0',
  filters: { customer_id: ['a;=b'] },
}
const COLUMNS = [
  text<Row>('text', (row) => row.text),
  kilograms<Row>('total_kg', (row) => row.emission),
  number<Row>('share', (row) => row.share),
  day<Row>('day', (row) => row.day),
  time<Row>('time', (row) => row.time),
]
const tableOf = (...pages: Row[][]): ExportTable<Row> => ({ about: ABOUT, columns: COLUMNS, pages })

async function bytesOf(table: ExportTable<Row>, format: ExportFormat): Promise<Buffer> {
  return collect(exportFile(table, format).pieces)
}

async function collect(pieces: AsyncIterable<string | Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(Buffer.from(piece))
  return Buffer.concat(all)
}

const open = (bytes: Buffer) =>
  openWorkbook({ bytes: bytes.length, read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)) })

async function cellsOf(bytes: Buffer, sheet: string): Promise<readonly (readonly string[])[]> {
  const cells: (readonly string[])[] = []
  for await (const rows of readSheet(await open(bytes), sheet, 'point')) cells.push(...rows.map((row) => row.cells))
  return cells
}

const HOSTILE = [
  '=1+1',
  '+cmd',
  '-x',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=x',
  '＝1+1',
  "'=x",
  "''",
  '"quoted", and, commas',
  'a;=1+1;b',
  'a\t"=1+1',
  '<b>&amp;</b>',
  ']]>',
  '😀 grinning',
  '\u0000\u0001\u001f\ufffe\uffff',
  '_x0041_',
  '_x005F_',
  ' blank at both ends ',
  'two\r\nlines',
  '-5',
  'NaN',
]
const rowOf = (value: string | null): Row => ({ text: value, emission: null, share: null, day: null, time: null })
const character = fc.constantFrom(...'=+-@\t\r\n\'"`,;|_x0041 <&]>😀\u0000\u001f\ufffe', 'ab')
const hostile = fc.array(character, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))

/** The cells of CSV as read by a parser that does not remove apostrophes. */
const csvCells = (bytes: Buffer): string[][] => parse(bytes, { bom: true })

test('no text runs in a spreadsheet, wherever that cuts the cells of CSV, and every text comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { maxLength: 10 }), async (texts) => {
      const all = [...HOSTILE, ...texts]
      const bytes = await bytesOf(tableOf(all.map(rowOf)), 'csv')
      const [, ...rows] = csvCells(bytes)
      assert.deepEqual(
        rows.map(([first]) => unescapeFormula(first!)),
        all,
      )
      for (const [at, cells] of rows.entries()) {
        const [cell] = cells as [string]
        for (const [place, piece] of cell.split(/[,;|\t\r\n]/).entries()) {
          // A piece that was split there may begin with a quote, which the spreadsheet removes.
          const begins = place === 0 ? piece : piece.replace(/^"+/, '')
          const isPlain = piece === cell && /^[+-]?\d+$/.test(piece)
          assert.ok(isPlain || !/^[=+\-@＝＋－＠]/.test(begins), `${JSON.stringify(all[at])} as ${cell}`)
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('in a workbook every text is a text, as our own reader and as another one reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { maxLength: 10 }), async (texts) => {
      const all = [...HOSTILE, ...texts].map((one) => one.toWellFormed())
      const bytes = await bytesOf(tableOf(all.map(rowOf)), 'xlsx')
      const ours = (await cellsOf(bytes, 'Rows')).slice(1)
      // Our reader skips rows that contain only white space.
      const shown = all.filter((one) => one.trim() !== '')
      assert.deepEqual(
        ours.map(([first]) => first),
        shown,
      )
      const foreign = await readForeign(bytes, 'Rows', { trim: false })
      assert.deepEqual(
        foreign.slice(1).map(([first]) => unescapeFormula(String(first))),
        all,
      )
    }),
    { numRuns: 25 },
  )
})

test('numbers are exact, days are days, and what is empty is empty, in every format', async () => {
  const rows: Row[] = [
    {
      text: 'a',
      emission: 123_456_789_012_345n,
      share: 0.1,
      day: '2024-02-29',
      time: new Date('2024-02-29T12:00:00Z'),
    },
    { text: null, emission: -1n, share: '12.50', day: '1990-01-01', time: null },
    { text: '', emission: 0n, share: 1e-7, day: null, time: new Date('2200-01-01T00:00:00Z') },
    { text: null, emission: null, share: null, day: '1899-12-31', time: null },
  ]
  const csv = csvCells(await bytesOf(tableOf(rows.slice(0, 2), [], rows.slice(2)), 'csv'))
  assert.deepEqual(
    csv.slice(1).map((cells) => cells.join('|')),
    [
      'a|123456789.012345|0.1|2024-02-29|2024-02-29T12:00:00.000Z|',
      '|-0.000001|12.50|1990-01-01||',
      '|0|1e-7||2200-01-01T00:00:00.000Z|',
      '|||1899-12-31||',
    ],
  )
  const json = JSON.parse((await bytesOf(tableOf(rows), 'json')).toString()) as { readonly rows: unknown }
  assert.deepEqual(json.rows, [
    { text: 'a', total_kg: 123456789.012345, share: 0.1, day: '2024-02-29', time: '2024-02-29T12:00:00.000Z' },
    { total_kg: -0.000001, share: 12.5, day: '1990-01-01' },
    { text: '', total_kg: 0, share: 1e-7, time: '2200-01-01T00:00:00.000Z' },
    { day: '1899-12-31' },
  ])
  const sheet = await readForeign(await bytesOf(tableOf(rows), 'xlsx'), 'Rows')
  assert.deepEqual(sheet.slice(1), [
    ['a', 123456789.012345, 0.1, new Date('2024-02-29'), new Date('2024-02-29T12:00:00Z')],
    [null, -0.000001, 12.5, new Date('1990-01-01'), null],
    [null, 0, 1e-7, null, new Date('2200-01-01')],
    [null, null, null, '1899-12-31', null],
  ])
})

test('every format tells what it is: account, inventory boundary, time, releases, method and filters', async () => {
  const told = {
    export: 'Rows',
    account: '=acme & "sons"',
    reporting_entity: 'lessor',
    consolidation_approach: 'financial',
    lease_type: 'operating',
    exported_at: '2026-11-22T12:00:00.000Z',
    dataset_releases: ['2026.1', '2026.2'],
    method_version: '1.0',
    emission_unit: 'kgCO2e',
    filters: { customer_id: ['a;=b'] },
  }
  const table = tableOf([rowOf('a')])
  const header = csvCells(await bytesOf(table, 'csv'))[0]!
  assert.equal(
    unescapeFormula(header.at(-1)!),
    'export.about export: Rows · account: =acme & "sons" · reporting_entity: lessor · ' +
      'consolidation_approach: financial · lease_type: operating · ' +
      'exported_at: 2026-11-22T12:00:00.000Z · method_version: 1.0 · emission_unit: kgCO2e · ' +
      'dataset_releases: 2026.1, 2026.2 · filter customer_id: a;=b · time zone: UTC',
  )
  const json = JSON.parse((await bytesOf(table, 'json')).toString()) as { readonly about: unknown }
  assert.deepEqual(json.about, told)
  assert.deepEqual(await cellsOf(await bytesOf(table, 'xlsx'), 'About'), [
    ['about', 'value'],
    ['export', 'Rows'],
    ['account', '=acme & "sons"'],
    ['reporting_entity', 'lessor'],
    ['consolidation_approach', 'financial'],
    ['lease_type', 'operating'],
    ['exported_at', '2026-11-22T12:00:00.000Z'],
    ['method_version', '1.0'],
    ['emission_unit', 'kgCO2e'],
    ['dataset_releases', '2026.1, 2026.2'],
    ['filter customer_id', 'a;=b'],
    ['time zone', 'UTC'],
  ])
  assert.equal(exportFile(table, 'xlsx').name, 'cradle-rows-2026-11-22.xlsx')
})

test('a sheet that is full is followed by another, and a text that no cell can hold is cut', async () => {
  const rows = Array.from({ length: 25 }, (_, at) => rowOf(`row ${at}`))
  const book = await open(await collect(workbookFile(tableOf(rows.slice(0, 10), rows.slice(10)), 11)))
  assert.deepEqual([...book.sheets.keys()], ['Rows', 'Rows 2', 'Rows 3', 'About'])
  const full = await collect(workbookFile(tableOf(rows.slice(0, 20)), 11))
  assert.deepEqual([...(await open(full)).sheets.keys()], ['Rows', 'Rows 2', 'About'])
  assert.deepEqual((await cellsOf(full, 'Rows 2')).at(-1)![0], 'row 19')
  const long = await bytesOf(tableOf([rowOf('x'.repeat(40_000))]), 'xlsx')
  assert.equal((await cellsOf(long, 'Rows'))[1]![0], `${'x'.repeat(32_766)}…`)
})

test('pages are read one by one, and none once nobody takes the file; what fails in one fails it all', async () => {
  for (const format of ['csv', 'json', 'xlsx'] as const) {
    let [read, isEnded] = [0, false]
    const pages = (async function* () {
      try {
        for (; read < 1_000; read += 1) {
          await turn()
          yield Array.from({ length: 1_000 }, () => rowOf(Math.random().toString()))
        }
      } finally {
        isEnded = true
      }
    })()
    const { pieces } = exportFile({ about: ABOUT, columns: COLUMNS, pages }, format)
    while (read === 0) await pieces.next()
    await pieces.return(undefined)
    assert.ok(isEnded, format)
    assert.ok(read < 50, `${format}: ${read} pages were read`)
    const failing = (async function* () {
      yield [rowOf('a')]
      await Promise.reject(new Error('The database went away'))
    })()
    const file = exportFile({ about: ABOUT, columns: COLUMNS, pages: failing }, format)
    await assert.rejects(collect(file.pieces), { message: 'The database went away' }, format)
  }
})
