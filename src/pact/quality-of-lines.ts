// Data quality and interval of a footprint, from the calculation bases of its lines. METHODOLOGY.md#uncertainty
import type { Milligrams } from '../engine/numbers/emission.ts'
import { propagateSum } from '../engine/uncertainty/error-propagation.ts'
import { intervalAround } from '../engine/uncertainty/uncertainty.ts'
import type { CalculationBasis } from '../statements/statement.ts'
import type { DataQuality } from './product-footprint.ts'

/** An emission and what it rests on. */
export interface WeightedBasis {
  readonly basis: CalculationBasis
  readonly emission: Milligrams
}

type WeightedQuality = Pick<WeightedBasis, 'emission'> & { readonly basis: Pick<CalculationBasis, 'data_quality'> }

const weightOf = ({ emission }: WeightedQuality): number => Math.abs(Number(emission))

/** Mean of the scores by emission, 1 (best) to 5, with 2 decimals; null if nothing is emitted. */
export function dataQualityOf(lines: readonly WeightedQuality[]): DataQuality | null {
  const total = lines.reduce((sum, line) => sum + weightOf(line), 0)
  if (total === 0) return null
  const mean = (score: (basis: WeightedQuality['basis']) => number): string =>
    (lines.reduce((sum, line) => sum + weightOf(line) * score(line.basis), 0) / total).toFixed(2)
  return {
    technologicalDQR: mean(({ data_quality: { technological } }) => technological),
    temporalDQR: mean(({ data_quality: { temporal } }) => temporal),
    geographicalDQR: mean(({ data_quality: { geographical } }) => geographical),
  }
}

/** Interval that contains the true sum in 95 of 100 cases, in milligrams; null if nothing is emitted. */
export function intervalOfLines(
  lines: readonly WeightedBasis[],
): { readonly low: Milligrams; readonly high: Milligrams } | null {
  const emitting = lines.filter(({ emission }) => emission !== 0n)
  if (emitting.length === 0) return null
  const uncertain = emitting.map(({ basis, emission }) => ({
    mean: Number(emission),
    errors: basis.errors.map(({ factor, log_sd: logSd }) => ({ factor, logSd })),
  }))
  const { low, high } = intervalAround(
    emitting.reduce((sum, { emission }) => sum + emission, 0n),
    propagateSum(uncertain).logSd,
  )
  return { low: outward(low, Math.floor), high: outward(high, Math.ceil) }
}

const END_DIGITS = 4

/** Four significant digits: the last digits of a logarithm differ between machines. */
function outward(emission: Milligrams, round: (value: number) => number): Milligrams {
  if (emission === 0n) return 0n
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(Number(emission)))) + 1 - END_DIGITS)
  return BigInt(round(Number(emission) / unit) * unit)
}
