// The pedigree of a figure: how much its origin adds to its spread. METHODOLOGY.md#uncertainty

/** GSD² for the scores 1 to 5, from the first ecoinvent matrix. */
const MATRIX = {
  reliability: [1, 1.05, 1.1, 1.2, 1.5],
  completeness: [1, 1.02, 1.05, 1.1, 1.2],
  temporal: [1, 1.03, 1.1, 1.2, 1.5],
  geographical: [1, 1.01, 1.02, 1.02, 1.1],
  technological: [1, 1, 1.2, 1.5, 2],
  sampleSize: [1, 1.02, 1.05, 1.1, 1.2],
} as const

/** 1 is best, 5 is worst. */
export type Score = 1 | 2 | 3 | 4 | 5
export type Pedigree = Readonly<Partial<Record<keyof typeof MATRIX, Score>>>

/** Basic GSD², which remains even for well-known figures: for energy and materials, and for transport services. */
export const BASIC_MATERIALS = 1.05
export const BASIC_TRANSPORT = 2

/**
 * Standard deviation of the logarithm: half of √Σ ln², since the matrix contains GSD².
 * @param scores a missing score counts as 1
 * @param basic GSD² of the kind of figure, 1 or more
 */
export function pedigreeLogSd(scores: Pedigree, basic = 1): number {
  const indicators = Object.keys(MATRIX) as (keyof typeof MATRIX)[]
  return Math.hypot(...indicators.map((one) => Math.log(MATRIX[one][(scores[one] ?? 1) - 1]!)), Math.log(basic)) / 2
}

/** Score by the years between a figure and the year it is used for: fewer than 3, 6, 10, 15, or more. */
export function temporalScore(years: number): Score {
  if (years < 3) return 1
  if (years < 6) return 2
  if (years < 10) return 3
  return years < 15 ? 4 : 5
}
