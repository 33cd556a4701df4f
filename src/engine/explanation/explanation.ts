// What every explanation of a line is made of: a formula, its inputs, its factors, and notes for the reader.
import type { ReferenceData, Source } from '../reference/reference-data.ts'
import { toKilograms, type Milligrams } from '../numbers/emission.ts'
import { toDecimal, type Rational } from '../numbers/rational.ts'

export interface Input {
  readonly symbol: string
  readonly name: string
  readonly value: Rational
  readonly unit: string
  /** Where it comes from: the order, the device's ledger, its sheet, the defaults by type, or values printed here. */
  readonly from: 'order' | 'ledger' | 'sheet' | 'type default' | 'computed'
}

export interface Factor {
  readonly symbol: string
  readonly id: string
  readonly value: Rational
  readonly unit: string
  readonly source: Source
  readonly dataset_release: string
}

/** Where a rental stands in its device's ledger, in months and kg CO2e. */
export interface LedgerPosition {
  readonly ledger_months_before: Rational
  readonly allocated_months: Rational
  readonly unallocated_tenure_months: Rational
  readonly remaining_before: Rational
  readonly remaining_after: Rational
  /** True once every month of the device's lifetime was given to rentals. Its making is then charged, not undone. */
  readonly fully_amortised: boolean
}

export interface Explanation {
  /** The section of METHODOLOGY.md. */
  readonly anchor: string
  readonly formula: string
  readonly inputs: readonly Input[]
  readonly factors: readonly Factor[]
  /** What a reader would want to be told: what was assumed, what stands in for what. */
  readonly notes: readonly string[]
  /** Of the embodied line alone. */
  readonly ledger?: LedgerPosition
}

/** A number as a formula shows it. */
export const formatRational = (value: Rational): string => toDecimal(value)
/** The end of a formula: what it came to, in kg CO2e. */
export const formatResult = (emission: Milligrams): string => `= ${toKilograms(emission)}`

/** A figure of the book, with its source and the release in which it stands. */
export const toFactor = (
  symbol: string,
  id: string,
  value: Rational,
  unit: string,
  source: Source,
  { release }: ReferenceData,
): Factor => ({ symbol, id, value, unit, source, dataset_release: release })
