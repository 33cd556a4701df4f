// bench/results/growth.md: the times and bytes of a database at each size.
import { writeFileSync } from 'node:fs'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { resultFile, resultHead } from '../bench/result-file.ts'
import type { BackupMeasures } from './storage-growth-backups.ts'
import type { Measured, TableBytes } from './storage-growth-measures.ts'

export interface Size extends Measured, BackupMeasures {
  readonly orders: number
  readonly fillSeconds: number
  readonly bytes: readonly TableBytes[]
}

/** @returns what was written */
export function writeGrowth(sizes: readonly Size[]): string {
  const text = reportText(sizes)
  writeFileSync(resultFile('growth'), text)
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
    resultHead('growth'),
    conditions(sizes.at(-1)!.orders),
    table([head, ...rows, ...others]),
    '## Bytes an order',
    byTable(sizes.at(-1)!),
  ]
  return `${parts.join('\n\n')}\n`
}

const conditions = (max: number): string =>
  `- Command: \`npm run growth -- --max ${max}\`
- Date: ${new Date().toISOString()}
- Machine: ${MEASURED_ON}; program, PostgreSQL and load generator share it`

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
