// Parses every name of every model once, when the matcher is created.
import { aliasKey, type DeviceModel, type ReferenceData } from '../reference/reference-data.ts'
import { layered } from '../reference/layered-map.ts'
import { machineTypeOf } from './machine-type.ts'
import { impliedTraits, type ImpliedTraits } from './match-facts.ts'
import { codeOf, isCode, isMachineNumber, isReadable, nameKey, namesOf, significantTerms, type Name } from './names.ts'
import { parseProductText, type ParsedText } from './parse-text.ts'
import type { Vocabulary } from './tokenise.ts'

/** A model with everything that its names and known facts state about it. */
export interface IndexedModel {
  readonly model: DeviceModel
  readonly brand: string
  readonly implied: ImpliedTraits
  readonly inches: number | null
  readonly profiles: readonly ModelProfile[]
  readonly codes: ReadonlySet<string>
  /** Words of any of the model's names; none of them contradicts it. */
  readonly words: ReadonlySet<string>
  readonly gigabytes: number | null
  readonly variants: ReadonlySet<string>
  /** Equipment according to the model's own name. */
  readonly equipment: ReadonlySet<string>
  /** Equipment from the name and from known facts. */
  readonly allEquipment: ReadonlySet<string>
  readonly resolutions: ReadonlySet<string>
  readonly hasUsbC: boolean
  /** Entries with the same group are variants of one model, distinguished by storage, equipment and similar traits. */
  readonly group: string
  readonly gen: number | null
  readonly chip: string | null
  readonly years: ReadonlySet<number>
  /** True if a text has to state the generation, chip or year, however it names the line. */
  readonly isOneOfMany: boolean
  /** True if models of this line have sheets of their own by processor, so that its letters tell them apart. */
  readonly hasPlatforms: boolean
  /** True if another model has the same name with its size behind it, so that a bare number is not this one's size. */
  readonly isToldBySize: boolean
}

/** An entry without what only its siblings tell. */
type LoneModel = Omit<IndexedModel, 'hasPlatforms' | 'isToldBySize'>

/** One name of a model: what a text must contain to mean it. */
export interface ModelProfile {
  readonly isOwnName: boolean
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<number>
  readonly size: number | null
  /** True if the number makes the size unnecessary, as in "EliteBook 840 14-inch G10". */
  readonly isSizeOptional: boolean
  readonly gen: number | null
  readonly chip: string | null
  readonly year: number | null
  /** Lenovo's letters for the processor. */
  readonly platforms: ReadonlySet<string>
  readonly soft: ReadonlySet<string>
  readonly ports: string | null
  /** True if the name has only a size and common words, so that only the complete name means it. */
  readonly isGeneral: boolean
}

export interface CatalogueIndex {
  readonly entries: readonly IndexedModel[]
  readonly vocabulary: Vocabulary
  /** Model ids by name without brand and separators. */
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>
}

/** The models to index, with the words by which their names are read. */
export type IndexedData = Pick<ReferenceData, 'models' | 'aliases' | 'codes' | 'matching'>

/**
 * Indexes models: first the words that occur in names, then the contents of each name.
 * @param others the words of the release, for an account's own models: they show that a text means another model
 */
