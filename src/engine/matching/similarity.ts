// Combines the matches of a product's name and id; neither may contradict the other.
import { NO_MATCH, closestVariant, type MatchResult } from './decide.ts'
import { uncontradicted } from './fit.ts'
import { isOfMachineType, type MatchContext } from './compare-identity.ts'
import type { IndexedModel } from './catalogue-index.ts'
import type { ParsedText } from './parse-text.ts'
import { isWithinOneEdit } from './normalise-text.ts'

/**
 * The match of a name and an id together: the model of both, or of one if the other names none.
 * @param around what is known of the product in addition to both
 */
export function comparePair(name: MatchResult, id: MatchResult, around: MatchContext): MatchResult {
  if (name.reading.accessory !== null) return name
  if (name.entry === null) {
    if (id.entry === null) return name.similar.length > 0 ? name : id
    return uncontradicted(id.entry, name.reading, around) !== null && !name.reading.isCut ? id : name
  }
  if (id.entry === null) {
    const storage = id.reading.gigabytes.length > 0 && name.isVariant ? withStorage(name, id.reading) : name
    return contradicts(id.reading, name.entry, around) ? { ...name, ...NO_MATCH } : storage
  }
  if (id.entry.group !== name.entry.group) return { ...name, ...NO_MATCH }
  return name.isVariant && !id.isVariant ? id : name
}

/** Numbers from here on are a client's running numbers, unless the model has such a large number itself. */
const RUNNING_NUMBER_MIN = 1000
/** Dell's and Samsung's monitors: one or two letters, the size of the screen, two more digits. */
const MONITOR_CODE = /^[a-z]{1,2}(?:1[5-9]|[2-5]\d)\d\d[a-z]*$/

/** True if an id names a different device than the name. Letters and digits that identify no device are ignored. */
function contradicts(reading: ParsedText, entry: IndexedModel, around: MatchContext): boolean {
  if (reading.accessory !== null) return true
  if ([...reading.codes].some((code) => !entry.codes.has(code))) return true
  const isLine = [...reading.words].some((word) => word.length > 1 && !entry.words.has(word))
  const isGen = [...reading.gens].some((gen) => gen !== entry.gen)
  const isChip = [...reading.chips].some((chip) => chip !== entry.chip && chip !== 'intel')
  if (isLine || isGen || isChip || isOfOtherMaker(reading, entry)) return true
  if ([...reading.strays, ...reading.stockNumbers].some((one) => isLikeNumberOf(one, entry))) return true
  if (
    entry.brand === 'lenovo' &&
    reading.machineTypes.length > 0 &&
    !entry.profiles.some((one) => isOfMachineType(entry, one))
  )
    return true
  const isNamed =
    [...reading.words].some((word) => word.length > 1) ||
    reading.types.has(entry.model.type) ||
    reading.processorYear !== null ||
    (reading.brands.has(entry.brand) && reading.strays.length > 0)
  const unknown = { ...around, brand: null, deviceType: null }
  return isNamed && uncontradicted(entry, withoutRunningNumbers(reading, entry), unknown) === null
}

/** Microsoft and Google make software for other manufacturers' devices, so their names occur in many ids. */
const isOfOtherMaker = ({ brands }: ParsedText, { brand }: IndexedModel): boolean =>
  brands.size > 0 && !brands.has(brand) && [...brands].some((one) => one !== 'microsoft' && one !== 'google')

/** True for a code outside the catalogue that is of the same kind as the model's, or one typing error away from it. */
function isLikeNumberOf(stray: string, { words, codes, model }: IndexedModel): boolean {
  if (model.type === 'monitor' && MONITOR_CODE.test(stray)) return true
  if (/^sm[a-z]\d/.test(stray)) return ![...codes].some((code) => code.startsWith(stray.slice(0, 6)))
  return [...words].some((word) => word.length >= 4 && /\d/.test(word) && isWithinOneEdit(stray, word))
}

function withoutRunningNumbers(reading: ParsedText, { profiles }: IndexedModel): ParsedText {
  const isLarge = (number: number) => number >= RUNNING_NUMBER_MIN
  if (profiles.some(({ numbers }) => [...numbers].some(isLarge))) return reading
  return { ...reading, numbers: new Set([...reading.numbers].filter((number) => !isLarge(number))) }
}

function withStorage(name: MatchResult, { gigabytes }: ParsedText): MatchResult {
  const reading = { ...name.reading, gigabytes: [...name.reading.gigabytes, ...gigabytes] }
  const group = name.fits.filter(({ entry }) => entry.group === name.entry?.group)
  return { ...name, reading, ...closestVariant(group, reading) }
}
