// Fallbacks for products without a known model: which ones apply to a product's attributes, and their values.
import { expandBrand, normalisedWords } from '../matching/brand.ts'
import type { MatchLexicon } from '../matching/match-lexicon.ts'
import { NO_DEVICE } from '../matching/product-lines.ts'
import { readType, type TypeReading } from '../matching/type-reading.ts'
import { exp, ln } from '../numbers/logarithm.ts'
import {
  add,
  compare,
  divide,
  multiply,
  parseDecimal,
  rational,
  roundHalfAway,
  toExactText,
  whole,
  type Rational,
} from '../numbers/rational.ts'
import type { Product } from '../order.ts'
import { brandKey, productFamily } from './product-family.ts'
import type { DeviceType, Fallback, FallbackRegression, KnownDevice, ReferenceData } from './reference-data.ts'

/** What is known of a product whose model is unknown. */
export interface ProductTraits {
  /** The brand's key, from `brandKey`. */
  readonly brand: string | null
  readonly family: string | null
  readonly deviceType: DeviceType | null
  /** kg, greater than 0. */
  readonly weightKg: Rational
  /** Diagonal, greater than 0; null if the text names none. */
  readonly screenInches: Rational | null
}

/** The key of a fallback in the reference data: `family:apple/macbook-air`, `brand-fit:dell/laptop`, `weight-fit`. */
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

/** A family name of at most this many letters is a code that other types of device may also have. */
const CODE_LETTERS_MAX = 2

/**
 * The basis of the best applicable fallback: among all levels whose conditions are met, the one with the smallest
 * spread; in a tie, the earlier level. Null if none applies. METHODOLOGY.md#fallbacks
 */
