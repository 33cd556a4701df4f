// Numbers of product footprints: decimals as text.
import { toDecimal, decimalOf, type Rational } from '../engine/numbers/rational.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'

/** Digits, with a sign and decimals if needed, and never an exponent. */
export type PactDecimal = string

const MILLIGRAM_DIGITS = 6

/** @returns kg CO2e with milligram precision, without trailing zeros */
export const kilograms = (emission: Milligrams): PactDecimal => decimalOf(emission, MILLIGRAM_DIGITS)

/** @returns the number itself, or rounded to 12 decimals if it has more */
export const decimal = (number: Rational): PactDecimal => toDecimal(number)
