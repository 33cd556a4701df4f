// The pedigree of a figure: how much wider its spread is for where it comes from. METHODOLOGY.md#uncertainty

/** GSD² of the scores 1 to 5, first matrix of ecoinvent. */
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

/** GSD² of what is known ever so well: of energy and materials, and of the services of carriers. */
export const BASIC_MATERIALS = 1.05
export const BASIC_TRANSPORT = 2

/**
 * Standard deviation of the logarithm: half of √Σ ln², since the matrix holds GSD².
 * @param scores 1 where none is given
 * @param basic GSD² that the figure has by its kind, 1 or more
 */
export function pedigreeLogSd(scores: Pedigree, basic = 1): number {
  const indicators = Object.keys(MATRIX) as (keyof typeof MATRIX)[]
  return Math.hypot(...indicators.map((one) => Math.log(MATRIX[one][(scores[one] ?? 1) - 1]!)), Math.log(basic)) / 2
}

/** Years between a figure and what it is taken for: fewer than 3, 6, 10, 15, or more. */
export function temporalScore(years: number): Score {
  if (years < 3) return 1
  if (years < 6) return 2
  if (years < 10) return 3
  return years < 15 ? 4 : 5
}
