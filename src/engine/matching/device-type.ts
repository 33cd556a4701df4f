// The type of device that a text names, by its words, or by its parts and codes if no word tells it.
import type { DeviceType } from '../reference/reference-data.ts'
import { brandInText, normalisedWords } from './brand.ts'
import { typeOfWord, type MatchLexicon } from './match-lexicon.ts'
import { isMachineType } from './machine-type.ts'

/**
 * The only type of device named in a text; null if it names none or several, or another thing.
 * @param maker in lower case
 */
export function deviceTypeInText(text: string, maker: string | null, lexicon: MatchLexicon): DeviceType | null {
  const words = normalisedWords(text)
  const named = typesOf(words, lexicon)
  return named.size > 0 ? onlyOf(named) : weakerType(text, words, maker, lexicon)
}

/** The only type; null if there are several, or none. */
export function onlyOf(types: ReadonlySet<string>): DeviceType | null {
  const [type = null] = types
  return types.size > 1 ? null : (type as DeviceType | null)
}

/** The type of a text without a word for one: by a weaker word, a code or parts; null if they tell none or several. */
export function weakerType(
  text: string,
  words: readonly string[],
  maker: string | null,
  lexicon: MatchLexicon,
): DeviceType | null {
  const types = weakTypesOf(words, lexicon)
  if (types.size > 0) return onlyOf(types)
  return typeByCode(text, words, maker) ?? typeByParts(text, words, lexicon)
}

/** The types that the words name, except those that stand for another thing: "heart rate monitor". */
export function typesOf(words: readonly string[], lexicon: MatchLexicon): ReadonlySet<string> {
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`)
  const inPairs = pairs.flatMap((pair) => lexicon.meanings.device_type.get(pair) ?? [])
  if (inPairs.length > 0) return new Set(inPairs)
  const types = new Set(words.flatMap((word) => typeOfWord(word, lexicon) ?? []))
  types.delete(otherThing(words, lexicon)?.type ?? '')
  if (types.size === 2 && types.has('laptop') && TWO_IN_ONE.test(words.join(' '))) types.delete('tablet')
  return types
}

/** "2-in-1 laptop tablet" names one device, a laptop. */
const TWO_IN_ONE = /\b2 ?in ?1\b|\bconvertible\b/

/** The word or the two words of a text that name a type; null if a code or parts tell it. */
export function wordOfType(words: readonly string[], type: DeviceType, lexicon: MatchLexicon): string | null {
  const { device_type: strong, device_type_weak: weak } = lexicon.meanings
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`)
  const strongWord =
    pairs.find((pair) => strong.get(pair) === type) ?? words.find((word) => typeOfWord(word, lexicon) === type)
  if (strongWord !== undefined) return strongWord
  return words.find((word, at) => weak.get(word) === type && isMeant(type, words, at, lexicon)) ?? null
}

/** A phrase with which a word of a device means another thing, such as "heart rate" before "monitor". */
export function otherThing(words: readonly string[], { meanings }: MatchLexicon) {
  const types = new Set(words.flatMap((word) => meanings.device_type.get(word) ?? []))
  if (types.size === 0) return null
  const text = ` ${words.join(' ')} `
  for (const [phrase, type] of meanings.other_thing) {
    if (types.has(type) && text.includes(` ${phrase} `)) return { phrase, type }
  }
  return null
}

/**
 * Words that name a type only if nothing else does: "Bildschirm" is also a part of a laptop, and "portable" a quality.
 * Storage or a processor shows that the screen is a part.
 */
function weakTypesOf(words: readonly string[], lexicon: MatchLexicon): ReadonlySet<string> {
  const found = words.flatMap((word, at) => {
    const type = lexicon.meanings.device_type_weak.get(word)
    return type !== undefined && isMeant(type, words, at, lexicon) ? [type] : []
  })
  // "téléphone portable"
  return new Set(found.includes('mobile') ? ['mobile'] : found)
}

function isMeant(type: string, words: readonly string[], at: number, lexicon: MatchLexicon): boolean {
  const { words: lists } = lexicon
  if (words.slice(Math.max(0, at - 3), at).some((word) => lists.comes_with.has(word) || lists.made_for.has(word)))
    return false
  const next = words[at + 1]
  if (type === 'monitor') {
    const isPart = words.some((word) => lists.device_part.has(word) || /^\d+[gt][bo]$/.test(word))
    return !isPart && !words.slice(at + 1).some((word) => lists.broken.has(word))
  }
  // "portable" describes other devices too, unlike "Chromebook".
  if (type !== 'laptop' || !lists.ignored.has(words[at]!)) return true
  const isBeforeThing = next !== undefined && !/\d/.test(next) && brandInText([next], lexicon) === null
  return !isBeforeThing && words.some((word) => lists.computer.has(word))
}

