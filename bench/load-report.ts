// bench/results/load.md: how long answers take at each load, what a flood, retries and reads do, and the soak.
import type { Target } from './figures.ts'
import type { Beside } from './load-interference.ts'
import { OVERLOAD, RECOVERY_MS, type LoadPace, type Offered, type Overload, type Soaked } from './load-stages.ts'
import { STORED_ORDERS, type Storm } from './load-storm.ts'
import type { MeasuredDatabase } from './measured-database.ts'
import { machineLines, table, targetRow, whole } from './report.ts'
import { resultHead } from './result-file.ts'
import type { Turn } from './alternation.ts'

export interface LoadReport {
  readonly command: string
  readonly pace: LoadPace
  readonly postgres: MeasuredDatabase
  readonly highest: number
  readonly shares: readonly Offered[]
  readonly overload: Overload
  readonly storms: readonly Storm[]
  readonly reads: readonly Beside[]
  readonly soak: readonly Soaked[]
}

const SERVED_P99_MS_MAX = 500
const PATIENT_SHARE_MIN = 0.9
/** Back to normal: of the figures at the same rate in the table above it, with room for the machine's own moods. */
const NORMAL_P99_MS_MAX = 100

export function loadReportText(report: LoadReport): string {
  const { pace, highest, shares, overload, storms, reads, soak } = report
  const offered = [...OFFERED_HEAD, ...LATENCY_HEAD, ...SHED_HEAD]
  const sections = [
    resultHead('load'),
    `${machineLines(report.postgres)}\n- \`${report.command}\`: ${pace.windowMs / 1000} s measured after ` +
      `${pace.warmUpMs / 1000} s of warm-up, each`,
    '## Targets',
    table(['what', 'wanted', 'measured', 'reached'], targetsOf(report).map(targetRow)),
    '## Latency by load',
    `Highest rate: ${whole(highest)} orders/s, a closed loop over 64 connections, the median of three turns.`,
    table(offered, shares.map(offeredRow)),
    `## ${OVERLOAD} times the highest rate`,
    table(
      [...offered, 'oldest ms', 'clients', 'server'],
      [overload.flood, overload.patient, overload.after, overload.bare].map(floodRow),
    ),
    '## A storm of retries',
    table(
      ['beside', ...offered.slice(1), 'p99 ÷ quiet', 'repetitions/s', 'of these, p50 ms', 'p99 ms'],
      storms.map((storm) => stormRow(storm, storms)),
    ),
    '## Posting beside one client that reads without a pause, and beside an import',
    table(['beside', ...offered.slice(1), 'reads/s', 'a read, p50 ms', 'p99 ms'], reads.map(besideRow)),
    `## Soak: ${pace.soakMs / 1000} s at half of the highest rate`,
    table([...offered, 'memory MB', 'open files'], soak.map(soakedRow)),
  ]
  return `${sections.join('\n\n')}\n`
}

