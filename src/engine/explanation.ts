// What every explanation of a line is made of: a formula, its inputs, its factors, and notes for the reader.
import type { Source } from './factor-book.ts'
import { toKilograms, type Milligrams } from './line.ts'
import { toDecimal, type Ratio } from './ratio.ts'

export interface Input {
  readonly symbol: string
  readonly name: string
  readonly value: Ratio
  readonly unit: string
  /** Where the value comes from: the order itself, the device's sheet, the defaults by type, or the device's ledger. */
  readonly from: 'order' | 'sheet' | 'type default' | 'ledger' | 'distance adjustment'
}

export interface Factor {
  readonly symbol: string
  readonly id: string
  readonly value: Ratio
  readonly unit: string
  readonly source: Source
  readonly dataset_release: string
}

export interface Explanation {
  /** The section of METHODOLOGY.md. */
  readonly anchor: string
  readonly formula: string
  readonly inputs: readonly Input[]
  readonly factors: readonly Factor[]
  /** What a reader would want to be told: what was assumed, what stands in for what. */
  readonly notes: readonly string[]
}

/** A number as a formula shows it. */
export const show = (value: Ratio): string => toDecimal(value)
/** The end of a formula: what it came to, in kg CO2e. */
export const equals = (emission: Milligrams): string => `= ${toKilograms(emission)}`
