// What a product is: the type of device that its text, its maker and its weight tell, and what tells it.
import type { Product } from '../order.ts'
import type { DeviceType } from '../reference/reference-data.ts'
import { brandKey } from '../reference/product-family.ts'
import type { Rational } from '../numbers/rational.ts'
import { brandInText, brandOfField, normalisedWords } from './brand.ts'
import { onlyOf, typeByEquipment, typesOf, weakerType, wordOfType } from './device-type.ts'
import { joinNames } from './joined-names.ts'
import { isWithin, typeOfMaker } from './makers.ts'
import { typeOfWord, type MatchLexicon } from './match-lexicon.ts'
import { NO_DEVICE, isName, isPattern, lineInWords, type ProductLine } from './product-lines.ts'

/**
 * What tells a type: a word for it ("laptop"), a code or the parts that the text names, a product line or form, the
 * equipment of a portable computer, or the maker, who makes one type only.
 */
export type TypeSource = 'word' | 'line' | 'equipment' | 'maker'

export interface TypeReading {
  /** Lower-case text of the product with names joined, as its family is read from it. */
  readonly text: string
  /** The key of the maker, stated or named in the text or by its line; null if none is known. */
  readonly maker: string | null
  /** `NO_DEVICE` for a thing that is none of the types, such as a server; null if nothing tells a type. */
  readonly type: DeviceType | typeof NO_DEVICE | null
  readonly by: TypeSource | null
  /** What tells the type: the word, the words of the line, or the maker; null for a code, parts or equipment. */
  readonly words: string | null
}

type NamedProduct = Pick<Product, 'productName' | 'productId' | 'brand' | 'weightKg'>

/**
 * Reads the type of a product that the order does not state. Each rule counts only where those before it say nothing:
 * a word for a type; a form or line that is none of the types; a weaker word, a code or parts; the class of a register;
 * a line; the equipment of a computer; the maker. METHODOLOGY.md#lines-and-forms
 * @param screenInches that the text states; null if it states none
 */
export function readType(product: NamedProduct, screenInches: Rational | null, lexicon: MatchLexicon): TypeReading {
  const text = joinNames(product.productName ?? product.productId, lexicon)
  const words = withLineOfField(normalisedWords(text), product.brand, lexicon)
  const stated = makerOfField(product.brand, lexicon) ?? makerAtStart(words, lexicon) ?? brandInText(words, lexicon)
  const named = lineInWords(
    words.filter((word) => !MEASURE.test(word)),
    stated === null ? null : brandKey(stated),
    lexicon.lines,
    (line) => isOfWeight(line, product.weightKg, lexicon),
  )
  const maker = stated === null ? (named?.line.brand ?? null) : brandKey(stated)
  const of = (type: string | null, by: TypeSource | null, told: string | null): TypeReading => ({
    text,
    maker,
    type: type as TypeReading['type'],
    by,
    words: told,
  })
  const field = normalisedWords(product.brand ?? '')
  const [inField] = typesOf(field, lexicon)
  const types = typesOf(words, lexicon)
  if (types.size === 0 && inField !== undefined) return of(inField, 'word', field.join(' '))
  // "Telephone IP" of a maker of none of the types.
  const isOfOthers = maker !== null && typeOfMaker(maker, product.weightKg, lexicon.makers) === NO_DEVICE
  const byWeakWord = types.size > 0 || isOfOthers ? null : weakerType(text, words, maker, lexicon)
  if (types.size === 0 && named?.line.type === NO_DEVICE) {
    // "G733 Gaming Headset": a word says more than the pattern of a code. "Chromebook 32GB SSD, Celeron" is no SSD.
    const isDescribed = isPattern(named.line) || words.some((word) => lexicon.words.processor.has(word))
    if (byWeakWord === null || !isDescribed) return of(NO_DEVICE, 'line', named.words)
  }
  const byWord = types.size > 0 ? onlyOf(types) : byWeakWord
  if (byWord !== null) return of(byWord, 'word', wordOfType(words, byWord, lexicon))
  const byClass = types.size > 0 ? null : classOfAsset(words, maker, lexicon)
  if (byClass !== null) return of(byClass.type, 'word', byClass.word)
  if (named && named.line.type !== NO_DEVICE)
    return of(tabletByScreen(named.line.type, words, inchesOf(text, screenInches), lexicon), 'line', named.words)
  const byEquipment = typeByEquipment(text, words, maker, lexicon)
  if (byEquipment !== null) return of(byEquipment, 'equipment', null)
  if (types.size > 0 || maker === null) return of(null, null, null)
  // Sony Ericsson made one type, unlike Sony, whose lines it has.
  const firm = firmOf(product.brand === null ? words : field, lexicon)
  const madeBy = firm?.startsWith(`${maker}-`) ? firm : maker
  const made = typeOfMaker(madeBy, product.weightKg, lexicon.makers)
  if (made !== null) return of(made, 'maker', madeBy)
  const isTablet =
    lexicon.makers.get(maker)?.some(({ type }) => type === 'mobile') === true &&
    tabletByScreen('mobile', words, inchesOf(text, screenInches), lexicon) === 'tablet'
  return isTablet ? of('tablet', 'maker', maker) : of(null, null, null)
}

