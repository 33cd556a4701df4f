// The parts of a line's explanation: a formula, its inputs, its factors, and notes for the reader.
import type { Message } from '../message.ts'
import type { ReferenceData, Source } from '../reference/reference-data.ts'
import { toKilograms, type Milligrams } from '../numbers/emission.ts'
import { toDecimal, type Rational } from '../numbers/rational.ts'

export interface Input {
  readonly symbol: string
  readonly name: string
  readonly value: Rational
  readonly unit: string
  /** Source: the order, the device's ledger, its data sheet, the defaults by type, or values of this explanation. */
  readonly from: 'order' | 'ledger' | 'sheet' | 'type default' | 'computed'
  /** Only for months of use: the first and the last year that they lie in. */
  readonly years?: readonly [first: number, last: number]
}

export interface Factor {
  readonly symbol: string
  readonly id: string
  readonly value: Rational
  readonly unit: string
  readonly source: Source
  readonly dataset_release: string
}

/** The position of a rental in its device's ledger, in months and kg CO2e. */
export interface LedgerPosition {
  readonly ledger_months_before: Rational
  readonly allocated_months: Rational
  readonly unallocated_tenure_months: Rational
  readonly remaining_before: Rational
  readonly remaining_after: Rational
  /** True once the complete lifetime is allocated to rentals. The embodied emission is then allocated, not reversed. */
  readonly fully_amortised: boolean
}

export interface Explanation {
  /** The section of METHODOLOGY.md, as an anchor. */
  readonly anchor: string
  readonly formula: string
  readonly inputs: readonly Input[]
  readonly factors: readonly Factor[]
  /** Remarks for the reader: assumptions, and which proxies or fallbacks were used. */
  readonly notes: readonly Message[]
  /** Only for the embodied line. */
  readonly ledger?: LedgerPosition
}

/** Formats a number for a formula. */
export const formatRational = (value: Rational): string => toDecimal(value)
/** The end of a formula: the result in kg CO2e. */
export const formatResult = (emission: Milligrams): string => `= ${toKilograms(emission)}`

/** A factor of the reference data, with its source and dataset release. */
export const toFactor = (
  symbol: string,
  id: string,
  value: Rational,
  unit: string,
  source: Source,
  { release }: ReferenceData,
): Factor => ({ symbol, id, value, unit, source, dataset_release: release })
