// The interval of a line or a total as JSON text, to be put beside it; only for those who ask for the calculation.
import type { Line } from '../engine/estimated-line.ts'
import { toKilograms } from '../engine/line.ts'
import { UNCERTAINTY_LEVEL, uncertaintyOf, uncertaintyOfSum, type Uncertainty } from '../engine/uncertainty.ts'

const GSD_DECIMALS = 6

/** A member with a comma before it. */
export const renderUncertaintyOfLine = (line: Line): string => renderUncertainty(uncertaintyOf(line))

/** A member with a comma before it, for the sum of the lines. */
export const renderUncertaintyOfSum = (lines: readonly Line[]): string => renderUncertainty(uncertaintyOfSum(lines))

const renderUncertainty = ({ low, high, gsd }: Uncertainty): string =>
  `,"uncertainty":{"low":${toKilograms(low)},"high":${toKilograms(high)},"level":${UNCERTAINTY_LEVEL},` +
  `"kind":"lognormal","gsd":${Number(gsd.toFixed(GSD_DECIMALS))}}`
