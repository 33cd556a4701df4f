// Comparison of part number, generation, chip, year and manufacturer; each function adds its findings to the result.
import type { DeviceType } from '../reference/reference-data.ts'
import type { IndexedModel, ModelProfile } from './catalogue-index.ts'
import type { MatchLexicon } from './match-lexicon.ts'
import { machineTypeOf } from './machine-type.ts'
import { TRAIT_MESSAGES, traitOf, type Trait } from './messages.ts'
import type { ParsedText } from './parse-text.ts'

/** What is known of a product in addition to its text. */
export interface MatchContext {
  /** The manufacturer, in lower case; null if not stated. */
  readonly brand: string | null
  readonly deviceType: DeviceType | null
  /** Models whose complete name equals the text. */
  readonly named: ReadonlySet<string>
  readonly lexicon: MatchLexicon
}

/** A trait that the name has and the text lacks, with its kind. */
export interface MissingFeature {
  readonly kind: 'word' | 'number' | 'size' | 'feature' | 'generation' | 'brand' | 'name'
  readonly trait: Trait
}

export interface ComparisonResult {
  readonly agreed: Trait[]
  readonly lacking: MissingFeature[]
  readonly open: Trait[]
  readonly contradictions: Trait[]
}

/** @returns true if a part number or similar code identifies the model */
export function compareCodes(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  { agreed, contradictions }: ComparisonResult,
): boolean {
  let isCoded = false
  for (const code of reading.codes) {
    if (entry.codes.has(code)) {
      isCoded = true
      agreed.push(traitOf(TRAIT_MESSAGES.trait_part_number, { number: code.toUpperCase() }))
    } else contradictions.push(traitOf(TRAIT_MESSAGES.trait_part_number_of_other, { number: code.toUpperCase() }))
  }
  for (const stray of reading.strays) {
    const isUnlisted = UNLISTED.some((kind) => kind.test(stray) && ![...entry.codes].some((code) => kind.test(code)))
    // "ThinkPad Edge E431 627748G"
    const isMachineNumber = machineTypeOf(stray) !== null && isOfMachineType(entry, profile)
    if (isUnlisted || isMachineNumber || isOwnNumber(stray, entry)) continue
    contradictions.push(traitOf(TRAIT_MESSAGES.trait_word_of_other, { word: stray }))
  }
  return compareMachineTypes(entry, profile, reading, { agreed, contradictions }) || isCoded
}

/** @returns true if a known machine type is the model's; an unknown one may be of another generation */
function compareMachineTypes(
  entry: IndexedModel,
  profile: ModelProfile,
  { machineTypes, gens }: ParsedText,
  { agreed, contradictions }: Pick<ComparisonResult, 'agreed' | 'contradictions'>,
): boolean {
  let isCoded = false
  for (const { number, bearers } of machineTypes) {
    if (bearers?.has(entry.model.id)) {
      isCoded = true
      agreed.push(traitOf(TRAIT_MESSAGES.trait_part_number, { number: number.toUpperCase() }))
    } else if (bearers)
      contradictions.push(traitOf(TRAIT_MESSAGES.trait_part_number_of_other, { number: number.toUpperCase() }))
    // If the text states the generation itself, an unknown machine type is not examined.
    else if (gens.size === 0 && !isOfMachineType(entry, profile))
      contradictions.push(traitOf(TRAIT_MESSAGES.trait_word_of_generation, { word: number }))
  }
  return isCoded
}

/**
 * True for a model number that Samsung or Google may add. Samsung's numbers end in a region letter and may lack "SM".
 * Google's are recognised by their "g" and occur in addition to the name.
 */
const isOwnNumber = (stray: string, { brand, codes }: IndexedModel): boolean =>
  (brand === 'google' && /^g(?=.*\d)[a-z\d]{4}$/.test(stray)) ||
  (/^sm[a-z]\d{3}[a-z]$/.test(stray) && [...codes].some((code) => code.startsWith(stray.slice(0, 6)))) ||
  (/^[a-z]\d{3}[a-z]?$/.test(stray) && [...codes].some((code) => code.startsWith(`sm${stray.slice(0, 4)}`)))

/**
 * True for a name with a three-digit number, such as ThinkPad T470 or IdeaPad 320: it has one generation, whatever its
 * machine type; others may have several.
 */
export const isOfMachineType = (entry: IndexedModel, profile: ModelProfile): boolean =>
  hasLetteredNumber(entry, profile) || (entry.brand === 'lenovo' && [...profile.numbers].some((one) => one >= 100))

const hasLetteredNumber = ({ brand }: IndexedModel, { words }: ModelProfile): boolean =>
  brand === 'lenovo' && [...words].some((word) => /^(?:[a-z]\d{3}[a-z]?|\d{3}s)$/.test(word))

/** Manufacturers' model numbers that are ignored if the catalogue lists none of that kind for the model. */
const UNLISTED = [/^a[123]\d{3}$/, /^sm[a-z]\d/, /^v[1-9]$/]