export function buildCatalogueIndex(referenceData: IndexedData, others: OtherWords = NO_WORDS): CatalogueIndex {
  const { matching: lexicon } = referenceData
  const aliasesOf = new Map<string, string[]>()
  for (const [alias, ids] of referenceData.aliases) for (const id of ids) append(aliasesOf, id, alias)
  const codes = new Map<string, string[]>()
  const machineTypes = new Map<string, Set<string>>()
  const named = [...referenceData.models.values()].map((model) => {
    const aliases = aliasesOf.get(model.id) ?? []
    const implied = impliedTraits(model.id, lexicon.modelFacts)
    const numbers = implied.modelNumber === undefined ? [] : [implied.modelNumber]
    const machineNumbers = aliases.filter((alias) => isMachineNumber(alias, model.brand))
    for (const type of machineNumbers.map((one) => machineTypeOf(one)!))
      machineTypes.set(type, (machineTypes.get(type) ?? new Set()).add(model.id))
    const isOwnCode = (alias: string): boolean =>
      isCode(alias, model, referenceData.codes) && isReadable(alias) && !machineNumbers.includes(alias)
    const own = [...aliases.filter(isOwnCode), ...numbers]
    for (const alias of own) append(codes, codeOf(alias), model.id)
    return { model, implied, names: namesOf(model, aliases, implied, referenceData), codes: new Set(own.map(codeOf)) }
  })
  const terms = significantTerms(
    named.flatMap(({ names }) => names),
    lexicon,
  )
  const families = [...terms, ...lexicon.meanings.brand.keys()].filter(
    (term) => term.length > 4 && /^[a-z]+$/.test(term),
  )
  const numbered = [...terms].filter((term) => term.length > 4 && /\d/.test(term))
  const vocabulary = withWords({ lexicon, terms, families, numbered, codes, machineTypes }, others)
  const byName = new Map<string, Set<string>>()
  for (const { model, names } of named) {
    for (const { tokens } of names) {
      const key = nameKey(tokens, lexicon)
      byName.set(key, (byName.get(key) ?? new Set()).add(model.id))
    }
  }
  const entries = named.map(({ model, implied, names, codes }) => entryOf(model, implied, names, codes, vocabulary))
  return { entries: besideSiblings(entries), vocabulary, byName }
}

function besideSiblings(entries: readonly LoneModel[]): readonly IndexedModel[] {
  const withPlatforms = new Set<string>()
  const withSizes = new Set<string>()
  for (const { brand, profiles } of entries) {
    const [{ words, numbers, platforms }] = profiles as readonly [ModelProfile]
    if (platforms.size > 0) withPlatforms.add(lineKey(brand, words, numbers))
    if (numbers.size === 1 && isPortableSize([...numbers][0]!)) withSizes.add(lineKey(brand, words, NO_NUMBERS))
  }
  return entries.map((entry) => {
    const [{ words, numbers, size }] = entry.profiles as readonly [ModelProfile]
    const line = lineKey(entry.brand, words, numbers)
    return { ...entry, hasPlatforms: withPlatforms.has(line), isToldBySize: size === null && withSizes.has(line) }
  })
}

const NO_NUMBERS: ReadonlySet<number> = new Set()

