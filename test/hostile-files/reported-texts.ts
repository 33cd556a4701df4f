// Texts of the penetration test: names without number, a header against what is said of it, quotes and white space.
import { ITEM_COLUMNS, READ, itemCells, textFile, type HostileFile } from './hostile-file.ts'

const HEADER = ITEM_COLUMNS.join(',')
const ROW = itemCells(1).join(',')
const HELD = 'held: at most 1.1 s'

const csv = (
  name: string,
  what: string,
  times: HostileFile['times'],
  textOf: (times: number) => string,
  outcome: RegExp,
): HostileFile => ({
  name,
  what,
  before: HELD,
  format: 'csv',
  times,
  make: (count) => textFile(textOf(count)),
  outcome,
})

const names = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, at) => `${prefix}${at.toString(16)}`).join(',')

const matrix = (full: number, small: number, before: string): HostileFile => ({
  name: `matrix${full}`,
  what: 'JSON lines, each with a name of its own',
  before,
  format: 'jsonl',
  times: { full, small },
  make: (times) => textFile(Array.from({ length: times }, (_, at) => `{"type":1,"${at.toString(16)}":1}\n`).join('')),
  outcome: /more than 16384 columns|There is no column/,
})

export const REPORTED_TEXTS: readonly HostileFile[] = [
  matrix(50_000, 20_000, 'C2: process dead after 34 s'),
  matrix(10_000, 5_000, 'H1: 16.9 s'),
  {
    name: 'header × columns',
    what: 'a header of unknown cells, and 900 others that are told of',
    before: 'H1: 55.3 s at 80,000 cells',
    format: 'csv',
    asked: { columns: Object.fromEntries(Array.from({ length: 900 }, (_, at) => [at.toString(16), '-'])) },
    times: { full: 80_000, small: 16_000 },
    make: (times) => textFile(`customer_id${',zz'.repeat(times)}\n`),
    outcome: /columns; a file of orders|The file has no column/,
  },
  csv(
    'cols10k',
    '10,000 unknown columns',
    { full: 10_000, small: 4_000 },
    (n) => `${HEADER},${names(n, 'k')}\n`,
    /no column/,
  ),
  csv(
    'cols150k',
    '150,000 unknown columns',
    { full: 150_000, small: 30_000 },
    (n) => `${HEADER},${names(n, 'k')}\n`,
    /more than 16384/,
  ),
  csv(
    'meta80k',
    '60,000 labels',
    { full: 60_000, small: 20_000 },
    (n) => `${HEADER},${names(n, 'metadata.')}\n${ROW}${',v'.repeat(n)}\n`,
    /more than 16384/,
  ),
  csv(
    'commas1M',
    'a header of empty cells',
    { full: 990_000, small: 200_000 },
    (n) => `${HEADER}${','.repeat(n)}\nx\n`,
    /more than 16384/,
  ),
  csv('longhdr', 'one long header', { full: 990_000, small: 200_000 }, (n) => `${'a'.repeat(n)}\n`, /at most 1000/),
  csv(
    'dup',
    'one column, again and again',
    { full: 100_000, small: 20_000 },
    (n) => `${'order_id,'.repeat(n)}\n`,
    /more than 16384/,
  ),
  csv('quotes', 'a row of quotes', { full: 900_001, small: 200_001 }, (n) => `${HEADER}\n${'"'.repeat(n)}\n`, READ),
  csv(
    'quotes2',
    'quotes inside cells',
    { full: 200_000, small: 50_000 },
    (n) => `${HEADER}\n${'a"b,'.repeat(n)}\n`,
    READ,
  ),
  csv(
    'quotes3',
    'lines of one quote each',
    { full: 300_000, small: 80_000 },
    (n) => `${HEADER}\n${'"x\n'.repeat(n)}`,
    READ,
  ),
  csv(
    'num',
    'numbers of thousands of digits',
    { full: 140, small: 30 },
    (n) => `${HEADER}\n${`${itemCells(1).slice(0, -1).join(',')},${'1.'.repeat(3000)}\n`.repeat(n)}`,
    READ,
  ),
  csv('cr', 'carriage returns alone', { full: 990_000, small: 200_000 }, (n) => '\r'.repeat(n), /white space/),
  csv('nl', 'empty lines', { full: 990_000, small: 200_000 }, (n) => `${HEADER}${'\n'.repeat(n)}`, READ),
  csv(
    'spaces',
    'a cell of spaces',
    { full: 900_000, small: 200_000 },
    (n) => `${HEADER}\nc,${' '.repeat(n)},x\n`,
    READ,
  ),
  csv(
    'hdrspaces',
    'a header of spaces',
    { full: 900_000, small: 200_000 },
    (n) => `customer_id,${' '.repeat(n)}x,order_id\n`,
    /at most 1000/,
  ),
  csv(
    'under',
    'a header of underscores and hyphens',
    { full: 400_000, small: 100_000 },
    (n) => `customer_id,${'_-'.repeat(n)}x,order_id\n`,
    /at most 1000/,
  ),
]