/** "iPad Air 5" and "Surface Pro 5" give the generation as a bare number. */
export const statesGeneration = (number: number, { brand, gen }: IndexedModel, { numbers }: ModelProfile): boolean =>
  (brand === 'apple' || brand === 'microsoft') && gen === number && numbers.size === 0

/** Generation, chip and year: none may differ, and one must be stated if the name applies to several models. */
export function compareIdentity(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  _around: MatchContext,
  isCoded: boolean,
  judgement: ComparisonResult,
): void {
  const { agreed, lacking, open } = judgement
  const before = agreed.length
  judgeGens(entry, profile, reading, judgement)
  judgeChips(entry, reading, judgement)
  judgeYears(entry, profile, reading, judgement)
  judgePlatform(entry, profile, reading, isCoded, judgement)
  judgeProcessor(entry, reading, isCoded, judgement)
  // The processor tells which of two machines with one number is meant; if it is of the other one, it contradicts.
  const isDated = entry.implied.isNumberReused === true && reading.processorYear !== null
  const isTold = agreed.length > before || isCoded || isDated
  const needsOne = entry.isOneOfMany || profile.gen !== null || profile.chip !== null || profile.year !== null
  if (!needsOne) return
  if (isTold) {
    const { year } = profile
    if (year !== null && !reading.years.has(year)) open.push(yearOf(year))
  } else
    lacking.push({
      kind: 'generation',
      trait:
        entry.brand === 'apple'
          ? traitOf(TRAIT_MESSAGES.trait_generation_chip_or_year, {})
          : traitOf(TRAIT_MESSAGES.trait_generation_or_year, {}),
    })
}

/** As text, which nobody writes with a thousands separator. */
const yearOf = (year: number): Trait => traitOf(TRAIT_MESSAGES.trait_year, { year: String(year) })

const generationOf = (generation: number): Trait => traitOf(TRAIT_MESSAGES.trait_generation, { generation })

function judgeGens(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  { agreed, contradictions }: ComparisonResult,
): void {
  const said = new Set([...reading.gens, ...(entry.brand === 'lenovo' ? reading.processorGens : [])])
  const own = profile.gen ?? (entry.brand === 'apple' || entry.brand === 'microsoft' ? entry.gen : null)
  for (const gen of said) {
    if (gen === own) agreed.push(generationOf(gen))
    else if (isProcessors(gen, own, entry, profile, reading)) continue
    else if (own === null) contradictions.push(generationOf(gen))
    else contradictions.push(traitOf(TRAIT_MESSAGES.trait_other_generation, { generation: gen, own }))
  }
  if (own !== null && said.size === 0 && reading.numbers.has(own) && statesGeneration(own, entry, profile)) {
    agreed.push(generationOf(own))
  }
}

/** "Latitude 5420, 11th Gen" is the processor's generation if the device has none or states its own separately. */
function isProcessors(
  gen: number,
  own: number | null,
  entry: IndexedModel,
  profile: ModelProfile,
  { chips, gens }: ParsedText,
): boolean {
  if (gen < 6 || !chips.has('intel')) return false
  const isOneGeneration = entry.brand === 'dell' || hasLetteredNumber(entry, profile)
  return (isOneGeneration && own === null) || (entry.brand === 'hp' && own !== null && gens.has(own))
}

function judgeChips(
  { brand, chip, implied }: IndexedModel,
  { chips }: ParsedText,
  { agreed, contradictions }: ComparisonResult,
): void {
  for (const said of chips) {
    // "macbook-pro-m2 … M2 Max": the chip with its grade is the more exact one.
    if ([...chips].some((other) => other !== said && other.startsWith(said))) continue
    if (brand === 'apple') {
      const isPlain = said === 'intel' && chip === null
      if (said === chip && said !== 'intel' && !implied.isChipShared)
        agreed.push(traitOf(TRAIT_MESSAGES.trait_chip, { chip: said }))
      else if (said !== chip && !isPlain)
        contradictions.push(
          chip === null
            ? traitOf(TRAIT_MESSAGES.trait_chip, { chip: said })
            : traitOf(TRAIT_MESSAGES.trait_other_chip, { chip: said, own: chip }),
        )
    } else if (said !== 'intel' && !/^m[357]$/.test(said))
      contradictions.push(traitOf(TRAIT_MESSAGES.trait_word_of_other, { word: said }))
  }
}

/** Maximum number of years from a device to its sheet, and from a processor to its device. */
const AGE_MAX = 5

function judgeYears(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  { agreed, contradictions }: ComparisonResult,
): void {
  const { years, model } = entry
  const born = entry.implied.year ?? model.source.year
  // Sheets are published with the device; its texts may name the next year, unless the next model has the same name.
  const latest = born === null ? Infinity : born + (entry.implied.intelGens ? 0 : 1)
  const earliest = born === null ? 0 : born - AGE_MAX
  for (const year of reading.years) {
    if (years.has(year) && (profile.year === null || profile.year === year)) agreed.push(yearOf(year))
    else if (years.size > 0 || year > latest || year < earliest) contradictions.push(yearOf(year))
  }
}

