// The levels of the ladder fitted from the sheets: means and regressions, each tried on every sheet left out of it.
import { brandKey, productFamily } from '../../src/engine/reference/product-family.ts'
import { DEVICE_TYPES, type DeviceType, type FallbackLevel } from '../../src/engine/reference/reference-data.ts'
import {
  add,
  divide,
  parseDecimal,
  subtract,
  toDecimal,
  whole,
  ZERO,
  type Rational,
} from '../../src/engine/numbers/rational.ts'
import { rowsOf } from '../../src/reference-data/csv-table.ts'
import { readMatchLexicon } from '../../src/reference-data/read-lexicon.ts'
import { readTables } from '../../src/reference-data/validate-tables.ts'
import type { DatasetFiles } from '../../src/reference-data/files.ts'
import { regress } from './regression.ts'

export interface FittedDatasheet {
  readonly type: DeviceType
  readonly brand: string
  readonly family: string | null
  /** E, total less use: exactly, and in a double. */
  readonly exact: Rational
  readonly embodied: number
  readonly weightKg: number | null
  readonly screenInches: number | null
}

/** What stands in for a model, before it is known how far it may be off. */
export interface FittedFallback {
  readonly brand: string
  readonly family: string
  readonly sheets: number
  /** Kilograms of a mean; empty for a regression. */
  readonly embodied: string
  readonly coefficients: readonly string[]
  readonly weights: readonly number[]
  readonly screens: readonly number[]
}

/** One sheet against what all others of its group predict for it. */
export interface LevelCandidate {
  /** ln(true ÷ predicted). */
  readonly logError: number
}

export interface FittedLevel {
  readonly level: FallbackLevel
  readonly type: DeviceType | 'any'
  readonly rungs: readonly FittedFallback[]
  readonly trials: readonly LevelCandidate[]
  /** Root mean square of the log errors, for a regression about its geometric mean. */
  readonly logSd: number
}

const FEWEST_OF_FAMILY = 2
const FEWEST_OF_BRAND = 5
const FEWEST_OF_REGRESSION = 30
/** With fewer trials the spread of a level says more about chance than about the level. */
const FEWEST_TRIALS = 10
const MEAN_DECIMALS = 4
const COEFFICIENT_DECIMALS = 6
/**
 * Between the heaviest phone (0.304 kg) and the lightest tablet (0.305 kg) of the sheets. Below it, phones, headphones
 * and mere accessories weigh alike: a weight alone says too little of them.
 */
const WEIGHT_ALONE_FROM_KG = 0.3
/** A regression holds between these quantiles of what it was fitted from: the outermost sheets bear no weight. */
const RANGE = [0.01, 0.99] as const

export function readDatasheets(files: DatasetFiles): readonly FittedDatasheet[] {
  const number = (text: string | undefined) => (text ? Number(text) : null)
  const lexicon = readMatchLexicon(files)
  return rowsOf(readTables(files), 'devices/device-models.csv').flatMap(({ cells }): readonly FittedDatasheet[] => {
    const { total_kg_co2e: total, use_kg_co2e: use } = cells
    if (cells['in_type_default'] !== 'yes' || !total || !use) return []
    const exact = subtract(parseDecimal(total), parseDecimal(use))
    return [
      {
        type: cells['type'] as DeviceType,
        brand: cells['brand']!,
        family: productFamily(cells['name']!, cells['brand']!, lexicon),
        exact,
        embodied: Number(toDecimal(exact)),
        weightKg: number(cells['weight_kg']),
        screenInches: number(cells['screen_inches']),
      },
    ]
  })
}

/** All levels that the sheets support, best kind first. A level needs enough trials; that of the type always stands. */
export function fitLevels(sheets: readonly FittedDatasheet[]): readonly FittedLevel[] {
  const single = sheetsOfOneType(sheets)
  const levels = DEVICE_TYPES.flatMap((type) => {
    const own = sheets.filter((sheet) => sheet.type === type)
    return [
      meansBy(
        'family',
        type,
        single.filter((sheet) => sheet.type === type),
        ({ brand, family }) => [brand, family],
        FEWEST_OF_FAMILY,
      ),
      regression('brand-fit', type, own),
      meansBy('brand', type, own, ({ brand }) => [brand, ''], FEWEST_OF_BRAND),
      regression('type-fit', type, own),
      meansBy('type', type, own, () => ['', ''], 1),
    ]
  })
  return [...levels, regression('weight-fit', 'any', sheets)].flatMap((level) =>
    level && (level.trials.length >= FEWEST_TRIALS || level.level === 'type') ? [level] : [],
  )
}

/** A family name that devices of two types bear says too little. */
function sheetsOfOneType(sheets: readonly FittedDatasheet[]): readonly FittedDatasheet[] {
  const nameOf = ({ brand, family }: FittedDatasheet) => `${brandKey(brand)}/${family}`
  const types = Map.groupBy(sheets, nameOf)
  return sheets.filter(
    (sheet) => sheet.family !== null && new Set(types.get(nameOf(sheet))!.map(({ type }) => type)).size === 1,
  )
}

