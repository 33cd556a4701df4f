// The kinds of violation in the datasets. Each rule has a name, so that a test can provide a malformed file for it.

export const RULES = [
  // Whole files.
  'missing-file',
  'unreadable-file',
  'missing-column',
  'unknown-column',
  'cell-count',
  'bad-release',
  // Single cells.
  'empty-cell',
  'untidy-text',
  'bad-id',
  'bad-number',
  'too-many-decimals',
  'out-of-range',
  'not-in-list',
  'bad-url',
  'bad-origin',
  'bad-country',
  'bad-spelling',
  // Rows in relation to other rows.
  'duplicate-row',
  'unknown-source',
  'not-one-row',
  // Inconsistent figures.
  'no-footprint',
  'missing-total',
  'production-exceeds-total',
  'use-exceeds-total',
  'stages-exceed-total',
  'wtw-not-the-sum',
  'energy-not-the-product',
  'outside-its-range',
  'losses-exceed-generation',
  // Meaning of the values.
  'id-without-brand',
  'id-without-mode',
  'basis-not-of-mode',
  'unexplained-exclusion',
  'alias-of-no-model',
  'alias-is-another-id',
  'missing-type-default',
  'default-without-embodied',
  'unmarked-assumption',
  'neither-mean-nor-regression',
  'ambiguous-default',
  'missing-mode',
  'not-one-default-series',
  'factors-of-no-series',
  'unknown-energy-carrier',
  // Words, abbreviations and facts for matching.
  'missing-meaning',
  'needless-meaning',
  'misplaced-sign',
  'bad-pattern',
  'other-example',
  'facts-of-no-model',
  'half-a-range',
  'synonym-of-nothing',
  'carrier-of-nothing',
  'transport-and-none',
  'line-of-nobody',
  // Known devices.
  'known-is-a-model',
  'knows-nothing',
  'code-of-several',
] as const
export type Rule = (typeof RULES)[number]

/** A single error in one place. `line` counts from 1, the header being line 1. */
export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule: Rule
  readonly message: string
}

export const describeViolation = ({ file, line, rule, message }: Violation): string =>
  `${file}:${line} ${rule}: ${message}`
