// Texts of the same kinds that nobody had sent yet: rows against columns, faults that quote the file, lines that hold
// nothing, bytes of no encoding.
import { ITEM_COLUMNS, READ, itemCells, numbered, textFile, type HostileFile } from './hostile-file.ts'

const HEADER = ITEM_COLUMNS.join(',')
const LABELS = Array.from({ length: 20 }, (_, at) => `metadata.m${at}`)

type Described = Pick<HostileFile, 'name' | 'what' | 'times' | 'outcome' | 'asked'> & {
  readonly textOf: (times: number) => string | Buffer
}

const of =
  (format: 'csv' | 'jsonl') =>
  ({ textOf, ...file }: Described): HostileFile => ({
    ...file,
    format,
    before: null,
    make: (times) => textFile(textOf(times)),
  })

const fromOne = (count: number, textOf: (no: number) => string): string => numbered(count, (no) => textOf(no + 1))

const productColumns = (no: number): string =>
  ['product_id', 'serial_number', 'weight_kg', 'tenure_months'].map((name) => `${name}_${no}`).join()

const dayOf = (no: number): string => `${(no % 12) + 1}.${(no % 11) + 1}.${1000 + (no % 9000)}`

/** Rows of one order that say something else of it than the first: each fault quotes the first. */
const disagreeing = (first: string) => (times: number) =>
  `${HEADER},${LABELS.join(',')}\n${[...itemCells(1), ...LABELS.map(() => first)].join(',')}\n` +
  `${[...itemCells(1), ...LABELS.map(() => 'x')].join(',')}\n`.repeat(times)

const CSV: readonly Described[] = [
  {
    name: 'columns × short rows',
    what: 'a header of 5,000 numbers, and rows of one cell',
    times: { full: 450_000, small: 50_000 },
    textOf: (times) =>
      `${ITEM_COLUMNS.slice(0, 4).join()},${fromOne(900, (no) => `${productColumns(no)},`)}product_id\n` +
      'a\n'.repeat(times),
    outcome: /both mean/,
  },
  {
    name: 'numbers × short rows',
    what: 'a header of 1,900 numbers that is sound, and rows of one cell',
    times: { full: 450_000, small: 100_000 },
    textOf: (times) =>
      `${ITEM_COLUMNS.slice(0, 4).join()}${fromOne(950, (no) => `,${productColumns(no)}`)}\n` + 'a\n'.repeat(times),
    outcome: READ,
  },
  {
    name: 'blank columns × short rows',
    what: 'a header that ends with 16,000 empty cells, and rows of one cell',
    times: { full: 900_000, small: 30_000 },
    textOf: (times) => `${HEADER}${','.repeat(16_000)}\n${'a\n'.repeat(times)}`,
    outcome: READ,
  },
  {
    name: 'disagreeing rows',
    what: 'rows of one order, whose first has labels of 30,000 characters',
    times: { full: 20_000, small: 500 },
    textOf: disagreeing('z'.repeat(30_000)),
    outcome: READ,
  },
  {
    name: 'disagreeing escapes',
    what: 'the same with backslashes, which a reason quotes',
    times: { full: 20_000, small: 500 },
    textOf: disagreeing('\\'.repeat(30_000)),
    outcome: READ,
  },
  {
    name: 'absent columns',
    what: 'a header of 16,000 names, and 400 others that are told of',
    asked: {
      columns: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`column ${at}`, '-'])),
    },
    times: { full: 16_000, small: 16_000 },
    textOf: (times) => `${HEADER},${fromOne(times, (no) => `metadata.column${no},`)}\n`,
    outcome: /The file has no column/,
  },
  {
    name: 'odd quotes',
    what: 'lines of one quote, between long lines of two',
    times: { full: 900, small: 200 },
    textOf: (times) => `${HEADER}\n${`"a\n${'"b"\n'.repeat(250)}`.repeat(times)}`,
    outcome: READ,
  },
  {
    name: 'open quote',
    what: 'a quote that is never closed, before lines of two quotes each',
    times: { full: 2_500_000, small: 20_000 },
    textOf: (times) => `${HEADER}\n"a\n${'"b"\n'.repeat(times)}`,
    outcome: READ,
  },
  {
    name: 'short quoted rows',
    what: 'rows over two lines, of a few bytes',
    times: { full: 200_000, small: 20_000 },
    textOf: (times) => `${HEADER}\n${'"\n",\n'.repeat(times)}`,
    outcome: READ,
  },
  {
    name: 'long quoted header',
    what: 'a header of one cell in quotes, with line breaks',
    times: { full: 240_000, small: 50_000 },
    textOf: (times) => `"${'a""\n'.repeat(times)}"\n`,
    outcome: /at most 1000/,
  },
  {
    name: 'no encoding',
    what: 'bytes that UTF-8 cannot have, in every cell',
    asked: { encoding: 'utf-8' },
    times: { full: 800_000, small: 30_000 },
    textOf: (times) => Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from('ÿ,ÿ\n'.repeat(times), 'latin1')]),
    outcome: READ,
  },
  {
    name: 'NUL cells',
    what: 'long cells of NUL bytes',
    times: { full: 100, small: 10 },
    textOf: (times) =>
      `${HEADER}\n${`${itemCells(1).join(',')}\n`.repeat(20)}${`${'\0'.repeat(100_000)},b\n`.repeat(times)}`,
    outcome: READ,
  },
  {
    name: 'UTF-16 without lines',
    what: 'UTF-16 of one line',
    times: { full: 4_000_000, small: 500_000 },
    textOf: (times) => Buffer.from(`\ufeff${'a,'.repeat(times)}`, 'utf16le'),
    outcome: /more than 16384/,
  },
  {
    name: 'days without end',
    what: 'cells that may be days, each another',
    times: { full: 20_000, small: 4_000 },
    textOf: (times) =>
      `${HEADER}\n${fromOne(times, (no) => `c,o${no},${dayOf(no)},1.1.${no % 9999},product,p,S${no},3,1\n`)}`,
    outcome: /may be|day|read/,
  },
]