/** Lenovo's letters for the processor: they tell sheets apart in lines that have several for one size. */
function judgePlatform(
  { hasPlatforms }: IndexedModel,
  profile: ModelProfile,
  { platforms }: ParsedText,
  isCoded: boolean,
  { agreed, lacking, contradictions }: ComparisonResult,
): void {
  for (const letters of platforms) {
    if (profile.platforms.has(letters)) agreed.push(letters)
    else if (profile.platforms.size > 0 || hasPlatforms)
      contradictions.push(traitOf(TRAIT_MESSAGES.trait_word_of_other, { word: letters }))
  }
  if (platforms.size > 0 || isCoded) return
  for (const letters of profile.platforms) lacking.push({ kind: 'word', trait: letters })
}

/** A device cannot have a processor that is newer than itself. */
function judgeProcessor(
  { implied, model }: IndexedModel,
  reading: ParsedText,
  isCoded: boolean,
  { lacking, contradictions }: ComparisonResult,
): void {
  const born = implied.year ?? model.source.year
  const { processorYear: year } = reading
  if (year !== null && born !== null && year > born)
    contradictions.push(traitOf(TRAIT_MESSAGES.trait_processor_younger, { year: String(year) }))
  if (year !== null && born !== null && year < born - AGE_MAX)
    contradictions.push(traitOf(TRAIT_MESSAGES.trait_processor_older, { year: String(year) }))
  const { intelGen } = reading
  const [first, last] = implied.intelGens ?? [0, Infinity]
  if (intelGen !== null && (intelGen < first || intelGen > last))
    contradictions.push(traitOf(TRAIT_MESSAGES.trait_processor_generation, { generation: intelGen }))
  const [maker, second] = reading.processorMakers
  // If two makers are named, one of them made the graphics.
  if (maker !== undefined && second === undefined && implied.processors && !implied.processors.includes(maker))
    contradictions.push(traitOf(TRAIT_MESSAGES.trait_processor_maker, { maker }))
  if (implied.isNumberReused && !isCoded && year === null && reading.years.size === 0)
    lacking.push({ kind: 'generation', trait: traitOf(TRAIT_MESSAGES.trait_processor_or_year, {}) })
}

/** Manufacturer and device type, from the text and from the context: neither may differ. */
export function compareBrand(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  { brand, deviceType, lexicon: { words } }: MatchContext,
  _isCoded: boolean,
  { lacking, contradictions }: ComparisonResult,
): void {
  const isSaid = reading.brands.has(entry.brand)
  const others = [...reading.brands].filter((one) => one !== entry.brand && one !== 'microsoft' && one !== 'google')
  if (brand !== null && brand !== entry.brand && !(isSaid && !words.brand_of_catalogue.has(brand)))
    contradictions.push(brandOf(brand))
  if (others.length > 0) contradictions.push(brandOf(others[0]!))
  else if (!isSaid && brand !== entry.brand && reading.brands.size > 0)
    contradictions.push(brandOf([...reading.brands][0]!))
  const isTold = profile.numbers.size + profile.words.size > 1 || profile.gen !== null
  const isNameless = !isTold && [...profile.words].every((word) => /\d/.test(word) && word.length <= 3)
  if (isNameless && !isSaid && brand !== entry.brand) lacking.push({ kind: 'brand', trait: brandOf(entry.model.brand) })
  const types = [...reading.types, ...(deviceType === null ? [] : [deviceType])]
  const isKind = (type: string) => type === entry.model.type || (isPortable(type) && isTwoInOne(entry, words))
  if (deviceType !== null && !isKind(deviceType)) contradictions.push(typeOf(deviceType))
  else if (types.length > 0 && !types.some(isKind)) contradictions.push(typeOf(types[0]!))
}

const brandOf = (brand: string): Trait => traitOf(TRAIT_MESSAGES.trait_brand, { brand })

const typeOf = (type: string): Trait => traitOf(TRAIT_MESSAGES.trait_type, { type })

const isPortable = (type: string): boolean => type === 'laptop' || type === 'tablet'

/** Two-in-ones are listed as laptops in some sources and as tablets in others. */
const isTwoInOne = ({ model, words, implied }: IndexedModel, { two_in_one }: MatchLexicon['words']): boolean =>
  isPortable(model.type) &&
  !words.has('surfacelaptop') &&
  (model.type === 'tablet'
    ? model.brand !== 'Apple' && model.brand !== 'Samsung'
    : implied.isTabletToo === true ||
      implied.words?.includes('2in1') === true ||
      [...two_in_one].some((line) => words.has(line)))
