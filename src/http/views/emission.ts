// What responses say of an emission: its exact number, its interval, and a line with its labels.
import type { LineDescription } from '../../engine/estimate.ts'
import { EMISSION_UNIT, GHG_LABELS, toKilograms, type Milligrams, type Part } from '../../engine/numbers/emission.ts'
import type { ErrorSource } from '../../engine/uncertainty/lognormal.ts'
import { ERROR_MESSAGES } from '../../engine/uncertainty/messages.ts'
import { UNCERTAINTY_LEVEL, type Uncertainty } from '../../engine/uncertainty/uncertainty.ts'
import { exactNumber } from '../../strict-json/json-number.ts'
import { referenceView } from './message.ts'

const DECIMALS = 6

/** An emission as the number that responses have, exact to the milligram. */
export const kilogramsView = (emission: Milligrams): number => exactNumber(toKilograms(emission))

/** To six decimals. */
const rounded = (value: number): number => Number(value.toFixed(DECIMALS))

export const intervalView = ({ low, high, gsd }: Uncertainty) => ({
  low: kilogramsView(low),
  high: kilogramsView(high),
  level: UNCERTAINTY_LEVEL,
  kind: 'lognormal' as const,
  gsd: rounded(gsd),
})

export function errorView({ kind, logSd }: ErrorSource) {
  const name = ERROR_MESSAGES[kind]()
  return { name: name.message, name_message: referenceView(name), log_sd: rounded(logSd) }
}

export const lineView = ({ part, description, type }: LineDescription, emission: Milligrams) => ({
  description,
  emission: kilogramsView(emission),
  emission_unit: EMISSION_UNIT,
  ghg_category: GHG_LABELS[part].category,
  ghg_scope: GHG_LABELS[part].scope,
  type,
})

/** Lines by their parts. */
export const breakdownView = <View>(lines: Iterable<readonly [part: Part, line: View]>): Partial<Record<Part, View>> =>
  Object.fromEntries(lines)
