// Selects the model that a text means among those that fit it; none if the text is ambiguous.
import type { Comparison } from './fit.ts'
import type { IndexedModel } from './catalogue-index.ts'
import type { ParsedText } from './parse-text.ts'

/** The model that is meant; null if none is certain. */
export interface Decision {
  readonly entry: IndexedModel | null
  /** True if the sheet is for one variant of the model and the text names no variant or another one. */
  readonly isVariant: boolean
}

/** The result of matching one text. */
export interface MatchResult extends Decision {
  readonly reading: ParsedText
  /** Those without a contradiction, best first. */
  readonly fits: readonly Comparison[]
  /** The tokens of the text, as `tokenise` gives them. */
  readonly tokens: readonly string[]
  /** The models that share most with the text, whether or not it contradicts them. */
  readonly similar: readonly IndexedModel[]
}

export const NO_MATCH: Decision = { entry: null, isVariant: false }

const isFull = ({ lacking }: Comparison): boolean => lacking.length === 0

/**
 * Selects the only model that fits. Returns none if the text names an accessory, is longer than the part that is read,
 * or leaves open which of several models it means.
 * @param fits those without a contradiction, best first
 */
export function selectMatch(fits: readonly Comparison[], reading: ParsedText): Decision {
  const [best] = fits
  if (reading.accessory !== null || reading.isCut || reading.isDouble || !best || !isFull(best)) return NO_MATCH
  const rivals = fits.filter((fit) => fit.entry.group !== best.entry.group)
  const isRivalled = rivals.some((fit) =>
    fit.lacking.length === 0 ? sameStanding(fit, best) : best.open.length > 0 && isHalfwayThere(fit, best),
  )
  if (isRivalled) return NO_MATCH
  return closestVariant(
    fits.filter((fit) => fit.entry.group === best.entry.group && isFull(fit)),
    reading,
  )
}

const sameStanding = (fit: Comparison, best: Comparison): boolean =>
  fit.agreed.length >= best.agreed.length && fit.isOwnName === best.isOwnName && fit.open.length <= best.open.length

/** True for a rival that lacks at most generation, chip, year or size, and agrees in at least as many traits. */
const isHalfwayThere = (fit: Comparison, best: Comparison): boolean =>
  fit.agreed.length >= best.agreed.length && fit.lacking.every(({ kind }) => kind === 'generation' || kind === 'size')

/** Another stand or palm rest outweighs any storage, which outweighs equipment, which outweighs other agreement. */
const WEIGHTS = { variant: 100, storageDoubled: 10, equipment: 1, agreed: 0.01 }
/** Divisor that ranks the smallest storage first if the text names none, with less weight than any equipment. */
const STORAGE_UNTOLD = 1e6
/** If the distances of two variants differ by less than this, the text does not distinguish them. */
const TOLD_APART = 0.5

/** The variant of a model that is closest to the storage and equipment in the text. */
export function closestVariant(group: readonly Comparison[], reading: ParsedText): Decision {
  const storage = reading.gigabytes.length === 0 ? null : Math.max(...reading.gigabytes)
  const sorted = group
    .map(({ entry, agreed, open }) => ({
      entry,
      isNetworkOpen: entry.model.type === 'tablet' && open.includes('cellular'),
      distance: distanceOf(entry, reading, storage) - agreed.length * WEIGHTS.agreed,
    }))
    .sort((a, b) => a.distance - b.distance || (a.entry.model.id < b.entry.model.id ? -1 : 1))
  const [nearest, next] = sorted
  if (!nearest) return NO_MATCH
  const { gigabytes, allEquipment: equipment } = nearest.entry
  const isOtherStorage = gigabytes !== null && gigabytes !== storage
  const isOtherEquipment = equipment.size > 0 && [...reading.equipment].some((one) => !equipment.has(one))
  const isOpen = next !== undefined && next.distance - nearest.distance < TOLD_APART && !isOtherStorage
  const isOtherKind = kindsApart(nearest.entry, reading) > 0 || nearest.isNetworkOpen
  return { entry: nearest.entry, isVariant: isOtherStorage || isOtherEquipment || isOpen || isOtherKind }
}

function distanceOf(entry: IndexedModel, reading: ParsedText, storage: number | null): number {
  const { gigabytes, equipment } = entry
  const shared = [...equipment].filter((one) => reading.equipment.has(one)).length
  return kindsApart(entry, reading) * WEIGHTS.variant + gapOf(gigabytes, storage) - shared * WEIGHTS.equipment
}

/** Number of stands, palm rests and similar traits that only one of the two has. */
const kindsApart = ({ variants }: IndexedModel, reading: ParsedText): number =>
  [...variants].filter((one) => !reading.variants.has(one)).length +
  [...reading.variants].filter((one) => !variants.has(one)).length

function gapOf(gigabytes: number | null, storage: number | null): number {
  if (gigabytes === null) return 0
  if (storage === null) return (gigabytes / STORAGE_UNTOLD) * WEIGHTS.storageDoubled
  return Math.abs(Math.log2(gigabytes / storage)) * WEIGHTS.storageDoubled
}
