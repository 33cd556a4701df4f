// A product's name and its id together: neither may speak against the other.
import type { DeviceType } from '../figures/factor-book.ts'
import { NOTHING, nearestVariant, type Verdict } from './match-decide.ts'
import { bestFit } from './match-fit.ts'
import { isOfMachineType, type Surroundings } from './match-identity.ts'
import type { Entry } from './match-profile.ts'
import type { Reading } from './match-reading.ts'
import { isOneSlipApart } from './match-text.ts'

const UNKNOWN: Surroundings = { brand: null, deviceType: null, named: new Set() }

/** What a name and an id mean together: the model of both, or of the one that names one where the other is silent. */
export function combined(name: Verdict, id: Verdict, brand: string | null, deviceType: DeviceType | null): Verdict {
  if (name.reading.accessory !== null) return name
  if (name.entry === null) {
    if (id.entry === null) return name.fits.length > 0 ? name : id
    const fit = bestFit(id.entry, name.reading, { ...UNKNOWN, brand, deviceType })
    return fit.contradictions.length === 0 && !name.reading.isCut ? id : name
  }
  if (id.entry === null) {
    const storage = id.reading.gigabytes.length > 0 && name.isVariant ? withStorage(name, id.reading) : name
    return contradicts(id.reading, name.entry) ? { ...name, ...NOTHING } : storage
  }
  if (id.entry.group !== name.entry.group) return { ...name, ...NOTHING }
  return name.isVariant && !id.isVariant ? id : name
}

/** Numbers from here on are a client's running numbers, where the model has none so large. */
const RUNNING_NUMBER_MIN = 1000
/** Dell's and Samsung's monitors: one or two letters, four digits. */
const MONITOR_CODE = /^[a-z]{1,2}\d{4}[a-z]*$/

/** True for an id that names another device than the name does. Letters and digits that name none say nothing. */
function contradicts(reading: Reading, entry: Entry): boolean {
  if (reading.accessory !== null) return true
  if ([...reading.codes].some((code) => !entry.codes.has(code))) return true
  const isLine = [...reading.words].some((word) => word.length > 1 && !entry.words.has(word))
  const isGen = [...reading.gens].some((gen) => gen !== entry.gen)
  const isChip = [...reading.chips].some((chip) => chip !== entry.chip && chip !== 'intel')
  if (isLine || isGen || isChip || isOfOtherMaker(reading, entry)) return true
  if ([...reading.strays, ...reading.stockNumbers].some((one) => isLikeNumberOf(one, entry))) return true
  if (entry.brand === 'lenovo' && reading.machineTypes.length > 0 && !isOfMachineType(entry)) return true
  const isNamed =
    [...reading.words].some((word) => word.length > 1) ||
    reading.types.has(entry.model.type) ||
    reading.processorYear !== null ||
    (reading.brands.has(entry.brand) && reading.strays.length > 0)
  return isNamed && bestFit(entry, withoutRunningNumbers(reading, entry), UNKNOWN).contradictions.length > 0
}

/** Microsoft and Google make programs for the devices of others; their names stand in many an id. */
const isOfOtherMaker = ({ brands }: Reading, { brand }: Entry): boolean =>
  brands.size > 0 && !brands.has(brand) && [...brands].some((one) => one !== 'microsoft' && one !== 'google')

/** A code that is none of the catalogue's, but of the same kind as the model's own, or a slip away from it. */
function isLikeNumberOf(stray: string, { words, codes, model }: Entry): boolean {
  if (model.type === 'monitor' && MONITOR_CODE.test(stray)) return true
  if (/^sm[a-z]\d/.test(stray)) return ![...codes].some((code) => code.startsWith(stray.slice(0, 6)))
  return [...words].some((word) => word.length >= 4 && /\d/.test(word) && isOneSlipApart(stray, word))
}

function withoutRunningNumbers(reading: Reading, { profiles }: Entry): Reading {
  const isLarge = (number: number) => number >= RUNNING_NUMBER_MIN
  if (profiles.some(({ numbers }) => [...numbers].some(isLarge))) return reading
  return { ...reading, numbers: new Set([...reading.numbers].filter((number) => !isLarge(number))) }
}

function withStorage(name: Verdict, { gigabytes }: Reading): Verdict {
  const reading = { ...name.reading, gigabytes: [...name.reading.gigabytes, ...gigabytes] }
  const group = name.fits.filter(({ entry }) => entry.group === name.entry?.group)
  return { ...name, reading, ...nearestVariant(group, reading) }
}