const JSON_LINES: readonly Described[] = [
  {
    name: 'empty lines',
    what: 'JSON lines that hold nothing, after one that does',
    times: { full: 60_000_000, small: 300_000 },
    textOf: (times) => `${soundLine}\n${' \n'.repeat(times)}`,
    outcome: READ,
  },
  {
    name: 'remarks alone',
    what: 'JSON lines of no member',
    times: { full: 20_000_000, small: 300_000 },
    textOf: (times) => '{}\n'.repeat(times),
    outcome: /None of the first/,
  },
  {
    name: 'last member',
    what: 'JSON lines that name the last of a thousand members alone',
    times: { full: 1_500_000, small: 4_000 },
    textOf: (times) =>
      `${soundLine.slice(0, -1)},${Array.from({ length: 960 }, (_, at) => `"metadata.m${at}":"x"`).join()}}\n` +
      '{"metadata.m959":"x"}\n'.repeat(times),
    outcome: /^read: |lines times names/,
  },
  {
    name: 'members of one line',
    what: 'one JSON line of 100,000 unknown members, after sound ones',
    times: { full: 100_000, small: 50_000 },
    textOf: (times) =>
      `${soundLine}\n`.repeat(6_000) +
      `{"type":"product",${Array.from({ length: times }, (_, at) => `"${at.toString(36)}":1`).join()}}\n`,
    outcome: READ,
  },
  {
    name: 'deep lines',
    what: 'JSON lines of brackets',
    times: { full: 20, small: 2 },
    textOf: (times) => `${soundLine}\n${`${'['.repeat(1_000_000)}\n`.repeat(times)}`,
    outcome: READ,
  },
  {
    name: 'one long line',
    what: 'a JSON line of one text',
    times: { full: 60_000_000, small: 3_000_000 },
    textOf: (times) => `${soundLine}\n{"type":"${'a'.repeat(times)}"}\n`,
    outcome: READ,
  },
  {
    name: 'short broken lines',
    what: 'JSON lines of one bracket',
    times: { full: 500_000, small: 10_000 },
    textOf: (times) => `${soundLine}\n${'{\n'.repeat(times)}`,
    outcome: READ,
  },
]

const soundLine = JSON.stringify(Object.fromEntries(ITEM_COLUMNS.map((name, at) => [name, itemCells(1)[at]])))

export const OTHER_TEXTS: readonly HostileFile[] = [...CSV.map(of('csv')), ...JSON_LINES.map(of('jsonl'))]
