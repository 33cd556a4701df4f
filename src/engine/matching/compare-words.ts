// Comparison of words, numbers and screen size of a text with a model; each function adds its findings to the result.
import { typeOfWord, type MatchLexicon } from './match-lexicon.ts'
import { statesGeneration, type ComparisonResult, type MatchContext } from './compare-identity.ts'
import type { IndexedModel, ModelProfile } from './catalogue-index.ts'
import { TRAIT_MESSAGES, traitOf, type Trait } from './messages.ts'
import type { ParsedText } from './parse-text.ts'

/** Words, features and screen: the text must contain those of the name, and none that belong to another model. */
export function compareWords(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  around: MatchContext,
  isCoded: boolean,
  judgement: ComparisonResult,
): void {
  const { agreed, lacking, open, contradictions } = judgement
  const { lexicon } = around
  for (const word of profile.words) {
    if (reading.words.has(word)) agreed.push(word)
    else if (isCoded || goesWithoutSaying(word, entry, profile, reading, around)) open.push(word)
    else lacking.push({ kind: 'word', trait: word })
  }
  for (const word of reading.words) {
    const isPlain = lexicon.words.plain_specification.has(word) && hasExactNumber(profile)
    if (!entry.words.has(word) && !isPlain && !saysNothing(word, entry, reading))
      contradictions.push(ofOtherModel(word))
  }
  for (const slip of reading.slips) {
    if (HAS_GRADES.has(entry.model.type))
      contradictions.push(traitOf(TRAIT_MESSAGES.trait_word_of_grade, { word: slip }))
  }
  if (entry.model.type === 'gaming_console' && reading.gigabytes.length === 0) {
    const game = reading.unknown.find(
      (one) => !lexicon.words.console_word.has(one) && typeOfWord(one, lexicon) === undefined,
    )
    if (game !== undefined) contradictions.push(traitOf(TRAIT_MESSAGES.trait_word_of_game, { word: game }))
  }
  const other = reading.unknown[0]
  if (other !== undefined && isEverydayWords(entry, reading, around)) contradictions.push(ofOtherModel(other))
  if (isNumberOfAnyMaker(entry, profile, reading, around)) lacking.push({ kind: 'word', trait: entry.brand })
  judgeFeatures(entry, profile, reading, judgement)
  judgeScreen(entry, profile, reading, judgement)
  for (const one of reading.equipment) {
    const isPorts = one.endsWith('ports')
    const { ports } = profile
    if (isPorts && ports !== null && ports !== one)
      contradictions.push(traitOf(TRAIT_MESSAGES.trait_other_feature, { feature: one, own: ports }))
    else if (entry.allEquipment.has(one)) agreed.push(one)
  }
}

/** True if the name has a number of letters and at least four digits, such as P2422H, which no other model has. */
const hasExactNumber = ({ words }: ModelProfile): boolean => [...words].some((word) => /^[a-z]+\d{4}[a-z]*$/.test(word))

const ofOtherModel = (word: string): Trait => traitOf(TRAIT_MESSAGES.trait_word_of_other, { word })

/** "Studio display" may mean any studio's display, unless the manufacturer or a number indicates Apple's. */
const isEverydayWords = (
  { words, brand }: IndexedModel,
  { brands, sizes, numbers }: ParsedText,
  around: MatchContext,
): boolean =>
  around.brand !== brand &&
  !brands.has(brand) &&
  sizes.length + numbers.size === 0 &&
  [...words].every((word) => isEveryday(word, around.lexicon))

/** "Tab 4" is Lenovo's, but "TAB-4" may be anybody's fourth tablet, unless something names the manufacturer. */
const isNumberOfAnyMaker = (
  { brand }: IndexedModel,
  { words }: ModelProfile,
  { brands }: ParsedText,
  around: MatchContext,
): boolean =>
  around.brand !== brand &&
  !brands.has(brand) &&
  words.size > 0 &&
  [...words].every((word) => /^(tab|\d\d?)$/.test(word))

/** True for a word without a number that is not specific to one manufacturer and is used for many devices. */
function isEveryday(word: string, lexicon: MatchLexicon): boolean {
  const bare = word.replace(/(?<=.)display$/, '')
  const { words, meanings } = lexicon
  if (meanings.product_line.has(bare)) return false
  return words.line.has(bare) || words.ignored.has(bare) || typeOfWord(bare, lexicon) !== undefined
}

