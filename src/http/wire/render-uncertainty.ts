// The interval of a line or a total as JSON text, to be put beside it; only for those who ask for the calculation.
import type { EmissionLine } from '../../engine/estimate.ts'
import type { DeviceModel } from '../../engine/reference/reference-data.ts'
import { toKilograms, toMilligrams } from '../../engine/numbers/emission.ts'
import type { ErrorSource } from '../../engine/uncertainty/lognormal.ts'
import {
  UNCERTAINTY_LEVEL,
  intervalAround,
  errorSources,
  datasheetError,
  uncertaintyOf,
  uncertaintyOfSum,
  type Uncertainty,
} from '../../engine/uncertainty/uncertainty.ts'

const DECIMALS = 6

/** A member with a comma before it. */
export const lineUncertaintyView = (line: EmissionLine): string =>
  renderUncertainty(uncertaintyOf(line), `,"from":[${errorSources(line.working).map(renderError).join(',')}]`)

const rounded = (value: number): number => Number(value.toFixed(DECIMALS))

const renderError = ({ name, logSd }: ErrorSource): string =>
  `{"name":${JSON.stringify(name)},"log_sd":${rounded(logSd)}}`

/** A member with a comma before it, for what a device emits over its whole life. */
export function modelUncertaintyView(model: DeviceModel): string {
  const error = datasheetError(model)
  const footprint = toMilligrams((model.total ?? model.production)!)
  return renderUncertainty(intervalAround(footprint, error.logSd), `,"from":[${renderError(error)}]`)
}

/** A member with a comma before it, for the sum of the lines. */
export const totalUncertaintyView = (lines: readonly EmissionLine[]): string =>
  renderUncertainty(uncertaintyOfSum(lines), '')

const renderUncertainty = (uncertainty: Uncertainty, from: string): string =>
  `,"uncertainty":${intervalView(uncertainty, from)}`

/** @param from a member with a comma before it */
export const intervalView = ({ low, high, gsd }: Uncertainty, from = ''): string =>
  `{"low":${toKilograms(low)},"high":${toKilograms(high)},"level":${UNCERTAINTY_LEVEL},` +
  `"kind":"lognormal","gsd":${rounded(gsd)}${from}}`
