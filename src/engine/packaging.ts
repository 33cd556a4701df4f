// Packaging: mass added by the rental company times a cradle-to-gate factor; cut-off approach, single use.
import { ONE, ZERO, add, multiply, subtract, type Rational } from './numbers/rational.ts'

/**
 * Production of single-use packaging: e = m × factor, in kg CO2e. METHODOLOGY.md#packaging
 * @param massKg 0 or more
 * @param factor kg CO2e per kg, cradle to gate, recycled content included
 */
export const packagingProduction = (massKg: Rational, factor: Rational): Rational => multiply(massKg, factor)

/**
 * Factor of a material with recycled content: (1 − R1) × Ev + R1 × Erec, in kg CO2e per kg.
 * METHODOLOGY.md#packaging
 * @param recycledShare R1, 0 to 1
 */
export const blendedFactor = (virgin: Rational, recycled: Rational, recycledShare: Rational): Rational =>
  add(multiply(subtract(ONE, recycledShare), virgin), multiply(recycledShare, recycled))

/**
 * End of life: e = m × Σ s × F over the treatments, in kg CO2e. Published separately from production.
 * METHODOLOGY.md#packaging
 * @param treatments shares s that add up to 1, and their factors F in kg CO2e per kg
 */
export const packagingEndOfLife = (
  massKg: Rational,
  treatments: readonly { readonly share: Rational; readonly factor: Rational }[],
): Rational =>
  multiply(
    massKg,
    treatments.reduce((total, { share, factor }) => add(total, multiply(share, factor)), ZERO),
  )
