// Kilograms: their unit, sums of them that are exact to the milligram, and such sums as a formula.

export const KG = 'kg CO₂e'

const MILLIGRAMS = 1_000_000
export const toMilligrams = (kilograms: number): number => Math.round(kilograms * MILLIGRAMS)

/** In whole milligrams: doubles of kilograms would not add up to exactly that. */
export const sumOfKilograms = (all: readonly number[]): number =>
  all.reduce((sum, kilograms) => sum + toMilligrams(kilograms), 0) / MILLIGRAMS

/** Without the digits that are the doubles' own. */
export const plain = (kilograms: number): number => Number(kilograms.toFixed(6))

/** What is below 0 is subtracted. */
export const sumAsText = (summands: readonly (number | string)[], sum: number | string): string =>
  `${summands.join(' + ').replaceAll('+ -', '− ')} = ${sum}`
