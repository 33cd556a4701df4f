// The ladder of stand-ins for a model that is not known: which of them hold for a product, and what each comes to.
import type { DeviceType, FactorBook, Fallback, FallbackRegression } from './factor-book.ts'
import { brandKey } from './family.ts'
import { exp, ln } from './logarithm.ts'
import {
  add,
  compare,
  divide,
  multiply,
  parseDecimal,
  roundHalfAway,
  ratio,
  toDecimal,
  whole,
  type Ratio,
} from './ratio.ts'

/** What is known of a product whose model is not. */
export interface Traits {
  /** The brand's key, as `brandKey` makes it. */
  readonly brand: string | null
  readonly family: string | null
  readonly deviceType: DeviceType | null
  /** kg, greater than 0. */
  readonly weightKg: Ratio
  /** Diagonal, greater than 0; null where the text names none. */
  readonly screenInches: Ratio | null
}

/** What a fallback is found by in a book: `family:apple/macbook-air`, `brand-fit:dell/laptop`, `weight-fit`. */
export function fallbackKey({
  level,
  type,
  brand,
  family,
}: Pick<Fallback, 'level' | 'type' | 'brand' | 'family'>): string {
  switch (level) {
    case 'family':
      return `family:${brandKey(brand!)}/${family!}`
    case 'brand-fit':
    case 'brand':
      return `${level}:${brandKey(brand!)}/${type}`
    case 'type-fit':
    case 'type':
      return `${level}:${type}`
    case 'weight-fit':
      return level
  }
}

/** A family's name of so few letters is a code that another type of device may bear too. */
const CODE_LETTERS_MAX = 2

/**
 * The basis of the best stand-in that holds: of all levels whose conditions are met, the one with the smallest spread;
 * of equal ones the first of the ladder. Null where none holds. METHODOLOGY.md#fallbacks
 */
export function bestFallback(traits: Traits, { fallbacks }: Pick<FactorBook, 'fallbacks'>): string | null {
  const holding = keysFor(traits).flatMap((key) => {
    const fallback = fallbacks.get(key)
    return fallback && holds(fallback, traits) ? [{ key, fallback }] : []
  })
  const [first, ...others] = holding
  if (!first) return null
  const best = others.reduce(
    (best, one) => (compare(one.fallback.intervalLogSd, best.fallback.intervalLogSd) < 0 ? one : best),
    first,
  )
  return best.fallback.regression ? `${best.key}@${measures(best.fallback.regression, traits)}` : best.key
}

/** The keys that a product's traits lead to, best level first. */
function keysFor({ brand, family, deviceType }: Traits): readonly string[] {
  return [
    ...(brand && family && (deviceType || family.length > CODE_LETTERS_MAX) ? [`family:${brand}/${family}`] : []),
    ...(brand && deviceType ? [`brand-fit:${brand}/${deviceType}`, `brand:${brand}/${deviceType}`] : []),
    ...(deviceType ? [`type-fit:${deviceType}`, `type:${deviceType}`] : ['weight-fit']),
  ]
}

function holds({ type, regression }: Fallback, { deviceType, weightKg, screenInches }: Traits): boolean {
  if (deviceType !== null && type !== deviceType) return false
  if (!regression) return true
  if (!isWithin(weightKg, regression.weightKg)) return false
  return regression.screenInches === null || (screenInches !== null && isWithin(screenInches, regression.screenInches))
}

const isWithin = (value: Ratio, [min, max]: readonly [Ratio, Ratio]): boolean =>
  compare(value, min) >= 0 && compare(value, max) <= 0

/** What a regression is evaluated at is part of the basis, so that the same words always give the same figure. */
function measures({ perLnScreen }: FallbackRegression, { weightKg, screenInches }: Traits): string {
  return `${toDecimal(weightKg)}kg${perLnScreen && screenInches ? `,${toDecimal(screenInches)}in` : ''}`
}

/** A stand-in as a basis names it, with what its regression is evaluated at. */
export interface FoundFallback {
  readonly key: string
  readonly fallback: Fallback
  readonly weightKg: Ratio | null
  readonly screenInches: Ratio | null
}

const MEASURES = /^(?<weight>\d+(?:\.\d+)?)kg(?:,(?<screen>\d+(?:\.\d+)?)in)?$/

/** The stand-in that a basis names, or null where the book has none of that name. */
export function findFallback(basis: string, { fallbacks }: Pick<FactorBook, 'fallbacks'>): FoundFallback | null {
  const [key, text] = basis.split('@') as [string, string | undefined]
  const fallback = fallbacks.get(key)
  if (!fallback) return null
  const { regression } = fallback
  if (!regression || text === undefined) {
    return regression || text !== undefined ? null : { key, fallback, weightKg: null, screenInches: null }
  }
  const { weight, screen } = MEASURES.exec(text)?.groups ?? {}
  if (!weight || (regression.perLnScreen !== null) !== (screen !== undefined)) return null
  const [weightKg, screenInches] = [parseDecimal(weight), screen === undefined ? null : parseDecimal(screen)]
  const isRight =
    isWithin(weightKg, regression.weightKg) && (!screenInches || isWithin(screenInches, regression.screenInches!))
  return isRight ? { key, fallback, weightKg, screenInches } : null
}

/** E of a stand-in, kg CO2e per device. A regression's is rounded to whole milligrams. */
export const embodiedOf = ({ fallback, weightKg, screenInches }: FoundFallback): Ratio =>
  fallback.regression ? arithmeticMean(fallback.regression, weightKg!, screenInches) : fallback.embodied!

/** exp(intercept + slopes × logarithms): the geometric mean, kg CO2e per device, to 20 decimals. */
export const geometricMean = (regression: FallbackRegression, weightKg: Ratio, screenInches: Ratio | null): Ratio =>
  exp(exponentOf(regression, weightKg, screenInches))

/** The geometric mean times exp(σ² ÷ 2), which is what adds up in sums. METHODOLOGY.md#fallbacks */
export function arithmeticMean(regression: FallbackRegression, weightKg: Ratio, screenInches: Ratio | null): Ratio {
  const half = divide(multiply(regression.logSd, regression.logSd), whole(2))
  const mean = exp(add(exponentOf(regression, weightKg, screenInches), half))
  return ratio(roundHalfAway(multiply(mean, MILLIGRAMS)), MILLIGRAMS.numerator)
}

const MILLIGRAMS = whole(1_000_000)

function exponentOf(regression: FallbackRegression, weightKg: Ratio, screenInches: Ratio | null): Ratio {
  const { intercept, perLnWeight, perLnScreen } = regression
  const byWeight = add(intercept, multiply(perLnWeight, ln(weightKg)))
  return perLnScreen && screenInches ? add(byWeight, multiply(perLnScreen, ln(screenInches))) : byWeight
}
