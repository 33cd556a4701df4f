// Finds the known device that a text names exactly: by a code of its maker, or by all words of its name. Nothing is
// corrected or completed here: a text that says more of the model than the name does means another one.
import { brandKey } from '../reference/product-family.ts'
import { aliasKey, type DeviceType, type KnownDevice, type ReferenceData } from '../reference/reference-data.ts'
import { brandInText, normalisedWords } from './brand.ts'
import { machineTypeOf } from './machine-type.ts'
import { typeOfWord, type MatchLexicon } from './match-lexicon.ts'
import { tokenise } from './normalise-text.ts'
import { NO_DEVICE, lineInWords } from './product-lines.ts'

interface NamedDevice {
  readonly device: KnownDevice
  readonly brand: string
  readonly tokens: readonly string[]
  /** True if only the word for its type tells the device from its line, as in "ThinkPad X1 Tablet". */
  readonly isToldByType: boolean
}

/** A text with what else is known of the product. */
export interface KnownNameQuery {
  readonly text: string
  /** As `tokenise` gives them. */
  readonly tokens: readonly string[]
  /** As `brandOfField` gives it. */
  readonly brand: string | null
  readonly deviceType: DeviceType | null
}

/** Returns the device of this name or code; null if there is none, or the text means more than the name. */
export type FindKnownDevice = (query: KnownNameQuery) => KnownDevice | null

/** Reading the names takes about 0.1 s for 2,700 of them. */
export function createKnownNames({
  knownDevices,
  matching,
}: Pick<ReferenceData, 'knownDevices' | 'matching'>): FindKnownDevice {
  const byName = new Map<string, NamedDevice[]>()
  const byCode = new Map<string, NamedDevice[]>()
  let longest = 0
  for (const device of knownDevices.values()) {
    const brand = brandKey(device.brand)
    const tokens = nameTokens(device, brand, matching)
    const ofLine = lineInWords(tokens, brand, matching.lines)?.line.type ?? NO_DEVICE
    const named = { device, brand, tokens, isToldByType: ofLine !== NO_DEVICE && ofLine !== device.type }
    for (const code of device.codes) append(byCode, codeKey(code), named)
    if (!isNamedEnough(tokens, device)) continue
    longest = Math.max(longest, tokens.length)
    append(byName, tokens.join(' '), named)
  }
  return (query) => {
    const maker = brandKey(query.brand ?? '') || null
    const found = findByCode(query, maker, byCode, matching) ?? findByName(query, maker, byName, longest, matching)
    // "Headset PlayStation 5" names what it is for.
    if (!found || (found.device.type !== 'headphone' && isOfHeadphones(query.tokens, matching))) return null
    return query.deviceType === null || query.deviceType === found.device.type ? found.device : null
  }
}

const isOfHeadphones = (tokens: readonly string[], { meanings }: MatchLexicon): boolean =>
  tokens.some((token) => meanings.device_type_weak.get(token) === 'headphone')

function append(map: Map<string, NamedDevice[]>, key: string, named: NamedDevice): void {
  const list = map.get(key)
  if (list) list.push(named)
  else map.set(key, [named])
}

const isTypeWord = (token: string, lexicon: MatchLexicon): boolean =>
  typeOfWord(token, lexicon) !== undefined || token === 'pc' || token === 'series'

/** The words of the name without the maker and words for the kind of thing. */
const nameTokens = ({ name }: KnownDevice, brand: string, lexicon: MatchLexicon): readonly string[] =>
  tokenise(name, lexicon).filter(
    (token) => token !== brand && !isTypeWord(token, lexicon) && lexicon.meanings.brand.get(token) !== brand,
  )

/**
 * False for a name that tells no model: a line such as "Pavilion" (only consoles have no number), two letters such as
 * "G3", or a generation alone, as is left of "14w Gen 2" where the words of its line say nothing of their own.
 */
const isNamedEnough = (tokens: readonly string[], { type }: KnownDevice): boolean =>
  tokens.join('').length > 2 &&
  (type === 'gaming_console' || tokens.some((token) => /\d/.test(token) && !/^gen\d+$/.test(token)))