function meansBy(
  level: FallbackLevel,
  type: DeviceType,
  sheets: readonly FittedDatasheet[],
  groupOf: (sheet: FittedDatasheet) => readonly [brand: string, family: string | null],
  fewest: number,
): FittedLevel | null {
  const groups = [...Map.groupBy(sheets, (sheet) => JSON.stringify(groupOf(sheet))).values()].filter(
    (group) => group.length >= fewest,
  )
  if (groups.length === 0) return null
  const trials = groups.filter(({ length }) => length > 1).flatMap(tryMean)
  return { level, type, rungs: groups.map((group) => meanOf(groupOf(group[0]!), group)), trials, logSd: rms(trials) }
}

function meanOf([brand, family]: readonly [string, string | null], group: readonly FittedDatasheet[]): FittedFallback {
  const mean = divide(group.map(({ exact }) => exact).reduce(add, ZERO), whole(group.length))
  const embodied = toDecimal(mean, MEAN_DECIMALS)
  return { brand, family: family ?? '', sheets: group.length, embodied, coefficients: [], weights: [], screens: [] }
}

function tryMean(group: readonly FittedDatasheet[]): readonly LevelCandidate[] {
  const total = group.reduce((sum, { embodied }) => sum + embodied, 0)
  return group.map(({ embodied }) => ({
    logError: Math.log(embodied / ((total - embodied) / (group.length - 1))),
  }))
}

const rms = (trials: readonly LevelCandidate[]): number =>
  Math.sqrt(trials.reduce((sum, { logError }) => sum + logError ** 2, 0) / trials.length)

/** ln E by ln of the weight and, of one type, ln of the screen; by brand, each brand has a level of its own. */
function regression(
  level: FallbackLevel,
  type: DeviceType | 'any',
  sheets: readonly FittedDatasheet[],
): FittedLevel | null {
  const hasScreen = level !== 'weight-fit'
  const stated = sheets.filter(
    ({ weightKg, screenInches }) => weightKg !== null && (!hasScreen || screenInches !== null),
  )
  const byBrand = Map.groupBy(stated, ({ brand }) => (level === 'brand-fit' ? brand : ''))
  const groups = [...byBrand].filter(([, { length }]) => length >= FEWEST_OF_BRAND)
  const brands = groups.map(([brand]) => brand)
  const sample = groups.flatMap(([, group]) => group)
  if (sample.length < FEWEST_OF_REGRESSION) return null
  const slopesOf = (sheet: FittedDatasheet) => [
    Math.log(sheet.weightKg!),
    ...(hasScreen ? [Math.log(sheet.screenInches!)] : []),
  ]
  const indicators = (sheet: FittedDatasheet) =>
    brands.map((brand) => (brand === (level === 'brand-fit' ? sheet.brand : '') ? 1 : 0))
  // Where the type is not known, laptops must not outvote phones: there, each type has the same say in all.
  const ofType = Map.groupBy(sample, (sheet) => (hasScreen ? '' : sheet.type))
  const says = sample.map((sheet) => Math.sqrt(1 / ofType.get(hasScreen ? '' : sheet.type)!.length))
  const rows = sample.map((sheet) => [...indicators(sheet), ...slopesOf(sheet)])
  const { coefficients, leftOut } = regress(
    rows,
    sample.map(({ embodied }) => Math.log(embodied)),
    says,
  )
  const slopes = coefficients.slice(brands.length)
  // A heavier or larger device that emits less is a sample in which two things go together, not a law.
  if (slopes.some((slope) => slope <= 0)) return null
  const logSd = rms(leftOut.map((logError) => ({ logError })))
  const rungs = groups.map(([brand, group], at) => ({
    brand,
    family: '',
    sheets: group.length,
    embodied: '',
    coefficients: [coefficients[at]!, ...slopes].map((value) => value.toFixed(COEFFICIENT_DECIMALS)),
    weights: hasScreen ? weightsOf(group) : [WEIGHT_ALONE_FROM_KG, weightsOf(group)[1]!],
    screens: hasScreen ? rangeOf(group.map(({ screenInches }) => screenInches!)) : [],
  }))
  // What is published is the arithmetic mean, which lies σ² ÷ 2 above the geometric one.
  const trials = leftOut.flatMap((residual, at) =>
    hasScreen || sample[at]!.weightKg! >= WEIGHT_ALONE_FROM_KG ? [{ logError: residual - logSd ** 2 / 2 }] : [],
  )
  return { level, type, rungs, trials, logSd }
}

const weightsOf = (group: readonly FittedDatasheet[]): readonly number[] =>
  rangeOf(group.map(({ weightKg }) => weightKg!))

function rangeOf(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return RANGE.map((share) => sorted[Math.round(share * (sorted.length - 1))]!)
}
