// bench/results/reports.md: how long reports take, and what they cost those who post.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { resultFile, resultHead } from '../bench/result-file.ts'

export interface Grouping {
  readonly basis: string
  readonly groupBy: string
  readonly groups: number
  /** Whether all groups were asked for, where an answer has only the heaviest by itself. */
  readonly isOfAll: boolean
  /** Milliseconds. */
  readonly least: number
  readonly median: number
}

export interface Posting {
  readonly isFolding: boolean
  /** Orders a second. */
  readonly rate: number
  readonly p99Ms: number
  readonly posted: number
  /** Facts that were folded meanwhile. */
  readonly folded: number
}

/** Orders posted while somebody asks for one report after the other. */
export interface Beside {
  readonly name: string
  /** Orders a second. */
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Reports that were answered meanwhile. */
  readonly asked: number
}

interface Memory {
  readonly now: number
  readonly peak: number
}

/** A report that was asked for while much was unfolded: after how long it was there, and how often it was refused. */
export interface Behind {
  readonly unfolded: number
  readonly seconds: number
  readonly refused: number
}

export interface Measured {
  readonly orders: number
  readonly foldSeconds: number
  readonly facts: number
  readonly bytes: number
  readonly chunks: number
  /** The first report that the program was asked for. */
  readonly firstMs: number
  readonly groupings: readonly Grouping[]
  readonly posting: readonly Posting[]
  readonly behind: Behind
  readonly beside: readonly Beside[]
  /** Of the service, and of the process beside it that makes its reports: at the end. */
  readonly memory: Memory
  readonly reportsMemory: Memory
}

const GOAL_MS = 300
const GOAL_ORDERS = 1_000_000

/** @returns what was written */
export function writeReports(measured: Measured): string {
  const { orders, foldSeconds, facts, bytes, chunks, firstMs, groupings, posting, behind, beside, memory } = measured
  const { reportsMemory } = measured
  const ofAll = groupings.filter(({ isOfAll }) => isOfAll)
  const asked = groupings.filter(({ isOfAll }) => !isOfAll)
  const isWithin = ({ median }: Grouping) => median <= GOAL_MS
  const text = [
    resultHead('reports'),
    ...(orders < GOAL_ORDERS ? ['This was a short run: it does not show whether the goal is reached.'] : []),
    `- Date: ${new Date().toISOString()}
- ${whole(orders)} orders; the goal for ${whole(GOAL_ORDERS)} is ${GOAL_MS} ms
- Machine: ${MEASURED_ON}; program, PostgreSQL and client share it
- Rolled up: ${whole(facts)} facts in ${whole(chunks)} chunks, ${(bytes / facts).toFixed(1)} bytes a fact, in
  ${foldSeconds.toFixed(0)} s: ${whole(facts / foldSeconds)} a second
- The first report, by month and customer by tenure: ${firstMs.toFixed(0)} ms
- Service: ${memory.now.toFixed(0)} MB at the end, ${memory.peak.toFixed(0)} MB at its peak
- Report worker: ${reportsMemory.now.toFixed(0)} MB, ${reportsMemory.peak.toFixed(0)} MB at its peak
- Groupings whose median is within the goal: ${asked.filter(isWithin).length} of ${asked.length}
- ${ofAll.length} of these have more groups than a response lists by default.
  With all groups requested, ${ofAll.filter(isWithin).length} of ${ofAll.length} are within the goal
- Load average: ${loadavg()[1]!.toFixed(1)}; above the number of cores, all times are too long`,
    '## Posting with the rollup on and off',
    table(
      ['rollup', 'orders a second', 'p99 ms', 'posted', 'rolled up meanwhile'],
      posting.map((one) => [
        one.isFolding ? 'on' : 'off',
        whole(one.rate),
        one.p99Ms.toFixed(1),
        whole(one.posted),
        whole(one.folded),
      ]),
    ),
    `Each turn with the rollup compared with the two around it, median: ${medianRatio(posting).toFixed(2)} times as many
orders a second.

A report immediately afterwards, with ${whole(behind.unfolded)} entries not rolled up, was answered after
${behind.seconds.toFixed(1)} s; before that, ${behind.refused} requests got 503.`,
    '## Posting beside reports',
    table(
      ['beside', 'orders a second', 'p50 ms', 'p99 ms', 'longest ms', 'reports meanwhile'],
      beside.map(({ name, rate, p50Ms, p99Ms, maxMs, asked }) => [
        name,
        whole(rate),
        ...[p50Ms, p99Ms, maxMs].map((one) => one.toFixed(1)),
        whole(asked),
      ]),
    ),
    '## Every grouping',
    table(
      ['by', 'group_by', 'groups', 'median ms', 'least ms'],
      groupings.map((one) => [one.basis, one.groupBy, whole(one.groups), one.median.toFixed(0), one.least.toFixed(0)]),
    ),
    '',
  ].join('\n\n')
  writeFileSync(resultFile('reports'), text)
  return text
}

const whole = (number: number): string => Math.round(number).toLocaleString('en-GB')

/** Each turn with folding beside the mean of the two around it: the machine's own pace drifts by more than that. */
function medianRatio(posting: readonly Posting[]): number {
  const ratios = posting.flatMap(({ isFolding, rate }, at) =>
    isFolding ? [rate / ((posting[at - 1]!.rate + posting[at + 1]!.rate) / 2)] : [],
  )
  return ratios.sort((a, b) => a - b)[ratios.length >> 1]!
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