const HAS_GRADES: ReadonlySet<string> = new Set(['mobile', 'tablet'])
/** HP adds a letter for another resolution or port of a monitor: "E24 G4 QHD" is the E24q. */
function judgeScreen(
  { brand, model, resolutions, hasUsbC }: IndexedModel,
  { words }: ModelProfile,
  reading: ParsedText,
  judgement: ComparisonResult,
) {
  if (brand !== 'hp' || model.type !== 'monitor') return
  const isPlain = [...words].some((word) => /^[ep]\d\d[hv]?$/.test(word))
  const own = resolutions.size === 0 && isPlain ? FULL_HD : resolutions
  const other = own.size === 0 ? undefined : [...reading.resolutions].find((one) => !own.has(one))
  if (other !== undefined)
    judgement.contradictions.push(
      traitOf(TRAIT_MESSAGES.trait_other_feature, { feature: other, own: [...own].join(' ') }),
    )
  if (isPlain && reading.hasUsbC && !hasUsbC) judgement.contradictions.push('USB-C')
  if (isPlain && reading.soft.has('touch')) judgement.contradictions.push('touch')
}
const FULL_HD: ReadonlySet<string> = new Set(['fhd'])

/** Until then, a device with 5G had it in its name; a sheet of an earlier year is of another device. */
const YEAR_OF_5G = 2020

/** Touch, mobile network and processor make: a text may omit most of them, but some exclude each other. */
function judgeFeatures(
  { model, implied }: IndexedModel,
  { soft }: ModelProfile,
  reading: ParsedText,
  judgement: ComparisonResult,
): void {
  const { agreed, lacking, open, contradictions } = judgement
  const born = implied.year ?? model.source.year
  if (reading.soft.has('5g') && !soft.has('5g') && born !== null && born < YEAR_OF_5G) contradictions.push('5G')
  const isIntel = reading.chips.has('intel')
  const isAmd = reading.soft.has('amd')
  for (const feature of soft) {
    if (reading.soft.has(feature) || (feature === 'intel' && isIntel)) agreed.push(feature)
    else if ((feature === 'amd' && isIntel) || (feature === 'intel' && isAmd))
      contradictions.push(traitOf(TRAIT_MESSAGES.trait_no_feature, { feature }))
    else if (feature === '5g' && model.type === 'mobile' && reading.soft.has('cellular')) contradictions.push('4G')
    else if (feature === '5g' && model.type !== 'mobile') lacking.push({ kind: 'feature', trait: feature })
    else open.push(feature)
  }
}

/** True for a family word that the model's number already implies, if the manufacturer is known. */
function goesWithoutSaying(
  word: string,
  entry: IndexedModel,
  { words, numbers, gen }: ModelProfile,
  { brands, types, gigabytes }: ParsedText,
  { brand, deviceType, lexicon }: MatchContext,
): boolean {
  if (word === 'thinkpad' && words.has('x1')) return true
  if (word === 'gaming' && words.has('omen')) return true
  // The manufacturer's name is also the family's name, and here the brand states it.
  if (word === brand && lexicon.words.brand_in_model_name.has(word)) return true
  if (word === 'thinkcentre' && words.has('tinyinone')) return true
  if (brand !== entry.brand && !brands.has(entry.brand)) return false
  const hasCode = (digits: number) =>
    [...words].some((one) => /[a-z]/.test(one) && one.replace(/\D/g, '').length >= digits)
  const has = (form: RegExp) => [...words].some((one) => form.test(one))
  // "Series X", from a manufacturer that makes only one console.
  if (word === 'xbox') return deviceType === 'gaming_console'
  if (word === 'thinkpad') return hasCode(3) || has(/^p[4-7]\ds?$/)
  if (word === 'latitude') return has(/^e\d{4}$/)
  if (word === 'thinkvision') return hasCode(2)
  if (word === 'ideapad' || word === 'legion') return hasCode(3)
  if (word === 'galaxy') {
    // "Samsung S24" may be a monitor.
    const isNotMonitor = deviceType !== null || types.size > 0 || gigabytes.length > 0 || words.size > 2
    return !types.has('monitor') && isNotMonitor && (hasCode(2) || words.has('tab') || has(/^(?:fold|flip)\d$/))
  }
  if (word === 'elitebook' || word === 'probook') return gen !== null && [...numbers].some((one) => one >= 400)
  return false
}