const HUAWEI_LAPTOP = /(?<![\w-])[a-z]{3,5}-(?:w[a-z]{1,2}\d[a-z]*|[fhw]xx[a-z\d]*)(?![\w-])/i

/**
 * Numbers of laptops by maker. HP: the size, two letters and a number, which may be cut: "15-ce006nv", "14-ck0xxx".
 * Huawei and Honor: letters behind a hyphen that begin with W, "KLVL-WXX9"; tablets have digits there ("AGS2-W09").
 * Dell: the regulatory model of a portable computer ("P75F001"), and names since 2025, "PC14250".
 */
const LAPTOP_CODES: ReadonlyMap<string, RegExp> = new Map([
  ['hp', /(?<![\w-])1[0-7][a-z]?(?:-(?!in\b)[a-z]{2}|[-\s][a-z]{1,2}(?:\d{3,4}|\d{0,2}x{1,3})[a-z]{0,2})(?![\w-])/i],
  ['huawei', HUAWEI_LAPTOP],
  ['honor', HUAWEI_LAPTOP],
  ['dell', /(?<![\w-])(?:p(?:\d\d[a-z]|1\d\d[efgjktvw])(?:\d{3})?|[dmpr][abcv]1[1-8]\d{3})(?![\w-])/i],
])

function typeByCode(text: string, words: readonly string[], maker: string | null): DeviceType | null {
  const isLaptop = maker === 'lenovo' ? words.some(isMachineType) : LAPTOP_CODES.get(maker ?? '')?.test(text)
  return isLaptop ? 'laptop' : null
}

/** Inches from which a screen with its own number of parts is a monitor's. */
const MONITOR_INCHES_MIN = 17
const MONITOR_PARTS_MIN = 2
const DIAGONAL = /(?<![\d.]|\d,)(\d\d)(?:[.,]\d\d?)?[\s-]*(?:"|''|[″”]|inch|zoll|pouces|pulgadas|pollici)/iu

/** "27 inch Full HD LED IPS Panel": a size and parts of a monitor, and nothing of another device. */
export function typeByParts(text: string, words: readonly string[], { words: lists }: MatchLexicon): DeviceType | null {
  const inches = Number(DIAGONAL.exec(text)?.[1] ?? 0)
  if (inches < MONITOR_INCHES_MIN) return null
  if (words.some((word) => lists.device_part.has(word) || /^\d+[gt]b$/.test(word))) return null
  const parts = new Set(words.filter((word) => lists.monitor_part.has(word)))
  return parts.size >= MONITOR_PARTS_MIN ? 'monitor' : null
}

/** Diagonals of portable computers, inches; all-in-ones begin above them. */
const LAPTOP_INCHES_MIN = 11
const LAPTOP_INCHES_MAX = 18.9
/** Numbers of processors that end in the letters for portable computers: i5-1135G7, i7-8550U, Ryzen 5 5500U. */
const LAPTOP_PROCESSOR = new RegExp(
  [
    String.raw`\bc?i[3579][\s-]?\d{3,5}(?:g[1-7]|u|y|p|h|hk|hq|hx|m|mq|qm|um|lm)\b`,
    String.raw`\bryzen[\s-]?(?:ai[\s-])?[3579]?[\s-](?:pro[\s-])?\d{4}(?:u|h|hs|hx|c)\b`,
    String.raw`\b(?:core[\s-])?m[357]-\d[a-z]\d\d\b|\bultra[\s-][579][\s-]\d{3}(?:u|h|v|hx)\b`,
  ].join('|'),
  'i',
)
/** "HP 15 Core i5": the size right behind the maker's name. */
const BARE_SIZE = /^1[1-7][a-z]?$/

/**
 * A laptop by its components: a processor, memory or storage, and a laptop-sized screen, or a processor for portable
 * computers if no screen is stated. Desktops have no screen, all-in-ones a larger one, and tablets name their type.
 */
export function typeByEquipment(
  text: string,
  words: readonly string[],
  maker: string | null,
  lexicon: MatchLexicon,
): DeviceType | null {
  const { processor } = lexicon.words
  const isComputer =
    words.some((word) => processor.has(word)) && words.some((word) => word === 'ram' || /^\d+[gt]b(?:ssd)?$/.test(word))
  if (!isComputer) return null
  const inches = Number(
    /(?<![\d.,])(\d\d(?:[.,]\d\d?)?)/.exec(DIAGONAL.exec(text)?.[0] ?? '')?.[1]?.replace(',', '.') ?? 0,
  )
  const isSized = inches >= LAPTOP_INCHES_MIN && inches <= LAPTOP_INCHES_MAX
  if (inches === 0 && maker !== null && LAPTOP_PROCESSOR.test(text)) return 'laptop'
  const isBare =
    maker !== null &&
    words.some((word, at) => at > 0 && BARE_SIZE.test(word) && brandInText([words[at - 1]!], lexicon) === maker)
  return isSized || (inches === 0 && isBare) ? 'laptop' : null
}
