// docs/growth.md: what a database of each size takes, in time and bytes, and what stands below by hand.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MEASURED_ON } from '../bench/measured-on.ts'
import type { BackupMeasures } from './storage-growth-backups.ts'
import { LISTS, LOOK_UPS, TURNS, type Measured, type TableBytes } from './storage-growth-measures.ts'
import { ORDERS_PER_CUSTOMER, ORDERS_PER_DAY } from './typical-orders.ts'

export interface Size extends Measured, BackupMeasures {
  readonly orders: number
  readonly fillSeconds: number
  readonly bytes: readonly TableBytes[]
}

const FILE = join(import.meta.dirname, '..', 'docs', 'growth.md')
// What stands below it is kept from run to run.
const MARKER = '<!-- Written by hand below this line; the command keeps it. -->'

/** @returns what was written */
export function writeGrowth(sizes: readonly Size[]): string {
  const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  const at = old.indexOf(MARKER)
  const text = reportText(sizes)
  writeFileSync(FILE, `${text}\n${MARKER}${at < 0 ? '\n' : old.slice(at + MARKER.length)}`)
  return text
}

function reportText(sizes: readonly Size[]): string {
  const head = ['orders', ...sizes.map(({ orders }) => whole(orders)), 'last ÷ first']
  const names = Object.keys(sizes[0]!.latencies)
  const rows = names.flatMap((name) => [
    row(`${name}, p50 ms`, sizes, ({ latencies }) => latencies[name]!.p50Ms),
    row(`${name}, p99 ms`, sizes, ({ latencies }) => latencies[name]!.p99Ms),
  ])
  const others = [
    row('bytes an order, rows and indexes', sizes, ({ bytes }) => sum(bytes.map((one) => one.heap + one.indexes)), 0),
    row('Node process at the end, MB', sizes, ({ memory }) => memory.now, 0),
    row('Node process at its peak, MB', sizes, ({ memory }) => memory.peak, 0),
    row('start, s', sizes, ({ startMs }) => startMs / 1000),
    row('filling, s', sizes, ({ fillSeconds }) => fillSeconds, 0),
    row('`cradle backup`, s', sizes, ({ backupSeconds }) => backupSeconds),
    row('its file, MB', sizes, ({ backupBytes }) => backupBytes / 1e6),
    row('`cradle restore` of it, s', sizes, ({ restoreSeconds }) => restoreSeconds),
  ]
  const parts = [
    '# Growth',
    intro(sizes.at(-1)!.orders),
    table([head, ...rows, ...others]),
    '## Bytes an order',
    byTable(sizes.at(-1)!),
  ]
  return `${parts.join('\n\n')}\n`
}

const intro = (max: number): string =>
  `Written by \`npm run growth -- --max ${max}\`. One account that grows as time goes: ${whole(ORDERS_PER_DAY)}
orders a day, ${ORDERS_PER_CUSTOMER} of each customer in all, serial numbers and customers in no sequence, order ids and
dates that rise. Each order is like that of the README: one device, one transport, one packaging; all models in turn.
Some orders of each day are posted by the program's own code, and the others are copies of their rows with other ids,
so that \`cradle verify --all\` finds nothing. Nothing is drawn by lot: each run fills the same rows. They come by COPY,
all indexes in place; then a program starts on each as by \`npm start\`, with the settings of its own PostgreSQL. All
are asked in ${TURNS + 1} turns, the first uncounted, so that whatever else the machine does meets all alike. Lists have
pages of 100 orders; ${whole(LISTS)} of each kind are asked for over four connections. ${whole(LOOK_UPS)} devices are
looked up and as many orders posted over eight. Each connection has one request in flight. A day is that of \`from\`
and \`to\`. At last each is backed up and restored into a new database, by the commands.

- Date: ${new Date().toISOString()}
- Machine: ${MEASURED_ON}; program, PostgreSQL and load share it`

function row(name: string, sizes: readonly Size[], of: (size: Size) => number, digits = 1): readonly string[] {
  const values = sizes.map(of)
  return [name, ...values.map((value) => value.toFixed(digits)), (values.at(-1)! / values[0]!).toFixed(2)]
}

function byTable({ orders, bytes }: Size): string {
  const rows = bytes.map(({ table: name, heap, indexes }) => [name, heap.toFixed(0), indexes.toFixed(0)])
  return `With ${whole(orders)} orders, before more are posted:\n\n${table([['table', 'rows', 'indexes'], ...rows])}`
}

const table = ([head, ...rows]: readonly (readonly string[])[]): string =>
  [head!, head!.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const whole = (number: number): string => Math.round(number).toLocaleString('en')