export function selectFallback(traits: ProductTraits, { fallbacks }: Pick<ReferenceData, 'fallbacks'>): string | null {
  const holding = keysFor(traits, fallbacks).flatMap((key) => {
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

/** The keys for a product's traits, best level first. */
function keysFor(
  { brand, family, deviceType }: ProductTraits,
  fallbacks: ReferenceData['fallbacks'],
): readonly string[] {
  const families =
    brand && family && (deviceType || family.length > CODE_LETTERS_MAX) ? [`family:${brand}/${family}`] : []
  if (!deviceType) return [...families, 'weight-fit']
  const [fit, mean] = [`brand-fit:${brand}/${deviceType}`, `brand:${brand}/${deviceType}`]
  // A brand with its own regression or mean differs from other brands, so the regression of the type, fitted to all
  // brands, does not apply to it.
  const isOther = fallbacks.has(mean) || fallbacks.has(fit)
  return [...families, fit, mean, ...(isOther ? [] : [`type-fit:${deviceType}`]), `type:${deviceType}`]
}

function holds({ level, type, regression }: Fallback, { deviceType, weightKg, screenInches }: ProductTraits): boolean {
  if (deviceType !== null && type !== deviceType) return false
  if (!regression || isScaled(level, regression)) return true
  if (!isWithin(weightKg, regression.weightKg)) return false
  return regression.screenInches === null || (screenInches !== null && isWithin(screenInches, regression.screenInches))
}

/**
 * True for a regression on the weight alone, of any type or with the slope of any: beyond its range, its value is
 * scaled in proportion to the weight, as there is nothing better.
 */
const isScaled = (level: Fallback['level'], { perLnScreen }: FallbackRegression): boolean =>
  level === 'weight-fit' || perLnScreen === null

const isWithin = (value: Rational, [min, max]: readonly [Rational, Rational]): boolean =>
  compare(value, min) >= 0 && compare(value, max) <= 0

/** The values at which a regression is evaluated are part of the basis, so that it always gives the same figure. */
function measures(
  { perLnScreen, weightKg: range }: FallbackRegression,
  { weightKg, screenInches }: ProductTraits,
): string {
  const end = nearestIn(range, weightKg)
  const beyond = end === weightKg ? '' : `,from ${toExactText(end)}kg`
  return `${toExactText(weightKg)}kg${beyond}${perLnScreen && screenInches ? `,${toExactText(screenInches)}in` : ''}`
}

const nearestIn = ([least, most]: readonly [Rational, Rational], value: Rational): Rational =>
  compare(value, least) < 0 ? least : compare(value, most) > 0 ? most : value

const KNOWN = /^known:(?<id>[a-z0-9-]+)\/(?<inner>.+)$/

/** The basis of a known device: its id, and the fallback that gives its embodied emission. */
export const knownBasis = ({ id }: KnownDevice, inner: string): string => `known:${id}/${inner}`

/** The basis of the embodied emission: that behind a known device, else the basis itself. */
export const innerBasis = (basis: string): string => KNOWN.exec(basis)?.groups!['inner'] ?? basis

/** The known device that a basis names; null if it names none, or one that the reference data lacks. */
export const knownOfBasis = (
  basis: string,
  { knownDevices }: Pick<ReferenceData, 'knownDevices'>,
): KnownDevice | null => knownDevices.get(KNOWN.exec(basis)?.groups!['id'] ?? '') ?? null

/** True if a basis names a known device, whether the reference data has it or not. */
export const namesKnownDevice = (basis: string): boolean => KNOWN.test(basis)

/** A fallback as named by a basis, with the values at which its regression is evaluated. */
export interface EvaluatedFallback {
  readonly key: string
  readonly fallback: Fallback
  readonly weightKg: Rational | null
  /** The end of the regression's range from which its value is scaled; null within the range. */
  readonly beyondKg: Rational | null
  readonly screenInches: Rational | null
}

const NUMBER = String.raw`\d+(?:\.\d+)?`
const MEASURES = new RegExp(`^(?<weight>${NUMBER})kg(?:,from (?<end>${NUMBER})kg)?(?:,(?<screen>${NUMBER})in)?$`)

/** The fallback that a basis names, or null if the reference data has none of that name. */
export function fallbackById(basis: string, { fallbacks }: Pick<ReferenceData, 'fallbacks'>): EvaluatedFallback | null {
  const [key, text] = innerBasis(basis).split('@') as [string, string | undefined]
  const fallback = fallbacks.get(key)
  if (!fallback) return null
  const { regression } = fallback
  if (!regression || text === undefined) {
    const isMean = !regression && text === undefined
    return isMean ? { key, fallback, weightKg: null, beyondKg: null, screenInches: null } : null
  }
  const { weight, end, screen } = MEASURES.exec(text)?.groups ?? {}
  if (!weight || (regression.perLnScreen !== null) !== (screen !== undefined)) return null
  if (end !== undefined && !isScaled(fallback.level, regression)) return null
  const [weightKg, beyondKg, screenInches] = [parseDecimal(weight), parsed(end), parsed(screen)]
  const isRight =
    isWithin(beyondKg ?? weightKg, regression.weightKg) &&
    weightKg.numerator > 0n &&
    (!screenInches || isWithin(screenInches, regression.screenInches!))
  return isRight ? { key, fallback, weightKg, beyondKg, screenInches } : null
}

const parsed = (text: string | undefined): Rational | null => (text === undefined ? null : parseDecimal(text))

/** E of a fallback, kg CO2e per device. The result of a regression is rounded to whole milligrams. */
export function predictEmbodied({ fallback, weightKg, beyondKg, screenInches }: EvaluatedFallback): Rational {
  const { regression, embodied } = fallback
  if (!regression) return embodied!
  const mean = arithmeticMean(regression, beyondKg ?? weightKg!, screenInches)
  return beyondKg ? inMilligrams(divide(multiply(mean, weightKg!), beyondKg)) : mean
}

/** exp(intercept + slopes × logarithms): the geometric mean, kg CO2e per device, to 20 decimals. */
export const geometricMean = (
  regression: FallbackRegression,
  weightKg: Rational,
  screenInches: Rational | null,
): Rational => exp(exponentOf(regression, weightKg, screenInches))

/** The geometric mean times exp(σ² ÷ 2), which is the mean suited to sums. METHODOLOGY.md#fallbacks */
export function arithmeticMean(
  regression: FallbackRegression,
  weightKg: Rational,
  screenInches: Rational | null,
): Rational {
  const half = divide(multiply(regression.logSd, regression.logSd), whole(2))
  return inMilligrams(exp(add(exponentOf(regression, weightKg, screenInches), half)))
}

const MILLIGRAMS = whole(1_000_000)

const inMilligrams = (kilograms: Rational): Rational =>
  rational(roundHalfAway(multiply(kilograms, MILLIGRAMS)), MILLIGRAMS.numerator)

function exponentOf(regression: FallbackRegression, weightKg: Rational, screenInches: Rational | null): Rational {
  const { intercept, perLnWeight, perLnScreen } = regression
  const byWeight = add(intercept, multiply(perLnWeight, ln(weightKg)))
  return perLnScreen && screenInches ? add(byWeight, multiply(perLnScreen, ln(screenInches))) : byWeight
}

/** A client's own id may begin with any letters, so shorter ones are not taken as a family. */
const ID_LETTERS_MIN = 4
const INCH_NUMBER = String.raw`(?<![\d.,])(?<whole>\d{1,2})(?:[.,](?<tenths>\d{1,2}))?`
const UNIT = String.raw`"|''|[″”“]|(?:inch(?:es)?|in|zoll|pouces?|pulg(?:adas?)?|pollici)(?![a-z])`
const INCHES = new RegExp(String.raw`${INCH_NUMBER}[\s-]*(?:${UNIT})`, 'iu')

/** What is read of a product. */
interface ReadTraits extends ProductTraits {
  /**
   * True for a product that is none of our types by its form, line or maker, such as "Tower" or "OptiPlex". A type that
   * the order states always counts. METHODOLOGY.md#lines-and-forms
   */
  readonly isNoDevice: boolean
}

/**
 * The traits of a product by which a fallback is chosen. They are read from the name, or from the id if no name is
 * given. The brand is the stated one, else the manufacturer named in the text or by its line; the type is the stated
 * one, else the only one named in the text, else that of its product line. METHODOLOGY.md#families
 */
export function productTraits(product: Product, lexicon: MatchLexicon): ReadTraits {
  const { productName, deviceType, weightKg } = product
  const { text, maker: known, type } = readProductType(product, lexicon)
  const maker = known ?? brandKey(normalisedWords(text)[0] ?? '')
  const family = productFamily(expandBrand(text, maker, lexicon), maker, lexicon)
  const isIdentifiedByName = productName !== null || (family !== null && family.length >= ID_LETTERS_MIN)
  return {
    brand: maker === '' ? null : maker,
    family: isIdentifiedByName ? family : null,
    deviceType: deviceType ?? (type === NO_DEVICE ? null : type),
    isNoDevice: deviceType === null && type === NO_DEVICE,
    weightKg,
    screenInches: screenOf(text),
  }
}

/** The type that the words of a product tell, and what tells it. */
export const readProductType = (product: Product, lexicon: MatchLexicon): TypeReading =>
  readType(product, screenOf(product.productName ?? product.productId), lexicon)

/** The traits of a known device: its own facts, with the weight that the order states and the screen of its text. */
export function knownTraits(device: KnownDevice, product: Product, lexicon: MatchLexicon): ProductTraits {
  const brand = brandKey(device.brand)
  return {
    brand,
    family: productFamily(device.name, device.brand, lexicon),
    deviceType: device.type,
    weightKg: product.weightKg,
    screenInches: screenOf(product.productName ?? product.productId) ?? device.screenInches,
  }
}

/** A screen diagonal given in the text with its unit, in inches. */
function screenOf(text: string): Rational | null {
  const { whole, tenths } = INCHES.exec(text)?.groups ?? {}
  if (!whole || /^0+$/.test(whole)) return null
  return parseDecimal(tenths ? `${Number(whole)}.${tenths}` : `${Number(whole)}`)
}