/** True for a name that means this device whoever is said to have made it: several words, or a long code. */
const isDistinctive = (tokens: readonly string[]): boolean => tokens.length > 1 || isLongCode(tokens[0]!)

const isLongCode = (token: string): boolean => token.length >= 5 && /[a-z]/.test(token) && /\d/.test(token)

const codeKey = (code: string): string => aliasKey(code).replaceAll(/[^a-z\d]/g, '')

function findByCode(
  { text }: KnownNameQuery,
  maker: string | null,
  byCode: ReadonlyMap<string, readonly NamedDevice[]>,
  lexicon: MatchLexicon,
): NamedDevice | null {
  const words = text.split(/[\s;()/]+/).filter((word) => word !== '')
  const stated = maker ?? brandInText(normalisedWords(text), lexicon)
  const found = new Set<NamedDevice>()
  for (const key of words.map(codeKey)) {
    const machineType = machineTypeOf(key)
    const bearers = byCode.get(key) ?? (machineType && stated === 'lenovo' ? byCode.get(machineType) : undefined) ?? []
    // Without a maker, a code counts only if it is all that the text says.
    for (const one of bearers) if (stated ? one.brand === stated : words.length === 1) found.add(one)
  }
  return found.size === 1 ? [...found][0]! : null
}

function findByName(
  { tokens }: KnownNameQuery,
  maker: string | null,
  byName: ReadonlyMap<string, readonly NamedDevice[]>,
  longest: number,
  lexicon: MatchLexicon,
): NamedDevice | null {
  const read = tokens.filter((token) => !isTypeWord(token, lexicon))
  const stated = maker ?? brandInText(read, lexicon)
  const words = read.filter((token) => !lexicon.meanings.brand.has(token) || lexicon.words.brand_in_family.has(token))
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    const hits = new Set<NamedDevice>()
    for (let at = 0; at + length <= words.length; at += 1)
      for (const one of byName.get(words.slice(at, at + length).join(' ')) ?? [])
        if (isMadeBy(one, stated) && isOfType(one, tokens, lexicon) && !saysMore(words, at, one, lexicon)) hits.add(one)
    if (hits.size > 0) return hits.size === 1 ? [...hits][0]! : null
  }
  return null
}

const isMadeBy = ({ brand, tokens }: NamedDevice, stated: string | null): boolean =>
  stated === null ? isDistinctive(tokens) : stated === brand

const isOfType = ({ device, isToldByType }: NamedDevice, tokens: readonly string[], lexicon: MatchLexicon): boolean =>
  !isToldByType || tokens.some((token) => typeOfWord(token, lexicon) === device.type)

/** Measures and equipment, which two devices of one model differ in. */
const EQUIPMENT = /^(?:[\d.]+(?:inch|gb|ghz|core|ports)|cpugen\d+|\d+\.\d+|intel|amd)$/
const GENERATION = /^(?:gen\d+|g\d{1,2}|[a-z]|m[1-9]|mk\d|v\d)$/

/**
 * True if a word beside the name tells another model: a generation, a grade or a line that the name lacks, or a number
 * or short code right behind it.
 */
function saysMore(words: readonly string[], from: number, { tokens, device }: NamedDevice, lexicon: MatchLexicon) {
  const { grade, line, variant } = lexicon.words
  const to = from + tokens.length
  const isCoded = tokens.some(isLongCode)
  const tells = (word: string) => GENERATION.test(word) || grade.has(word) || variant.has(word)
  const isOther = words.some(
    (word, at) =>
      (at < from || at >= to) && (tells(word) || (!isCoded && line.has(word) && !lexicon.words.ignored.has(word))),
  )
  const next = words[to] ?? ''
  return isOther || (!EQUIPMENT.test(next) && isNumberOfModel(next, device))
}

/** "2" behind "Switch", "5450" behind "Latitude", "2024" unless it is the year of the device. */
function isNumberOfModel(next: string, { source }: KnownDevice): boolean {
  if (/^(?:19|20)\d\d$/.test(next)) return source.year !== null && Math.abs(source.year - Number(next)) > 1
  return /^\d+$/.test(next) || (/^[a-z]*\d+[a-z]*$/.test(next) && next.length <= 3)
}
