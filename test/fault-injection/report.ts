// Writes bench/results/torture.md: for each trial where, when and how often it ran, and every failure.
import { MEASURED_ON } from '../../bench/measured-on.ts'
import { writeSection } from '../model-based/history-report.ts'
import type { Kind, Trial } from './trial.ts'

export interface Ran {
  readonly kind: Kind
  readonly seed: number
  readonly seconds: number
  readonly trial: Trial
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
    'torture',
    `${kind.id}: ${kind.title}`,
    [...columns, ...figures.map(([name]) => name)],
    [[...cells, ...figures.map(([, value]) => value)]],
    remark.join('\n'),
  )
}
