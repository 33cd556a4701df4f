// Parses a product text: line, numbers, generation, chip, year, size, storage, and signs that it is not a device.
import { typeOfWord, type MatchLexicon } from './match-lexicon.ts'
import type { ProcessorMaker } from './match-facts.ts'
import { detectAccessory } from './accessory.ts'
import { joinNames } from './joined-names.ts'
import { intelGenOf, isArm, platformOf, processorYearOf, intelReleaseYear } from './processor.ts'
import { isMachineType, machineTypeOf } from './machine-type.ts'
import { appleIdentifiers, isTruncated, isWithinOneEdit, findNonLatin } from './normalise-text.ts'
import { splitTokens, type Vocabulary } from './tokenise.ts'

export interface ParsedText {
  readonly words: Set<string>
  /** Bare numbers; what they mean depends on the model. */
  readonly numbers: Set<number>
  /** Inches, if the text marks them as such. */
  readonly sizes: number[]
  readonly gens: Set<number>
  readonly chips: Set<string>
  /** "11th Gen Intel": the generation of the processor, or of the device itself. */
  readonly processorGens: Set<number>
  readonly processorMakers: Set<ProcessorMaker>
  /** The year in which the processor was released; null if the text names none. */
  processorYear: number | null
  /** Lenovo's letters for the processor, such as isk in "15ISK". */
  readonly platforms: Set<string>
  /** Generation of the Intel processor; null if the text names none. */
  intelGen: number | null
  readonly years: Set<number>
  /** Memory and storage, GB. */
  readonly gigabytes: number[]
  /** Cores, clock and ports: 8core, 1.4ghz, 2ports. */
  readonly equipment: Set<string>
  readonly soft: Set<string>
  readonly variants: Set<string>
  readonly brands: Set<string>
  readonly types: Set<string>
  readonly codes: Set<string>
  /** Codes of no model in the catalogue. */
  readonly strays: string[]
  /** Codes that mix letters and digits like stock numbers. */
  readonly stockNumbers: string[]
  /** Lenovo's machine types, "20HF" or "20HF0012GE", with the ids of their models; null if none is known. */
  readonly machineTypes: { readonly number: string; readonly bearers: ReadonlySet<string> | null }[]
  /** After a number, words that may be "pro", "plus", "mini" or "max" with a typing error. */
  readonly slips: string[]
  /** Words of letters only that occur in no name of the catalogue. */
  readonly unknown: string[]
  /** Screen resolutions: fhd, qhd, uhd, 5k and similar. */
  readonly resolutions: Set<string>
  readonly hasUsbC: boolean
  /** True if one family is named twice with different words: the text names two devices, or one and an exclusion. */
  isDouble: boolean
  /** True if the text is longer than the part that is read. */
  readonly isCut: boolean
  /** The word that shows that the text names an accessory and not the device. */
  accessory: string | null
}

const emptyReading = (text: string, lexicon: MatchLexicon): ParsedText => ({
  words: new Set(),
  numbers: new Set(),
  sizes: [],
  gens: new Set(),
  chips: new Set(),
  processorGens: new Set(),
  processorMakers: new Set(isArm(text, lexicon) ? ['arm'] : []),
  processorYear: processorYearOf(text, lexicon),
  platforms: new Set(),
  intelGen: intelGenOf(text, lexicon.processorYears),
  years: new Set(),
  gigabytes: [],
  equipment: new Set(),
  soft: new Set(),
  variants: new Set(),
  brands: new Set(),
  types: new Set(),
  codes: new Set(),
  strays: [],
  stockNumbers: [],
  machineTypes: [],
  slips: [],
  unknown: [],
  resolutions: new Set(resolutionsIn(text)),
  hasUsbC: /\b(?:usb|type)[\s-]?c\b/i.test(text),
  isDouble: false,
  isCut: isTruncated(text),
  accessory: null,
})

const STORAGE_SIZES = new Set([32, 64, 128, 256, 512, 1000, 1024, 2048])
const MEMORY_SIZES = new Set([4, 6, 8, 12, 16, 18, 24, 32, 36, 48, 64])

