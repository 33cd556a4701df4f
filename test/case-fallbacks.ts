// The formulas of worked examples about stand-ins and spread: regressions, pedigrees, intervals, sums and quality.
import { dataQualityRating, primaryDataShare } from '../src/engine/uncertainty/data-quality.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { footprintById } from '../src/engine/reference/footprint.ts'
import { arithmeticMean, geometricMean } from '../src/engine/reference/fallback.ts'
import { toKilograms, toMilligrams } from '../src/engine/numbers/emission.ts'
import {
  combine,
  intervalOf,
  standardDeviation,
  sumSpreadFirstOrder,
  type UncertainMean,
  type MeanAndSpread,
} from '../src/engine/uncertainty/lognormal.ts'
import { pedigreeLogSd, type Score } from '../src/engine/uncertainty/pedigree.ts'
import {
  ONE,
  divide,
  multiply,
  parseDecimal as exact,
  toDecimal,
  whole,
  type Rational,
} from '../src/engine/numbers/rational.ts'
import { propagateSum } from '../src/engine/uncertainty/error-propagation.ts'

type Decimal = string

const fixed = (value: number, decimals: number): Decimal => value.toFixed(decimals)
const logOf = (gsd: Decimal): number => Math.log(Number(gsd))
const LOG_DECIMALS = 12

/** Both ends round a geometric mean: of it as of the arithmetic mean that belongs to it. */
function regression(given: {
  readonly intercept: Decimal
  readonly per_ln_weight: Decimal
  readonly per_ln_screen: Decimal
  readonly gsd: Decimal
  readonly weight_kg: Decimal
  readonly screen_inches: Decimal
}) {
  const [weight, screen] = [exact(given.weight_kg), exact(given.screen_inches)]
  const fit = {
    intercept: exact(given.intercept),
    perLnWeight: exact(given.per_ln_weight),
    perLnScreen: exact(given.per_ln_screen),
    logSd: exact(logOf(given.gsd).toFixed(LOG_DECIMALS)),
    weightKg: [weight, weight] as const,
    screenInches: [screen, screen] as const,
  }
  const mean = arithmeticMean(fit, weight, screen)
  const { low, high } = intervalOf(logOf(given.gsd))
  return {
    geometric_mean: toDecimal(geometricMean(fit, weight, screen), 4),
    low: fixed(Number(toDecimal(mean)) * low, 2),
    high: fixed(Number(toDecimal(mean)) * high, 2),
  }
}

const interval = (given: { readonly geometric_mean: Decimal; readonly gsd: Decimal }) => {
  const mean = Number(given.geometric_mean) * Math.exp(logOf(given.gsd) ** 2 / 2)
  const { low, high } = intervalOf(logOf(given.gsd))
  return { low: fixed(mean * low, 3), high: fixed(mean * high, 3) }
}

const INDICATORS = ['reliability', 'completeness', 'temporal', 'geographical', 'technological', 'sampleSize'] as const

const pedigree = (given: { readonly scores: readonly Score[]; readonly basic: Decimal }) => {
  const scores = Object.fromEntries(INDICATORS.map((indicator, at) => [indicator, given.scores[at]!]))
  const logSd = pedigreeLogSd(scores, Number(given.basic))
  return { gsd_squared: fixed(Math.exp(2 * logSd), 6), gsd: fixed(Math.exp(logSd), 6) }
}

interface Sum {
  readonly lines: readonly { readonly mean: Decimal; readonly gsd: Decimal; readonly factor: string }[]
}

const spreads = ({ lines }: Sum) => lines.map(({ mean, gsd }) => ({ mean: Number(mean), logSd: logOf(gsd) }))

const unsure = ({ lines }: Sum): readonly UncertainMean[] =>
  lines.map(({ mean, gsd, factor }) => ({ mean: Number(mean), errors: [{ factor, name: factor, logSd: logOf(gsd) }] }))

const shown = (spread: MeanAndSpread) => {
  const { low, high } = intervalOf(spread.logSd)
  return {
    mean: fixed(spread.mean, 4),
    standard_deviation: fixed(standardDeviation(spread), 6),
    gsd: fixed(Math.exp(spread.logSd), 6),
    low: fixed(spread.mean * low, 4),
    high: fixed(spread.mean * high, 4),
  }
}

const firstOrder = (given: Sum) => ({ gsd: fixed(Math.exp(sumSpreadFirstOrder(spreads(given)).logSd), 6) })