/** A brand field may name the line ("iPhone", "Alienware"), and the text only what is left ("14 Pro", "m15"). */
function withLineOfField(
  words: readonly string[],
  brand: string | null,
  { meanings, words: lists }: MatchLexicon,
): readonly string[] {
  const ofLine = normalisedWords(brand ?? '').filter(
    (word) => (meanings.product_line.has(word) || lists.brand_in_family.has(word)) && !words.includes(word),
  )
  return [...ofLine, ...words]
}

/** Pixels and millimetres, "1920x1080" and "521x293mm", look like codes. */
const MEASURE = /^\d+x\d+(?:mm)?$/

/** False for a code that means a device of another weight: "MS2042D" of LG is a phone, but not with 12 kg. */
const isOfWeight = (line: ProductLine, weightKg: Rational, { codeWeights }: MatchLexicon): boolean =>
  isName(line) || isWithin(weightKg, codeWeights.get(line.type) ?? [weightKg, weightKg])

/**
 * The type of the asset class with which a register begins or ends its texts ("NB Dell 7490"), if the maker has lines
 * of that type: the letters alone mean anything.
 */
function classOfAsset(
  words: readonly string[],
  maker: string | null,
  { meanings, lineTypes }: MatchLexicon,
): Told | null {
  if (maker === null || words.length < 2) return null
  for (const word of [words[0]!, words.at(-1)!]) {
    const type = meanings.asset_class.get(word)
    if (type !== undefined && lineTypes.get(maker)?.has(type)) return { type, word }
  }
  return null
}

interface Told {
  readonly type: string
  readonly word: string
}

/**
 * A maker of lines or of known types, but no brand of the catalogue, with whose name a text begins, words for a type
 * aside ("Teléfono Yealink T33G"), unless it is a common word, such as "plum".
 */
function makerAtStart(words: readonly string[], lexicon: MatchLexicon): string | null {
  const isType = (word: string) =>
    typeOfWord(word, lexicon) !== undefined || lexicon.meanings.device_type_weak.has(word)
  const from = words.findIndex((word) => !isType(word))
  const found = makerInField(words.slice(Math.max(0, from)), lexicon)
  return found === null || lexicon.words.brand_of_field.has(found) ? null : found
}

function makerInField(words: readonly string[], lexicon: MatchLexicon): string | null {
  return brandInText(words.slice(0, 1), lexicon) === null ? firmOf(words, lexicon) : null
}

/** The maker with whose name of up to three words a field or text begins, in any spelling: "BlackFox". */
function firmOf(words: readonly string[], { makerKeys }: MatchLexicon): string | null {
  const names = [3, 2, 1].filter((length) => words.length >= length).map((length) => words.slice(0, length).join(''))
  return names.map((name) => makerKeys.get(name)).find((key) => key !== undefined) ?? null
}

/** The maker in the brand field, in any spelling; the field itself if it names none that is known. */
function makerOfField(brand: string | null, lexicon: MatchLexicon): string | null {
  const words = normalisedWords(joinNames(brand ?? '', lexicon))
  return makerInField(words, lexicon) ?? brandOfField(brand, lexicon)
}

/** Versions of systems look like sizes. */
const BARE_INCHES =
  /(?<![\d.,]|\b(?:android|ios|os|harmonyos|version|ver|v|bluetooth|bt)[\s-]?)\d{1,2}[.,]\d{1,2}(?![\d.,]|\s*[a-z%])/i

/** The diagonal that a text states, also without a unit: "10.4 (2022) WiFi"; null if it states none. */
function inchesOf(text: string, stated: Rational | null): number | null {
  if (stated !== null) return Number(stated.numerator) / Number(stated.denominator)
  const bare = BARE_INCHES.exec(text)
  return bare && Number(bare[0].replace(',', '.'))
}

/** Inches from which a device of a maker's line of phones is one of its tablets, unless it folds. */
const TABLET_INCHES_MIN = 7
const TABLET_INCHES_MAX = 15

/** "Blade X10 10.1"": makers give phones and tablets one name; phones that do not fold have less than 7 inches. */
function tabletByScreen(
  type: string,
  words: readonly string[],
  inches: number | null,
  { words: lists }: MatchLexicon,
): string {
  if (type !== 'mobile' || inches === null) return type
  const text = ` ${words.join(' ')}`
  const isFolding = [...lists.folding].some((phrase) => text.includes(` ${phrase}`))
  return inches >= TABLET_INCHES_MIN && inches < TABLET_INCHES_MAX && !isFolding ? 'tablet' : type
}
