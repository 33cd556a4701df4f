// What a text says of a device: line, numbers, generation, chip, year, size, storage, and what it cannot be.
import {
  BRANDS,
  BRANDS_THAT_NAME_A_FAMILY,
  LINE_WORDS,
  NOISE,
  SCREENS,
  SOFT_WORDS,
  TYPE_WORDS,
  VARIANT_WORDS,
} from './match-lexicon.ts'
import { accessoryIn } from './match-accessory.ts'
import { identifiersOf, isOneSlipApart, processorYearOf } from './match-text.ts'
import { splitTokens, type Vocabulary } from './match-tokens.ts'

export interface Reading {
  readonly words: Set<string>
  /** Numbers that stand alone: what they mean only a model can say. */
  readonly numbers: Set<number>
  /** Inches, as the text marks them. */
  readonly sizes: number[]
  readonly gens: Set<number>
  readonly chips: Set<string>
  /** "11th Gen Intel": the processor's generation, or the device's own. */
  readonly processorGens: Set<number>
  /** The year in which the processor came to market; null where the text names none. */
  processorYear: number | null
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
  /** Codes that nobody in the catalogue bears. */
  readonly strays: string[]
  /** Why the text names a thing for a device, not the device. */
  accessory: string | null
}

const emptyReading = (): Reading => ({
  words: new Set(),
  numbers: new Set(),
  sizes: [],
  gens: new Set(),
  chips: new Set(),
  processorGens: new Set(),
  processorYear: null,
  years: new Set(),
  gigabytes: [],
  equipment: new Set(),
  soft: new Set(),
  variants: new Set(),
  brands: new Set(),
  types: new Set(),
  codes: new Set(),
  strays: [],
  accessory: null,
})

const STORAGE_SIZES = new Set([32, 64, 128, 256, 512, 1000, 1024, 2048])
const MEMORY_SIZES = new Set([4, 6, 8, 12, 16, 18, 24, 32, 36, 48, 64])

/** @param raw the text's tokens */
export function readText(text: string, raw: readonly string[], vocabulary: Vocabulary): Reading {
  const reading = emptyReading()
  reading.processorYear = processorYearOf(text)
  for (const identifier of identifiersOf(text)) {
    const code = identifier.replace(',', '')
    if (vocabulary.codes.has(`${code},`)) reading.codes.add(`${code},`)
    else reading.strays.push(identifier)
  }
  const tokens = splitTokens(raw, vocabulary)
  reading.accessory = accessoryIn(tokens, vocabulary)
  if (SCREENS.has(tokens[0] ?? '')) reading.types.add('monitor')
  for (let at = 0; at < tokens.length; at += 1) at += readToken(tokens, at, reading, vocabulary)
  return reading
}

/** Reads the token into the reading; returns how many further tokens it took with it. */
function readToken(tokens: readonly string[], at: number, reading: Reading, vocabulary: Vocabulary): number {
  const token = tokens[at]!
  const next = tokens[at + 1] ?? ''
  const chip = /^(?:m[1-9]|a(?:[89]|1[0-9])[xz]?)$/.test(token) && !vocabulary.terms.has(token)
  if (chip) {
    const grade = token.startsWith('m') && /^(?:pro|max|ultra)$/.test(next) ? next : ''
    reading.chips.add(token + grade)
    return grade === '' ? 0 : 1
  }
  if (readMeasure(token, next, reading)) return 0
  readWord(token, reading, vocabulary)
  return 0
}

function readMeasure(token: string, next: string, reading: Reading): boolean {
  const number = Number.parseFloat(token)
  if (token.endsWith('inch')) reading.sizes.push(number)
  else if (/^gen\d+$/.test(token)) reading.gens.add(Number(token.slice(3)))
  else if (token.startsWith('cpugen')) reading.processorGens.add(Number(token.slice(6)))
  else if (/^g(?:\d|1[0-4])$/.test(token)) reading.gens.add(Number(token.slice(1)))
  else if (/^\d+[gt]b$/.test(token)) reading.gigabytes.push(token.endsWith('tb') ? number * 1024 : number)
  else if (/^[\d.]+(?:ghz|core|ports)$/.test(token)) reading.equipment.add(token)
  else if (/^\d+$/.test(token)) readNumber(token, next, reading)
  else if (/^\d+\.\d+$/.test(token)) {
    if (number >= 4) reading.sizes.push(number)
  } else return false
  return true
}

function readNumber(token: string, next: string, reading: Reading): void {
  const number = Number(token)
  const isSerial = token.length > 4 || (token.length > 1 && token.startsWith('0'))
  if (isSerial) return
  if (number >= 2010 && number <= 2030) reading.years.add(number)
  else if (STORAGE_SIZES.has(number) && number >= 64) reading.gigabytes.push(number)
  else if (MEMORY_SIZES.has(number) && isStorage(next) && isNamed(reading)) reading.gigabytes.push(number)
  else reading.numbers.add(number)
}

/** True once a number of the model has been read: what follows is memory. */
const isNamed = ({ numbers, chips, words }: Reading): boolean =>
  numbers.size > 0 || chips.size > 0 || [...words].some((word) => /\d/.test(word))

const isStorage = (token: string): boolean => /^(?:(?:64|128|256|512|1000|1024|2048)(?:gb)?|[12]tb)$/.test(token)

function readWord(token: string, reading: Reading, { terms, codes }: Vocabulary): void {
  const brand = BRANDS.get(token)
  if (brand !== undefined) reading.brands.add(brand)
  const type = TYPE_WORDS.get(token)
  if (type !== undefined) reading.types.add(type)
  const soft = SOFT_WORDS.get(token)
  if (soft !== undefined) reading.soft.add(soft)
  else if (token === 'intel') reading.chips.add('intel')
  else if (VARIANT_WORDS.has(token)) reading.variants.add(token)
  else if (codes.has(token)) reading.codes.add(token)
  else if (BRANDS_THAT_NAME_A_FAMILY.has(token)) reading.words.add(token)
  else if (brand !== undefined || type !== undefined) return
  else if (terms.has(token) || LINE_WORDS.has(token)) reading.words.add(token)
  else if (NOISE.has(token)) return
  else if (token.length === 1) reading.words.add(token)
  else if (/\d/.test(token) && !isStockNumber(token, terms)) reading.strays.push(token)
}

/** Letters and digits in a tangle name a piece of stock, not a model. */
function isStockNumber(token: string, terms: ReadonlySet<string>): boolean {
  for (const term of terms) {
    const isCode = term.length > 4 && /\d/.test(term)
    if (isCode && (token.startsWith(term) || isOneSlipApart(token, term))) return false
  }
  const changes = token.match(/[a-z]+|\d+/g)?.length ?? 0
  return token.length >= 8 || (token.length >= 6 && changes >= 4) || /^\w{5}(?:ea|et|ec|aa|av|ua|ut)$/.test(token)
}
