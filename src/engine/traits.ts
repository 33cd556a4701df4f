// What a product's own words tell of it where they name no model: brand, family, type, weight and screen.
import { brandKey, productFamily } from './figures/family.ts'
import type { ProductTraits } from './figures/ladder.ts'
import { brandInText, brandOfField, normalisedWords, expandBrand, deviceTypeInText } from './matching/maker.ts'
import type { Product } from './order.ts'
import { parseDecimal, type Rational } from './numbers/ratio.ts'

/** A client's own id may begin with any letters: only a whole word in it is taken for a family. */
const ID_LETTERS_MIN = 4
const NUMBER = String.raw`(?<![\d.,])(?<whole>\d{1,2})(?:[.,](?<tenths>\d{1,2}))?`
const UNIT = String.raw`"|''|[″”“]|(?:inch(?:es)?|in|zoll|pouces?|pulg(?:adas?)?|pollici)(?![a-z])`
const INCHES = new RegExp(String.raw`${NUMBER}[\s-]*(?:${UNIT})`, 'iu')

/**
 * The traits of a product, by which a stand-in is chosen. The name counts, or the id where no name is stated. The brand
 * is the one that is stated, else the maker that the text names; the type too, where the text names one alone.
 * METHODOLOGY.md#families
 */
export function productTraits({ productId, productName, brand, deviceType, weightKg }: Product): ProductTraits {
  const text = productName ?? productId
  const words = normalisedWords(text)
  const maker = brandKey(brandOfField(brand) ?? brandInText(words) ?? words[0] ?? '')
  const family = productFamily(expandBrand(text, maker), maker)
  const isToldByName = productName !== null || (family !== null && family.length >= ID_LETTERS_MIN)
  return {
    brand: maker === '' ? null : maker,
    family: isToldByName ? family : null,
    deviceType: deviceType ?? deviceTypeInText(words),
    weightKg,
    screenInches: screenOf(text),
  }
}

/** A diagonal that the text states with its unit, in inches. */
function screenOf(text: string): Rational | null {
  const { whole, tenths } = INCHES.exec(text)?.groups ?? {}
  if (!whole || /^0+$/.test(whole)) return null
  return parseDecimal(tenths ? `${Number(whole)}.${tenths}` : `${Number(whole)}`)
}