/** True for words that texts add to the names of some families without meaning another model. */
function saysNothing(word: string, { model, words }: IndexedModel, reading: ParsedText): boolean {
  const isMonitor = model.type === 'monitor'
  if (word === 'thinkvision') return isMonitor && model.brand === 'Lenovo'
  // A country, except for HP's 14-eu.
  if (word === 'eu') return model.brand !== 'HP'
  if (word === 'evo') return model.type === 'laptop'
  if (word === 'enterprise') return model.brand === 'Samsung'
  if (word === 'titanium') return model.type === 'mobile'
  if (word === 'ultrasharp' || word === 'hub') return isMonitor && model.brand === 'Dell'
  if (word === 'alienware') return words.has('aw2518h')
  if (word === 'gaming') return !reading.words.has('ideapad')
  if (word === '2in1') return ['x360', 'yoga', 'flex', 'miix', 'surface'].some((line) => words.has(line))
  if (word === 'ideapad')
    return model.brand === 'Lenovo' && /^lenovo-(?:miix|flex|v\d|chromebook|legion)/.test(model.id)
  return false
}

/** Bare numbers: the text must contain those of the name; others may only be a size or a generation of the model. */
export function compareNumbers(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  { lexicon }: MatchContext,
  isCoded: boolean,
  { agreed, lacking, contradictions }: ComparisonResult,
): void {
  for (const number of profile.numbers) {
    const isSaid =
      reading.numbers.has(number) ||
      (number >= 64 && reading.gigabytes.includes(number)) ||
      (reading.gens.has(number) && entry.gen === number)
    if (isSaid) agreed.push(String(number))
    else if (!isCoded) lacking.push({ kind: 'number', trait: String(number) })
  }
  for (const number of reading.numbers) {
    if (profile.numbers.has(number) || isSizeSaid(number, entry, profile, lexicon)) continue
    if (statesGeneration(number, entry, profile)) continue
    contradictions.push(ofOtherModel(String(number)))
  }
}

const isSizeSaid = (number: number, entry: IndexedModel, profile: ModelProfile, lexicon: MatchLexicon): boolean =>
  entry.model.type !== 'mobile' &&
  !(entry.isToldBySize && profile.size === null) &&
  (entry.brand !== 'microsoft' || profile.size !== null) &&
  isSizeOf(number, entry, profile, lexicon)

/** True if a text may state this size for the screen: rounded, truncated, or with all decimals. */
function isSizeOf(
  said: number,
  { inches, model, implied }: IndexedModel,
  { size }: ModelProfile,
  { words }: MatchLexicon,
): boolean {
  const own = size ?? inches
  if (own === null) return false
  if (said === own) return true
  if (implied.isSizeExact) return false
  if (model.type === 'mobile') return Math.abs(said - own) < 0.15
  if (!Number.isInteger(said)) {
    if (model.type === 'monitor' && Number.isInteger(own) && Math.abs(said - own) <= 0.5) return true
    return (inches !== null && Math.abs(said - inches) < 0.25) || (Number.isInteger(own) && Math.floor(said) === own)
  }
  const isRounded = model.type !== 'laptop' && model.brand !== 'Apple'
  if (said === Math.floor(own) || (isRounded && said === Math.round(own))) return true
  // Sheets truncate the decimals of a monitor's size, as in 23 for 23.8, unless the size is an integer.
  return model.type === 'monitor' && size === null && said === own + 1 && !words.whole_inches.has(String(own))
}

/** Screen size in inches: a different size contradicts; if the name depends on the size, the text must state it. */
export function compareScreenSize(
  entry: IndexedModel,
  profile: ModelProfile,
  reading: ParsedText,
  { lexicon }: MatchContext,
  isCoded: boolean,
  { agreed, lacking, open, contradictions }: ComparisonResult,
): void {
  const { size } = profile
  const said = [...reading.sizes, ...[...reading.numbers].filter((number) => !profile.numbers.has(number))]
  const fits = (one: number) => isSizeOf(one, entry, profile, lexicon)
  for (const one of reading.sizes) {
    if (profile.numbers.has(one) || (size === null && entry.inches === null)) continue
    if (fits(one)) continue
    contradictions.push(traitOf(TRAIT_MESSAGES.trait_other_inches, { inches: one, own: (size ?? entry.inches)! }))
  }
  if (size === null) return
  const trait = traitOf(TRAIT_MESSAGES.trait_inches, { inches: size })
  if (said.some(fits)) agreed.push(trait)
  else if (profile.isSizeOptional || isCoded) open.push(trait)
  else lacking.push({ kind: 'size', trait })
}
