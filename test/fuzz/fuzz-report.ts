// What the fuzzing came to, as sections of docs/fuzzing.md: how much, in which ways, what was seen, and every failure.
import { join } from 'node:path'
import { MEASURED_ON } from '../../bench/measured-on.ts'
import { writeSection, type Document } from '../model-based/history-report.ts'
import type { Operation } from './documented-operations.ts'
import { TWISTS } from './draw-sequences.ts'
import type { Fuzzed } from './run-fuzz.ts'
import type { BruteForce, Timing } from './wrong-keys.ts'

const DOCUMENT: Document = {
  file: join(import.meta.dirname, '..', '..', 'docs', 'fuzzing.md'),
  head: `# Fuzzing

Written by the command that made it: \`npm run fuzz\`. Requests are drawn from \`/openapi.json\` alone, in sequences
that create, read, list, change, take back and use again, by the schemas of the document; about half of them are then
spoilt in one way. The program is the one that people start, with a PostgreSQL of its own. Of every answer is asked:

- no 5xx, unless the database was late and the same is served when sent again;
- status, content type, body and headers are those of the document, and no member is unnamed (Ajv);
- what the document refuses is refused, and what it accepts and the sequence allows is accepted, where that is decided;
- what was created is found, what was taken back is not, and the same order again gets the same bytes;
- of the objects of another account a stranger sees what is seen of objects that nobody has, to the byte;
- nothing of the inside of the program, no key and no password; nor, at the end, in logs, metrics and a backup.

In the end \`cradle verify --all\` recomputes every row. The same seed draws the same sequences; a failure names its
own, and \`npm run fuzz -- --sequence NAME\` shows that again. An interrupted run says what was sent until then.

What it found in the service, each now a fixed case of \`npm test\`:

- The document left out the 404 of a device’s emissions without a serial number, the \`uncertainty\` of an alternative,
  and the headers \`RateLimit\`, \`X-Ignored-Members\` and \`Cache-Control\`: \`test/openapi.test.ts\`; the last also of
  a \`/readyz\` that fails: \`test/health.test.ts\`.
- A device whose product id is blank was stored rightly and read back as if nothing were known of how it was found, so
  that \`cradle verify --all\` told a difference: \`test/verification.test.ts\`.
- A statement that was refused because too many wait to be drawn bore the headers of a file:
  \`test/statement-pdf.test.ts\`.
- An export that got no connection in time was a 500 instead of a 503:
  \`src/postgres/errors.test.ts\`.
- An expired key was refused in half the time of any other wrong one, and so told that it had once been right:
  \`src/postgres/accounts.test.ts\`.
- Each PDF loaded fonts and code anew, half a second of a core, so that statements were refused while others waited; and
  one was drawn for a client that had left: \`test/statement-pdf.test.ts\`, \`src/http/plugins/client-abort.test.ts\`.
`,
}

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
    DOCUMENT,
  )
  writeSection(
    'In which ways',
    ['way', 'requests'],
    Object.keys(TWISTS).map((name) => [name, twists.get(name) ?? 0]),
    'A way that an operation has nothing for (a broken body without a body) leaves its request as it is.',
    DOCUMENT,
  )
  writeSection(
    'Seen of the document',
    ['operation', 'answers by status', 'not seen'],
    coverage.rows.map(({ id, unseen }) => [id, answersOf(id, seen), unseen.join(', ') || '–']),
    `Without ${OUT_OF_REACH.join(', ')}, which takes a broken database: that is [docs/reliability.md](reliability.md).`,
    DOCUMENT,
  )
  const { sent, unauthorized, toldToStop, valid, served, memoryMb } = bruteForce
  writeSection(
    'Wrong keys: many',
    ['sent', '401', '429', 'valid keys meanwhile', 'of these served', 'memory before, MB', 'memory after, MB'],
    [[sent, unauthorized, toldToStop, valid, served, ...memoryMb.map(Math.round)]],
    'From one address, one after the other, each of the right form.',
    DOCUMENT,
  )
  writeSection(
    'Wrong keys: time',
    ['kind', 'requests', 'mean of the lowest 90 %, ms', 'Welch’s t against the first'],
    timings.map((one) => [one.kind, one.requests, one.meanMs.toFixed(4), one.t.toFixed(2)]),
    'In an order that is drawn, one at a time, each of the right form: others are refused without a look-up, since ' +
      'the form is no secret. Where |t| is below 4.5 the times are taken for equal.',
    DOCUMENT,
  )
}

const answersOf = (id: string, seen: ReadonlyMap<string, number>): string =>
  [...seen]
    .filter(([name]) => name.startsWith(`${id} `))
    .map(([name, count]) => [Number(name.split(' ')[1]), count] as const)
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
