// What the trials came to, as sections of docs/reliability.md: where, when, how often, and every failure.
import { join } from 'node:path'
import { MEASURED_ON } from '../../bench/measured-on.ts'
import { writeSection, type Document } from '../model-based/history-report.ts'
import type { Kind, Trial } from './trial.ts'

export interface Ran {
  readonly kind: Kind
  readonly seed: number
  readonly seconds: number
  readonly trial: Trial
}

const DOCUMENT: Document = {
  file: join(import.meta.dirname, '..', '..', 'docs', 'reliability.md'),
  head: `# Trials of reliability

Written by the command that made them: \`npm run torture\`. A client under load remembers what each request was
answered: acknowledged, refused, or unknown (no answer, or 503). After every cycle the unknown are sent again until they
have an answer; then everything acknowledged has to be stored exactly once, nothing refused may be stored, and up to 100
orders of the cycle, with all that were unknown, have to answer the same bytes when they are sent again. In the end, and
every ten cycles where something was killed, \`cradle verify --all\` recomputes every row. Where files are counted,
another client uploads files of up to 40 orders, some of them faulty: every accepted file has to be imported, and
each of its orders stored once.

What is killed is a process: nothing here takes power from a machine. For that PostgreSQL is relied on, with the
settings that \`cradle doctor\` shows. An import that is killed is in [imports.md](imports.md).

No failure in N cycles does not say "never": it says that fewer than 3/N of such cycles fail, with a confidence of 95 %.
`,
}

/** What no failure in so many cycles says of the rate, with a confidence of 95 %. */
export function boundOf({ isExhaustive }: Kind, { cycles, failures }: Trial): string {
  if (failures.length > 0) return `${failures.length} failures`
  if (isExhaustive) return 'none, all tried'
  return cycles > 3 ? `below ${(300 / cycles).toPrecision(2)} %` : 'too few to say'
}

/** Puts what ran in place of what stood there of that kind. */
export function writeTrial({ kind, seed, seconds, trial }: Ran): string {
  const { cycles, counts, failures, measures } = trial
  const { acknowledged, refused, retried, files } = counts
  const columns = [
    'cycles',
    'failures',
    'rate of failure',
    'acknowledged',
    'refused',
    'unknown at first',
    ...(files > 0 ? ['files'] : []),
  ]
  const cells = [
    cycles,
    failures.length,
    boundOf(kind, trial),
    acknowledged,
    refused,
    retried,
    ...(files > 0 ? [files] : []),
  ]
  const figures = Object.entries(measures)
  const remark = [
    `${kind.promise}\n`,
    `Seed ${seed}, ${Math.round(seconds)} s, ${MEASURED_ON}, ${new Date().toISOString().slice(0, 10)}.`,
    ...failures.map((failure, at) => `${at === 0 ? '\n' : ''}- ${failure.replaceAll('\n', ' ').replaceAll('|', '/')}`),
  ]
  return writeSection(
    `${kind.id}: ${kind.title}`,
    [...columns, ...figures.map(([name]) => name)],
    [[...cells, ...figures.map(([, value]) => value)]],
    remark.join('\n'),
    DOCUMENT,
  )
}
