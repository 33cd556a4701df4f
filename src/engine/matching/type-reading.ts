// What a product is: the type of device that its text, its maker and its weight tell, and what tells it.
import type { Product } from '../order.ts'
import type { DeviceType } from '../reference/reference-data.ts'
import { brandKey } from '../reference/product-family.ts'
import type { Rational } from '../numbers/rational.ts'
import { brandInText, brandOfField, normalisedWords } from './brand.ts'
import { deviceTypeInText, typeByEquipment, typesOf, wordOfType } from './device-type.ts'
import { joinNames } from './joined-names.ts'
import { typeOfMaker } from './makers.ts'
import type { MatchLexicon } from './match-lexicon.ts'
import { NO_DEVICE, lineInWords, type ProductLine } from './product-lines.ts'

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
 * a word for a type; a form or line that is none of the types; a weaker word, a code or parts; a line; the equipment of
 * a computer; the maker. METHODOLOGY.md#lines-and-forms
 * @param screenInches that the text states; null if it states none
 */
export function readType(product: NamedProduct, screenInches: Rational | null, lexicon: MatchLexicon): TypeReading {
  const text = joinNames(product.productName ?? product.productId, lexicon)
  const words = normalisedWords(text)
  const stated = makerOfField(product.brand, lexicon) ?? makerAtStart(words, lexicon) ?? brandInText(words, lexicon)
  const inWords = lineInWords(
    words.filter((word) => !MEASURE.test(word)),
    stated === null ? null : brandKey(stated),
    lexicon.lines,
  )
  const named = inWords !== null && isOfWeight(inWords.line, product.weightKg) ? inWords : null
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
  if (types.size === 0 && named?.line.type === NO_DEVICE) return of(NO_DEVICE, 'line', named.words)
  const byWord = deviceTypeInText(text, maker, lexicon)
  if (byWord !== null) return of(byWord, 'word', wordOfType(words, byWord, lexicon))
  if (named && named.line.type !== NO_DEVICE)
    return of(tabletByScreen(named.line.type, words, screenInches, lexicon), 'line', named.words)
  const byEquipment = typeByEquipment(text, words, maker, lexicon)
  if (byEquipment !== null) return of(byEquipment, 'equipment', null)
  const made = types.size > 0 || maker === null ? null : typeOfMaker(maker, product.weightKg, lexicon.makers)
  return made === null ? of(null, null, null) : of(made, 'maker', maker)
}

/** Pixels and millimetres, "1920x1080" and "521x293mm", look like codes. */
const MEASURE = /^\d+x\d+(?:mm)?$/

/** A line that spells fewer letters than this is a code, which other things of the maker may have, too. */
const NAME_LETTERS_MIN = 4
/** kg; from well below the lightest device of the type to well above the heaviest. */
const WEIGHTS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  mobile: [0, 1],
  tablet: [0.15, 3],
  laptop: [0.5, 8],
  monitor: [0.4, 40],
  headphone: [0, 1],
}

/** False for a code that means a device of another weight: "MS2042D" of LG is a phone, but not with 12 kg. */
function isOfWeight({ words, type }: ProductLine, weightKg: Rational): boolean {
  const range = WEIGHTS[type]
  if (range === undefined || words.replaceAll(/[^a-z]/g, '').length >= NAME_LETTERS_MIN) return true
  const kilograms = Number(weightKg.numerator) / Number(weightKg.denominator)
  return kilograms >= range[0] && kilograms <= range[1]
}

/** A maker of lines or of one type, but no brand of the catalogue, by the one or two words at the start of a text. */
function makerAtStart([first = '', second = '']: readonly string[], lexicon: MatchLexicon): string | null {
  if (brandInText([first], lexicon) !== null) return null
  const { makers, lineMakers } = lexicon
  return [`${first}-${second}`, first].find((key) => makers.has(key) || lineMakers.has(key)) ?? null
}

/** The maker in the brand field, in any spelling; the field itself if it names none that is known. */
function makerOfField(brand: string | null, lexicon: MatchLexicon): string | null {
  const words = normalisedWords(joinNames(brand ?? '', lexicon))
  return makerAtStart(words, lexicon) ?? brandOfField(brand, lexicon)
}

/** Inches from which a device of a maker's line of phones is one of its tablets, unless it folds. */
const TABLET_INCHES_MIN = 7
const TABLET_INCHES_MAX = 15

/** "Blade X10 10.1"": makers give phones and tablets one name; phones that do not fold have less than 7 inches. */
function tabletByScreen(
  type: string,
  words: readonly string[],
  inches: Rational | null,
  { words: lists }: MatchLexicon,
): string {
  if (type !== 'mobile' || inches === null) return type
  const size = Number(inches.numerator) / Number(inches.denominator)
  const text = ` ${words.join(' ')}`
  const isFolding = [...lists.folding].some((phrase) => text.includes(` ${phrase}`))
  return size >= TABLET_INCHES_MIN && size < TABLET_INCHES_MAX && !isFolding ? 'tablet' : type
}