const OFFERED_HEAD = ['', 'offered/s', 'served/s']
const LATENCY_HEAD = ['p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'p99 ms from sending']
const SHED_HEAD = ['shed/s', 'p99 ms of these', 'given up', 'errors']

function offeredRow({ name, perSecond, turn }: Offered): readonly string[] {
  const { load } = turn
  const { p50Ms, p95Ms, p99Ms, maxMs } = load.latency
  const shedPerSecond = (load.shed / load.elapsedMs) * 1000
  return [
    name,
    whole(perSecond),
    whole(turn.perSecond),
    ...[p50Ms, p95Ms, p99Ms, maxMs, load.latencyFromSent.p99Ms].map(tenths),
    ...[whole(shedPerSecond), load.shed === 0 ? '–' : tenths(load.shedLatency.p99Ms), whole(load.notSent)],
    String(faultsOf(turn)),
  ]
}

const floodRow = (offered: Offered): readonly string[] => {
  const { load, cpu } = offered.turn
  const share = (ms: number) => `${Math.round((ms / cpu.windowMs) * 100)} %`
  return [...offeredRow(offered), whole(load.oldestMs), share(cpu.generator), share(cpu.server)]
}

const tenths = (ms: number): string => ms.toFixed(1)

/** Everything but being told to come again. */
const faultsOf = ({ load }: Turn): number => load.otherThanShed + load.socketErrors + load.sampleMisses

/** How many times as long as where nothing is repeated. */
const slowdownOf = ({ posting }: Storm, storms: readonly Storm[]): number =>
  posting.turn.load.latency.p99Ms / storms[0]!.posting.turn.load.latency.p99Ms

function stormRow(storm: Storm, storms: readonly Storm[]): readonly string[] {
  const { posting, repeated } = storm
  const { p50Ms, p99Ms } = repeated?.load.latency ?? {}
  const figures = repeated === null ? ['–', '–', '–'] : [whole(repeated.perSecond), tenths(p50Ms!), tenths(p99Ms!)]
  return [...offeredRow(posting), slowdownOf(storm, storms).toFixed(2), ...figures]
}

function besideRow({ posting, reading }: Beside): readonly string[] {
  const { p50Ms, p99Ms } = reading?.latency ?? {}
  const figures = reading === null ? ['–', '–', '–'] : [reading.perSecond, p50Ms!, p99Ms!].map(tenths)
  return [...offeredRow(posting), ...figures]
}

const soakedRow = ({ offered, memoryMb, openFiles }: Soaked): readonly string[] => [
  ...offeredRow(offered),
  memoryMb.toFixed(0),
  String(openFiles),
]

function targetsOf({ shares, overload, storms, reads, soak }: LoadReport): readonly Target[] {
  const { flood, patient, after } = overload
  const turns = [
    ...shares,
    flood,
    patient,
    after,
    ...storms.map(({ posting }) => posting),
    ...reads.map(({ posting }) => posting),
    ...soak.map(({ offered }) => offered),
  ]
  const errors = turns.reduce((total, { turn }) => total + faultsOf(turn), 0)
  const half = shares.find(({ name }) => name.startsWith('50 %'))!
  return [
    atMost('p99 of an order at half of the highest rate', half.turn.load.latency.p99Ms, 50),
    atMost('p99 of what is served in the flood', flood.turn.load.latency.p99Ms, SERVED_P99_MS_MAX),
    atMost('the same from sending', flood.turn.load.latencyFromSent.p99Ms, SERVED_P99_MS_MAX),
    atMost('the same, of clients that ask once a second', patient.turn.load.latency.p99Ms, SERVED_P99_MS_MAX),
    servedOf('of what those ask for, served at its first try', patient.turn),
    none('given up in the flood, for want of a free connection', flood.turn.load.notSent),
    atMost(`p99 from ${RECOVERY_MS / 1000} s after the flood`, after.turn.load.latency.p99Ms, NORMAL_P99_MS_MAX),
    none(`shed from ${RECOVERY_MS / 1000} s after the flood`, after.turn.load.shed),
    {
      name: `p99 of others while ${whole(STORED_ORDERS)} stored orders are sent again ÷ quiet`,
      wanted: '≤ 2.00',
      measured: slowdownOf(storms[1]!, storms).toFixed(2),
      reached: slowdownOf(storms[1]!, storms) <= 2,
    },
    none('errors other than being told to come again', errors),
  ]
}

const atMost = (name: string, ms: number, max: number): Target => ({
  name,
  wanted: `≤ ${max} ms`,
  measured: `${tenths(ms)} ms`,
  reached: ms <= max,
})

function servedOf(name: string, { load: { responses, shed, notSent } }: Turn): Target {
  const share = responses / (responses + shed + notSent)
  return {
    name,
    wanted: `≥ ${100 * PATIENT_SHARE_MIN} %`,
    measured: `${tenths(100 * share)} %`,
    reached: share >= PATIENT_SHARE_MIN,
  }
}

const none = (name: string, count: number): Target => ({
  name,
  wanted: '0',
  measured: whole(count),
  reached: count === 0,
})
