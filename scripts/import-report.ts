// Writes bench/results/imports.md: for each trial its targets, its figures, and where and when it ran.
import { loadavg } from 'node:os'
import type { Target } from '../bench/figures.ts'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { targetRow, whole } from '../bench/report.ts'
import { writeSection } from '../test/model-based/history-report.ts'
import type { KillPlan, KillTrial } from '../test/fault-injection/import-kills.ts'
import type { BesideTrial } from './import-interference.ts'
import type { Imported, LargeTrial } from './import-large.ts'
import { PLANTS } from './generate-import-errors.ts'

const PER_SECOND_MIN = 10_000
const MEMORY_MB_MAX = 300
const RATIO_MAX = 2
const TARGET_HEAD = ['what', 'wanted', 'measured', 'reached']

const write = (title: string, targets: readonly Target[], remarks: readonly string[]): string =>
  writeSection('imports', title, TARGET_HEAD, targets.map(targetRow), remarks.join('\n\n'))

/** The load average tells whether others kept the machine busy: figures of time mean little then. */
const conditions = (seed: number): string =>
  `Seed ${seed}, ${MEASURED_ON}, load average ${loadavg()[0]!.toFixed(1)}, ` +
  `${new Date().toISOString().slice(0, 16)} UTC.`

const exactly = (name: string, count: number, wanted: number): Target => ({
  name,
  wanted: whole(wanted),
  measured: whole(count),
  reached: count === wanted,
})

export function writeLarge(title: string, trial: LargeTrial, seed: number): string {
  const { orders, first, again, rejectedRowsFile, planted, missing, invented, memoryPeakMb, verified } = trial
  const rate = first.orders / first.seconds.working
  const workerPeakMb = Math.max(first.workerPeakMb, again.workerPeakMb)
  return write(
    title,
    [
      {
        name: 'orders dealt with a second',
        wanted: `≥ ${whole(PER_SECOND_MIN)}`,
        measured: whole(rate),
        reached: rate >= PER_SECOND_MIN,
      },
      {
        name: 'memory of the process that serves, at its highest',
        wanted: `≤ ${MEMORY_MB_MAX} MB`,
        measured: `${whole(memoryPeakMb)} MB`,
        reached: memoryPeakMb <= MEMORY_MB_MAX,
      },
      {
        name: 'memory of the process that works on the import, at its highest',
        wanted: `≤ ${MEMORY_MB_MAX} MB`,
        measured: `${whole(workerPeakMb)} MB`,
        reached: workerPeakMb <= MEMORY_MB_MAX,
      },
      exactly('orders dealt with', first.orders, orders),
      exactly('refused orders', Number(first.end['orders_rejected']), planted.length),
      exactly('planted errors that were told at their row and column', planted.length - missing.length, planted.length),
      exactly('errors that were told and not planted', invented.length, 0),
      exactly('orders stored when the file is imported again', Number(again.end['orders_stored']), 0),
      exactly('orders replayed then', Number(again.end['orders_replayed']), Number(first.end['orders_stored'])),
      exactly('orders stored of its errors file, not mended', Number(rejectedRowsFile.end['orders_stored']), 0),
      exactly('orders refused of it', Number(rejectedRowsFile.end['orders_rejected']), planted.length),
      {
        name: '`cradle verify --all` afterwards',
        wanted: 'no difference',
        measured: verified.sentence,
        reached: verified.code === 0,
      },
    ],
    [
      timesOf(trial),
      `Errors planted, by kind: ${kindsOf(trial)}.`,
      ...missing.slice(0, 5).map(({ row, column, kind }) => `- not told: row ${row}, ${column ?? 'the row'}: ${kind}`),
      ...invented.slice(0, 5).map((one) => `- not planted: ${JSON.stringify(one)}`),
      conditions(seed),
    ],
  )
}