/** A line by its code, such as V110, which texts write with and without "IdeaPad"; by all words if it has none. */
function lineKey(brand: string, words: ReadonlySet<string>, numbers: ReadonlySet<number>): string {
  const codes = [...words].filter((word) => /\d{3}/.test(word))
  return [brand, ...(codes.length > 0 ? codes : words), ...numbers].sort().join(' ')
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

type OtherWords = Omit<Vocabulary, 'lexicon'>

const NO_WORDS: OtherWords = {
  terms: new Set(),
  families: [],
  numbered: [],
  codes: new Map(),
  machineTypes: new Map(),
}

const withWords = (own: Vocabulary, others: OtherWords): Vocabulary => ({
  ...own,
  terms: others === NO_WORDS ? own.terms : { has: (term) => own.terms.has(term) || others.terms.has(term) },
  families: [...own.families, ...others.families],
  numbered: [...own.numbered, ...others.numbered],
  codes: layered(own.codes, others.codes),
  machineTypes: layered(own.machineTypes, others.machineTypes),
})

function entryOf(
  model: DeviceModel,
  implied: ImpliedTraits,
  names: readonly Name[],
  codes: ReadonlySet<string>,
  vocabulary: Vocabulary,
): LoneModel {
  const brand = aliasKey(model.brand)
  const screen = model.screenInches && Number(model.screenInches.numerator) / Number(model.screenInches.denominator)
  const inches = implied.screen ?? screen
  const readings = names.map(({ text, tokens }) => parseProductText(text, tokens, vocabulary))
  const [own] = readings
  const ownChip = [...own!.chips].find((chip) => chip !== 'intel') ?? null
  const chip = ownChip ?? (model.id.startsWith('apple-macbook') ? 'intel' : null) ?? implied.chip ?? null
  const profiles = readings.map((reading, at) => profileOf(reading, at === 0, model, inches, implied))
  const profile = profiles[0]!
  const chipWords = implied.chip?.startsWith('a') ? [implied.chip] : []
  const words = readings.flatMap((reading) => [...reading.words])
  const { variants, equipment, resolutions, hasUsbC } = own!
  return {
    model,
    brand,
    implied,
    inches,
    profiles,
    codes,
    words: new Set([...words, ...chipWords, ...(implied.words ?? [])]),
    gigabytes: own!.gigabytes.some((one) => !profile.numbers.has(one)) ? Math.max(...own!.gigabytes) : null,
    variants,
    equipment,
    allEquipment: new Set([...equipment, ...(implied.equipment ?? [])]),
    resolutions,
    hasUsbC,
    group: groupOf(brand, profile, chip),
    gen: profile.gen ?? implied.gen ?? null,
    chip,
    years: new Set([...readings.flatMap(({ years }) => [...years]), ...(implied.year ? [implied.year] : [])]),
    isOneOfMany: brand === 'apple' && (profile.gen !== null || ownChip !== null || profile.year !== null),
  }
}

function profileOf(
  reading: ParsedText,
  isOwnName: boolean,
  { type, brand }: DeviceModel,
  inches: number | null,
  implied: ImpliedTraits,
): ModelProfile {
  const numbers = new Set(reading.numbers)
  // "HP 256 G8": a model number that looks like a storage size.
  if (reading.words.size + numbers.size === 0 && reading.gens.size > 0)
    reading.gigabytes.forEach((one) => numbers.add(one))
  const words = new Set([...reading.words].filter((word) => !implied.words?.includes(word)))
  const hasDigits = [...words].some((word) => /\d/.test(word) && word !== '2in1' && word !== 'x360')
  const gen = [...reading.gens][0] ?? null
  const year = [...reading.years][0] ?? null
  const chip = [...reading.chips].find((one) => one !== 'intel') ?? null
  let size = reading.sizes[0] ?? null
  for (const number of numbers) {
    const isTold = hasDigits || numbers.size > 1 || gen !== null || year !== null || chip !== null || words.has('x360')
    if (size === null && isTold && isSizeOf(number, type, inches)) {
      size = number
      numbers.delete(number)
    }
  }
  // "P24h": the number contains the monitor's size.
  const isSizeInCode = type === 'monitor' && [...words].some((word) => /^[a-z]\d\d[a-z]{0,2}$/.test(word))
  const isNumbered = [...numbers].some((number) => number >= 200)
  return {
    isOwnName,
    words,
    numbers,
    size,
    isSizeOptional: (isNumbered && brand !== 'Lenovo') || isSizeInCode || implied.hasOneSize === true,
    gen,
    chip,
    year,
    platforms: reading.platforms,
    soft: brand !== 'Apple' && reading.chips.has('intel') ? new Set([...reading.soft, 'intel']) : reading.soft,
    ports: [...reading.equipment, ...(implied.equipment ?? [])].find((one) => one.endsWith('ports')) ?? null,
    isGeneral: words.size === 0 && !isNumbered,
  }
}

/** True if a bare number in a name is the screen size rather than part of the model's number. */
function isSizeOf(number: number, type: string, inches: number | null): boolean {
  if (type === 'mobile' || type === 'headphone' || type === 'gaming_console') return false
  if (inches !== null) return Math.abs(number - inches) < 1
  return type !== 'monitor' && isPortableSize(number)
}

const isPortableSize = (number: number): boolean => number >= 10 && number <= 18

function groupOf(
  brand: string,
  { words, numbers, gen, year, platforms, size, isSizeOptional, ports, soft }: ModelProfile,
  chip: string | null,
) {
  const born = brand !== 'apple' || chip === 'intel' ? year : null
  const inches = (isSizeOptional && brand !== 'apple') || size === null ? null : Math.floor(size)
  return [
    brand,
    ...[...words].sort(),
    ...[...soft].sort(),
    ...[...numbers].sort(),
    `g${gen}`,
    ...platforms,
    chip,
    born,
    inches,
    ports,
  ].join(' ')
}