/** @param raw the text's tokens */
export function parseProductText(text: string, raw: readonly string[], vocabulary: Vocabulary): ParsedText {
  const { lexicon } = vocabulary
  const reading = emptyReading(text.replaceAll('_', ' '), lexicon)
  for (const identifier of appleIdentifiers(text)) {
    const code = identifier.replace(',', '')
    if (vocabulary.codes.has(`${code},`)) reading.codes.add(`${code},`)
    else reading.strays.push(identifier)
  }
  const joined = joinNames(text, lexicon)
  const other = findNonLatin(joined)
  if (other !== null) reading.strays.push(other)
  const tokens = splitTokens(raw, vocabulary)
  reading.accessory = detectAccessory(joined, tokens, vocabulary)
  reading.isDouble = namesTwo(tokens, lexicon)
  if (lexicon.words.monitor_first.has(tokens[0] ?? '')) reading.types.add('monitor')
  for (let at = 0; at < tokens.length; at += 1) at += readToken(tokens, at, reading, vocabulary)
  return reading
}

/** True if a family whose word occurs once in each model's name is named twice. */
function namesTwo(tokens: readonly string[], { words }: MatchLexicon): boolean {
  return tokens.some((token, at) => {
    if (!words.family.has(token)) return false
    const again = tokens.indexOf(token, at + 2)
    return again !== -1 && (tokens[again + 1] !== tokens[at + 1] || tokens[again + 2] !== tokens[at + 2])
  })
}

/** Reads the token into the reading; returns the number of further tokens that were consumed. */
function readToken(tokens: readonly string[], at: number, reading: ParsedText, vocabulary: Vocabulary): number {
  const token = tokens[at]!
  const next = tokens[at + 1] ?? ''
  const chip = /^(?:m[1-9]|a(?:[89]|1[0-9])[xz]?)$/.test(token) && !vocabulary.terms.has(token)
  if (chip) {
    const grade = token.startsWith('m') && /^(?:pro|max|ultra)$/.test(next) ? next : ''
    reading.chips.add(token + grade)
    return grade === '' ? 0 : 1
  }
  const platform = platformOf(token, vocabulary.lexicon)
  if (platform) {
    reading.sizes.push(platform.inches)
    reading.platforms.add(platform.letters)
    reading.processorYear = Math.max(reading.processorYear ?? 0, platform.year)
    return 0
  }
  const before = tokens[at - 1] ?? ''
  if (readMeasure(token, before, next, reading, vocabulary.lexicon)) return 0
  readWord(token, before, reading, vocabulary)
  return 0
}

function readMeasure(token: string, before: string, next: string, reading: ParsedText, lexicon: MatchLexicon): boolean {
  const number = Number.parseFloat(token)
  if (token.endsWith('inch')) reading.sizes.push(number)
  else if (/^gen\d+$/.test(token)) reading.gens.add(Number(token.slice(3)))
  else if (token.startsWith('cpugen')) readProcessorGen(Number(token.slice(6)), reading, lexicon)
  else if (/^g(?:\d|1[0-4])$/.test(token)) reading.gens.add(Number(token.slice(1)))
  else if (/^\d+[gt]b$/.test(token)) reading.gigabytes.push(token.endsWith('tb') ? number * 1024 : number)
  else if (/^[\d.]+(?:ghz|core|ports)$/.test(token)) reading.equipment.add(token)
  else if (/^\d+$/.test(token)) readNumber(token, before, next, reading, lexicon)
  else if (/^\d+\.\d+$/.test(token)) {
    if (number >= 4) reading.sizes.push(number)
  } else return false
  return true
}

function readProcessorGen(gen: number, reading: ParsedText, { processorYears }: MatchLexicon): void {
  reading.processorGens.add(gen)
  reading.processorYear ??= intelReleaseYear(gen, processorYears)
  reading.intelGen ??= gen
}

function readNumber(token: string, before: string, next: string, reading: ParsedText, { words }: MatchLexicon): void {
  const number = Number(token)
  // "Laptop 05", but not "-01" after other numbers, storage or a colour.
  const isRunning = words.ignored.has(before) || reading.gigabytes.length > 0
  const isPadded = /^0\d$/.test(token) && /^[a-z]+$/.test(before) && !isRunning
  const isSerial = token.length > 4 || (token.length > 1 && token.startsWith('0') && !isPadded)
  if (isSerial) return
  if (number >= 2010 && number <= 2030) reading.years.add(number)
  else if (STORAGE_SIZES.has(number) && number >= 64 && !isChromebooks(before, reading)) reading.gigabytes.push(number)
  else if (MEMORY_SIZES.has(number) && isStorage(next) && isMemory(number, reading, words))
    reading.gigabytes.push(number)
  else reading.numbers.add(number)
}