function timesOf({ fileMb, memoryBeforeMb, first, again }: LargeTrial): string {
  const lineOf = (name: string, { seconds, orders, rows, memory }: Imported) =>
    `${name}: taken in within ${seconds.sending.toFixed(1)} s, then ${seconds.working.toFixed(1)} s of work, ` +
    `${whole(orders / seconds.working)} orders/s, ${whole(rows / seconds.working)} rows/s; memory after a tenth of ` +
    `that time, half of it, and at its end: ${[0.1, 0.5, 1].map((share) => whole(at(memory, share))).join(', ')} MB.`
  return [
    `${whole(first.orders)} orders in ${whole(first.rows)} rows, ${whole(fileMb)} MB, for a program that had ` +
      `${whole(memoryBeforeMb)} MB before.`,
    lineOf('The first time', first),
    lineOf('Again', again),
  ].join(' ')
}

const at = (memory: readonly number[], share: number): number => memory[Math.ceil(memory.length * share) - 1] ?? 0

const kindsOf = ({ planted }: LargeTrial): string =>
  Object.keys(PLANTS)
    .map((kind) => `${kind} ${whole(planted.filter((one) => one.kind === kind).length)}`)
    .join(', ')

export function writeKills({ orders, kills, seed }: KillPlan, { undisturbed, failures }: KillTrial): string {
  const counted = ['orders_stored', 'orders_replayed', 'orders_rejected', 'rows_rejected']
  return write(
    'Killed meanwhile',
    [exactly(`differences from the undisturbed import, after ${kills} × kill -9`, failures.length, 0)],
    [
      `A file of ${whole(orders)} orders, imported undisturbed by one account; the program killed ${kills} times for ` +
        'another.',
      `The undisturbed import: ${counted.map((name) => `${name} ${whole(Number(undisturbed[name]))}`).join(', ')}.`,
      ...failures.slice(0, 10).map((failure) => `- ${failure}`),
      conditions(seed),
    ],
  )
}

export function writeBeside({ highest, alone, beside, importedPerSecond }: BesideTrial, seed: number): string {
  const [p99Alone, p99Beside] = [alone, beside].map(p99Of) as [number, number]
  const ratio = p99Beside / p99Alone
  const turnsOf = (all: BesideTrial['alone'], name: 'p50Ms' | 'p99Ms') =>
    all.map(({ turn }) => turn.load.latency[name].toFixed(1)).join(', ')
  return write(
    'Posting meanwhile',
    [
      {
        name: 'p99 of an order beside an import ÷ alone',
        wanted: `≤ ${RATIO_MAX}`,
        measured: `${p99Beside.toFixed(1)} ms ÷ ${p99Alone.toFixed(1)} ms = ${ratio.toFixed(2)}`,
        reached: ratio <= RATIO_MAX,
      },
      exactly('errors', errorsOf([...alone, ...beside]), 0),
    ],
    [
      `An open loop of ${whole(alone[0]!.perSecond)} orders/s, a quarter of the highest rate (${whole(highest)}/s), ` +
        `in turns of ${alone[0]!.turn.load.elapsedMs.toFixed(0)} ms, alone and beside an import one after the other; ` +
        'the median turn counts. In milliseconds, turn by turn: ' +
        `p50 alone ${turnsOf(alone, 'p50Ms')}, beside ${turnsOf(beside, 'p50Ms')}; ` +
        `p99 alone ${turnsOf(alone, 'p99Ms')}, beside ${turnsOf(beside, 'p99Ms')}. Meanwhile ` +
        `${importedPerSecond.map(whole).join(', ')} orders of the file were processed per second.`,
      conditions(seed),
    ],
  )
}

const p99Of = (turns: BesideTrial['alone']): number =>
  turns.map(({ turn }) => turn.load.latency.p99Ms).toSorted((a, b) => a - b)[Math.floor(turns.length / 2)]!

const errorsOf = (turns: BesideTrial['alone']): number => turns.reduce((sum, { turn }) => sum + turn.errors, 0)
