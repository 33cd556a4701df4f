// The fitted stand-ins that a receipt rests on: printed exactly, and read again to be computed with.
import { DEVICE_TYPES, FALLBACK_LEVELS, type Fallback, type Source } from '../engine/reference/reference-data.ts'
import { ZERO, rational, toExactText, whole, type Rational } from '../engine/numbers/rational.ts'
import type { Decoder } from './tree-node.ts'

/** A row of `fallbacks`: what its emission is computed from, and no more. */
export const printFallback = (
  { level, type, brand, family, embodied, regression, source }: Fallback,
  no: SourceNo,
) => ({
  level,
  type,
  brand: brand ?? undefined,
  family: family ?? undefined,
  unit: 'kgCO2e/device',
  embodied: embodied ? toExactText(embodied) : undefined,
  regression: regression
    ? {
        intercept: toExactText(regression.intercept),
        per_ln_weight: toExactText(regression.perLnWeight),
        per_ln_screen: regression.perLnScreen ? toExactText(regression.perLnScreen) : undefined,
        log_sd: toExactText(regression.logSd),
      }
    : undefined,
  source: no(source),
})

type SourceNo = (source: Source) => number

/** @throws DecodeError where a figure is not what it has to be */
export function readFallback(row: Decoder, sourceOf: (figure: Decoder) => Source): Fallback {
  const level = row.get('level').oneOf(FALLBACK_LEVELS)
  const regression = row.get('regression').maybe(readRegression)
  return {
    level,
    type: row.get('type').oneOf([...DEVICE_TYPES, 'any']),
    brand: isOfBrand(level) ? row.get('brand').text() : null,
    family: level === 'family' ? row.get('family').text() : null,
    embodied: regression ? null : row.get('embodied').exact(),
    regression,
    sheets: 0,
    intervalLogSd: ZERO,
    source: sourceOf(row),
  }
}

const isOfBrand = (level: Fallback['level']): boolean => ['family', 'brand-fit', 'brand'].includes(level)

/** The range of a regression decided whether it was taken. What was taken stands in the basis, within these. */
const ANY_MEASURE = [rational(1n, 1000n), whole(1000)] as const

function readRegression(row: Decoder): NonNullable<Fallback['regression']> {
  const perLnScreen = row.get('per_ln_screen').maybe(coefficient)
  return {
    intercept: coefficient(row.get('intercept')),
    perLnWeight: coefficient(row.get('per_ln_weight')),
    perLnScreen,
    logSd: coefficient(row.get('log_sd')),
    weightKg: ANY_MEASURE,
    screenInches: perLnScreen && ANY_MEASURE,
  }
}

/** Larger ones have no exponential that is worth computing. */
const COEFFICIENT_MAX = 10n

function coefficient(node: Decoder): Rational {
  const value = node.exact()
  const { numerator, denominator } = value
  if (numerator < 0n || numerator > COEFFICIENT_MAX * denominator) throw node.fault(`0 to ${COEFFICIENT_MAX}`)
  return value
}