/** "Chromebook Spin 512": the number behind a Chromebook's name is its own, unlike that behind "8GB". */
const isChromebooks = (before: string, { words, numbers, sizes, codes }: ParsedText): boolean =>
  words.has('chromebook') && words.has(before) && numbers.size + sizes.length + codes.size === 0

/** True if a number of the model was read before, so that this one is memory. A small number may be a generation. */
function isMemory(
  number: number,
  { numbers, chips, words }: ParsedText,
  { line_with_generations }: MatchLexicon['words'],
): boolean {
  const isNamed = numbers.size > 0 || chips.size > 0 || [...words].some((word) => /\d/.test(word))
  const hasGenerations = [...words].some((word) => line_with_generations.has(word))
  return isNamed && number >= (hasGenerations ? 16 : 8)
}

const RESOLUTION = /(?<!(?<![a-z\d])\d\.)\b(?:w?uxga|w?qhd\+?|uhd|fhd|full[\s-]?hd|[458]k)\b/gi

const resolutionsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(RESOLUTION) ?? []).map((one) =>
    one === '4k' ? 'uhd' : one.startsWith('full') ? 'fhd' : one,
  )

const isStorage = (token: string): boolean => /^(?:(?:64|128|256|512|1000|1024|2048)(?:gb)?|[12]tb)$/.test(token)

function readWord(token: string, before: string, reading: ParsedText, vocabulary: Vocabulary): void {
  const { terms, numbered, codes, machineTypes, lexicon } = vocabulary
  const { words, meanings } = lexicon
  const machineType = machineTypeOf(token)
  const bearers = machineTypes.get(machineType ?? '') ?? null
  if (machineType !== null && !terms.has(token) && (bearers !== null || isMachineType(token))) {
    reading.machineTypes.push({ number: token, bearers })
    return
  }
  const brand = meanings.brand.get(token)
  if (brand !== undefined) reading.brands.add(brand)
  const type = typeOfWord(token, lexicon)
  if (type !== undefined) reading.types.add(type)
  const soft = meanings.feature.get(token)
  if (soft === 'amd' || token === 'intel') reading.processorMakers.add(token === 'intel' ? 'intel' : 'amd')
  if (soft !== undefined) reading.soft.add(soft)
  else if (token === 'intel') reading.chips.add('intel')
  else if (words.variant.has(token)) reading.variants.add(token)
  else if (codes.has(token)) reading.codes.add(token)
  else if (words.brand_in_model_name.has(token)) reading.words.add(token)
  else if (brand !== undefined || type !== undefined) return
  else if (terms.has(token) || words.line.has(token)) reading.words.add(token)
  else if (words.ignored.has(token)) return
  else if (token.length === 1) reading.words.add(token)
  else if (!/\d/.test(token)) readUnknown(token, before, reading, words)
  else if (isStockNumber(token, numbered)) reading.stockNumbers.push(token)
  else reading.strays.push(token)
}

function readUnknown(
  token: string,
  before: string,
  reading: ParsedText,
  { grade, cut_grade, not_a_grade }: MatchLexicon['words'],
): void {
  reading.unknown.push(token)
  const mayBeGrade =
    (/\d/.test(before) || before === 'pro') && reading.gigabytes.length === 0 && !not_a_grade.has(token)
  if (
    mayBeGrade &&
    (cut_grade.has(token) || (token.length > 2 && [...grade].some((one) => isWithinOneEdit(token, one))))
  )
    reading.slips.push(token)
  // "StudioII", written as one word.
  if (/^(?:studio|go|pro|se)i+$/.test(token)) reading.strays.push(token)
}

/** True for a mix of letters and digits that is a stock number, unless it is similar to a model's number. */
function isStockNumber(token: string, numbered: readonly string[]): boolean {
  if (!isTangle(token)) return false
  return !numbered.some((term) => token.startsWith(term) || isWithinOneEdit(token, term))
}

/** "DELA11D": the maker and number with which a monitor answers a computer, as inventories of computers list it. */
const isMonitorId = (token: string): boolean =>
  /^(?:acr|aoc|aus|bnq|del|gsm|hpn|hwp|len|phl|sam|vsc)[\da-f]{4}$/.test(token)

function isTangle(token: string): boolean {
  const changes = token.match(/[a-z]+|\d+/g)?.length ?? 0
  return (
    token.length >= 8 ||
    isMonitorId(token) ||
    (token.length >= 6 && changes >= 4) ||
    /^\w{5}(?:ea|et|ec|aa|av|ua|ut)$/.test(token)
  )
}
