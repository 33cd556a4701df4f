// Emission amounts in whole milligrams of CO2 equivalent, and the parts, types and labels of emission lines.
import { decimalOf, multiply, roundHalfAway, whole, type Rational } from './rational.ts'

/** Milligrams of CO2 equivalent as an integer, so that sums are exact. */
export type Milligrams = bigint

/** The four parts of an order's footprint, as named in the API contract. */
export const PARTS = ['product_embodied_emission', 'product_use', 'packaging', 'transportation'] as const
export type Part = (typeof PARTS)[number]

/** Quality of a line: calculated from the item itself, or a fallback that must not be added to measured figures. */
export type LineType = 'estimated' | 'indicative'

export const EMISSION_UNIT = 'kgCO2e'

/** GHG Protocol labels as reported by the customer (the lessee): METHODOLOGY.md#scopes */
export const GHG_LABELS: Readonly<Record<Part, { readonly scope: string; readonly category: string }>> = {
  product_embodied_emission: { scope: '3', category: 'Category 1: Purchased goods and services' },
  product_use: { scope: '2', category: 'Electricity' },
  packaging: { scope: '3', category: 'Category 1: Purchased goods and services' },
  transportation: { scope: '3', category: 'Category 4: Upstream transportation and distribution' },
}

const MILLIGRAMS_PER_KILOGRAM = whole(1_000_000)

/** Rounds kilograms half away from zero to whole milligrams; emissions are rounded nowhere else. */
export const toMilligrams = (kilograms: Rational): Milligrams =>
  roundHalfAway(multiply(kilograms, MILLIGRAMS_PER_KILOGRAM))

/** Milligrams as kilograms in the shortest decimal form: 9928900n is "9.9289". */
export const toKilograms = (emission: Milligrams): string =>
  emission < DOUBLE_MAX && emission > -DOUBLE_MAX ? String(Number(emission) / 1_000_000) : decimalOf(emission, 6)

/** Numbers of up to fifteen digits are printed exactly when stored as a double. */
const DOUBLE_MAX = 10n ** 15n

export const sumMilligrams = (emissions: Iterable<Milligrams>): Milligrams => {
  let total = 0n
  for (const emission of emissions) total += emission
  return total
}
