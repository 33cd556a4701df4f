// A line: one published emission of an order, in whole milligrams of CO2 equivalent.
import { decimalOf, multiply, roundHalfAway, whole, type Rational } from './rational.ts'

/** Milligrams of CO2 equivalent: a whole number, and so are all sums of them. */
export type Milligrams = bigint

/** The four parts of an order's footprint, under the names of the contract. */
export const PARTS = ['product_embodied_emission', 'product_use', 'packaging', 'transportation'] as const
export type Part = (typeof PARTS)[number]

/** How good a line is: computed from the thing itself, or a stand-in that must not be added to measured figures. */
export type LineType = 'estimated' | 'indicative'

export const EMISSION_UNIT = 'kgCO2e'

/** GHG Protocol labels as the customer (the lessee) reports them: METHODOLOGY.md#scopes */
export const GHG_LABELS: Readonly<Record<Part, { readonly scope: string; readonly category: string }>> = {
  product_embodied_emission: { scope: '3', category: 'Category 1: Purchased goods and services' },
  product_use: { scope: '2', category: 'Electricity' },
  packaging: { scope: '3', category: 'Category 1: Purchased goods and services' },
  transportation: { scope: '3', category: 'Category 4: Upstream transportation and distribution' },
}

const MILLIGRAMS_PER_KILOGRAM = whole(1_000_000)

/** Rounds kilograms half away from zero to whole milligrams: the one place where an emission is rounded. */
export const toMilligrams = (kilograms: Rational): Milligrams =>
  roundHalfAway(multiply(kilograms, MILLIGRAMS_PER_KILOGRAM))

/** Milligrams as kilograms in shortest decimal form: 9928900n is "9.9289". */
export const toKilograms = (emission: Milligrams): string =>
  emission < DOUBLE_MAX && emission > -DOUBLE_MAX ? String(Number(emission) / 1_000_000) : decimalOf(emission, 6)

/** Of up to fifteen digits a double is written as exactly those. */
const DOUBLE_MAX = 10n ** 15n

export const sumMilligrams = (emissions: Iterable<Milligrams>): Milligrams => {
  let total = 0n
  for (const emission of emissions) total += emission
  return total
}
