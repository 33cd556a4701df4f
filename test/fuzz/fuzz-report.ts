// Writes bench/results/fuzz.md: how many requests of which kind, the responses seen, and every failure.
import { MEASURED_ON } from '../../bench/measured-on.ts'
import { writeSection } from '../model-based/history-report.ts'
import type { Operation } from './documented-operations.ts'
import { TWISTS } from './draw-sequences.ts'
import type { Fuzzed } from './run-fuzz.ts'
import type { BruteForce, Timing } from './wrong-keys.ts'

const COMMAND = 'fuzz'

/** What is not asked for by fuzzing: it takes a broken database, or more requests in a second than can be sent. */
const OUT_OF_REACH = [500, 503]

/** What is said of a status that no request got. */
export function coverageOf(operations: readonly Operation[], seen: ReadonlyMap<string, number>) {
  const rows = operations.map(({ id, statuses }) => {
    const within = statuses.filter((status) => !OUT_OF_REACH.includes(status))
    const unseen = within.filter((status) => !seen.has(`${id} ${status}`))
    return { id, documented: within.length, unseen }
  })
  const documented = rows.reduce((sum, row) => sum + row.documented, 0)
  const missed = rows.reduce((sum, row) => sum + row.unseen.length, 0)
  return { rows, documented, seen: documented - missed }
}

export interface Report {
  readonly seed: number
  readonly seconds: number
  readonly fuzzed: Fuzzed
  readonly failures: readonly string[]
  readonly timings: readonly Timing[]
  readonly bruteForce: BruteForce
}

export function writeReport({ seed, seconds, fuzzed, failures, timings, bruteForce }: Report): void {
  const { requests, sequences, unavailable, seen, twists, operations } = fuzzed
  const coverage = coverageOf(operations, seen)
  const told = failures.map((failure) => `- ${failure.replaceAll('\n', ' ').slice(0, 500)}`)
  const share = `${coverage.seen} of ${coverage.documented}`
  writeSection(
    COMMAND,
    'All requests',
    [
      'seed',
      'requests',
      'sequences',
      'seconds',
      'requests a second',
      '503, then served',
      'operations × statuses seen',
      'failures',
    ],
    [
      [
        seed,
        requests,
        sequences,
        Math.round(seconds),
        Math.round(requests / seconds),
        unavailable,
        share,
        failures.length,
      ],
    ],
    [`${MEASURED_ON}, ${new Date().toISOString().slice(0, 10)}.`, ...(told.length > 0 ? ['', ...told] : [])].join('\n'),
  )
  writeSection(
    COMMAND,
    'In which ways',
    ['way', 'requests'],
    Object.keys(TWISTS).map((name) => [name, twists.get(name) ?? 0]),
    'If an operation has no part that a way changes (no body to break), its request is sent unchanged.',
  )
  writeSection(
    COMMAND,
    'Seen of the document',
    ['operation', 'answers by status', 'not seen'],
    coverage.rows.map(({ id, unseen }) => [id, answersOf(id, seen), unseen.join(', ') || '–']),
    `Without ${OUT_OF_REACH.join(', ')}, which need a broken database: \`npm run torture\`.`,
  )
  const { sent, unauthorized, toldToStop, valid, served, memoryMb } = bruteForce
  writeSection(
    COMMAND,
    'Wrong keys: many',
    ['sent', '401', '429', 'valid keys meanwhile', 'of these served', 'memory before, MB', 'memory after, MB'],
    [[sent, unauthorized, toldToStop, valid, served, ...memoryMb.map(Math.round)]],
    'From one address, one after another, each well formed.',
  )
  writeSection(
    COMMAND,
    'Wrong keys: time',
    ['kind', 'requests', 'mean of the lowest 90 %, ms', 'Welch’s t against the first'],
    timings.map((one) => [one.kind, one.requests, one.meanMs.toFixed(4), one.t.toFixed(2)]),
    'In random order, one at a time, each well formed; malformed keys are rejected without a look-up, because the ' +
      'form is public. Times with |t| below 4.5 are considered equal.',
  )
}

const answersOf = (id: string, seen: ReadonlyMap<string, number>): string =>
  [...seen]
    .filter(([name]) => name.startsWith(`${id} `))
    .map(([name, count]) => [Number(name.split(' ')[1]), count] as const)
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