const product = ({ gsds }: { readonly gsds: readonly Decimal[] }) => ({
  gsd: fixed(Math.exp(combine(...gsds.map(logOf))), 6),
})

const repeated = (given: { readonly mean: Decimal; readonly gsd: Decimal; readonly times: number }) => {
  const line = { mean: Number(given.mean), logSd: logOf(given.gsd) }
  const gsdOf = (factorOf: (at: number) => string) => {
    const rentals = Array.from({ length: given.times }, (_, at) => {
      const factor = factorOf(at)
      return { mean: line.mean, errors: [{ factor, name: factor, logSd: line.logSd }] }
    })
    return fixed(Math.exp(propagateSum(rentals).logSd), 6)
  }
  return { gsd_of_one_model: gsdOf(() => 'one'), gsd_of_different_models: gsdOf(String) }
}

/** Random numbers that are the same on every machine: xorshift of 32 bits, taken for uniform. */
function* uniform(seed: number): Generator<number, never> {
  let state = seed
  while (true) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    yield ((state >>> 0) + 0.5) / 2 ** 32
  }
}

/** Draws sums of lognormals and says whether they lie as the sum's own spread has them, within a tolerance. */
function simulated(given: Sum & { readonly draws: number; readonly seed: number; readonly tolerance: Decimal }) {
  const random = uniform(given.seed)
  const normal = () => Math.sqrt(-2 * Math.log(random.next().value)) * Math.cos(2 * Math.PI * random.next().value)
  const lines = spreads(given)
  const draws = Array.from({ length: given.draws }, () =>
    lines.reduce((sum, { mean, logSd }) => sum + mean * Math.exp(logSd * normal() - logSd ** 2 / 2), 0),
  ).sort((a, b) => a - b)
  const spread = propagateSum(unsure(given))
  const { low, high } = intervalOf(spread.logSd)
  const tail = Math.round(0.025 * given.draws)
  const pairs = [
    [draws.reduce((sum, one) => sum + one, 0) / given.draws, spread.mean],
    [draws[tail]!, spread.mean * low],
    [draws[given.draws - 1 - tail]!, spread.mean * high],
  ] as const
  return { agrees: pairs.map(([drawn, own]) => Math.abs(drawn / own - 1) <= Number(given.tolerance)) }
}

const quality = ({
  lines,
}: {
  readonly lines: readonly { readonly emission: Decimal; readonly score: Decimal }[]
}) => ({
  rating: toDecimal(
    dataQualityRating(lines.map(({ emission, score }) => ({ emission: exact(emission), score: exact(score) }))),
    6,
  ),
})

const primary = (given: {
  readonly lines: readonly { readonly emission: Decimal; readonly is_primary: boolean }[]
}) => ({
  percent: toDecimal(
    primaryDataShare(given.lines.map((line) => ({ emission: exact(line.emission), isPrimary: line.is_primary }))),
    4,
  ),
})

/** A rental of a device of which only the type is known, by a mean and a use share of its own. */
function byType(
  given: {
    readonly embodied: Decimal
    readonly use_share: Decimal
    readonly lifetime_months: number
    readonly tenure_months: number
  },
  book: ReferenceData,
) {
  const typeDefault = {
    ...book.typeDefaults.get('laptop')!,
    embodied: exact(given.embodied),
    useShare: exact(given.use_share),
    lifetimeMonths: given.lifetime_months,
  }
  const footprint = footprintById('type:laptop', ONE, { ...book, typeDefaults: new Map([['laptop', typeDefault]]) })
  const share = (pool: Rational) =>
    toKilograms(toMilligrams(divide(multiply(pool, whole(given.tenure_months)), footprint.lifetimeMonths)))
  return { embodied: share(footprint.embodied), use: share(footprint.useOverLifetime!), type: footprint.embodiedType }
}

export const FALLBACK_FORMULAS: readonly (readonly [string, (given: never, book: ReferenceData) => unknown])[] = [
  ['regression', regression],
  ['interval', interval],
  ['pedigree', pedigree],
  ['spread-of-sum', (given: Sum) => shown(propagateSum(unsure(given)))],
  ['spread-of-sum-first-order', firstOrder],
  ['spread-of-sum-simulated', simulated],
  ['spread-of-product', product],
  ['spread-of-rentals', repeated],
  ['data-quality', quality],
  ['primary-data', primary],
  ['stand-in-by-type', byType],
]
