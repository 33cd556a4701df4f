// What a product is charged by: the figures of its model, or of what stands in for a model that is not known.
import type { DeviceModel, DeviceType, ReferenceData, FallbackLevel, Source, TypeDefault } from './reference-data.ts'
import { predictEmbodied, fallbackById, type EvaluatedFallback } from './fallback.ts'
import type { LineType } from '../numbers/emission.ts'
import { ONE, ZERO, divide, max, multiply, subtract, whole, type Rational } from '../numbers/rational.ts'

/**
 * A model's id, a stand-in as ladder.ts names it (`type:laptop`, `type-fit:laptop@1.24kg,13.6in`), or `weight`: short,
 * and enough to find the footprint in a factor book.
 */
export type FootprintId = string

export const typeFootprintId = (type: DeviceType): FootprintId => `type:${type}`
export const WEIGHT_FOOTPRINT_ID: FootprintId = 'weight'

export interface Footprint {
  readonly level: 'model' | 'weight' | FallbackLevel
  /** What a description names: the model with its brand, or what stands in for it. */
  readonly name: string
  /** E, kg CO2e per device. */
  readonly embodied: Rational
  readonly embodiedType: LineType
  /** P·u, kg CO2e over the lifetime; null where a sheet gives production alone, so that no share is known. */
  readonly useOverLifetime: Rational | null
  readonly lifetimeMonths: Rational
  /** Where lifetime and use share come from: the sheet, or the table by type. */
  readonly lifetimeFrom: 'sheet' | 'type'
  readonly useFrom: 'sheet' | 'type'
  /** W, kWh per year; null where nothing is known. */
  readonly yearlyEnergyKwh: Rational | null
  readonly energyFrom: 'sheet' | 'type'
  readonly model: DeviceModel | null
  readonly typeDefault: TypeDefault
  readonly source: Source
  /** The stand-in of the ladder, where one was fitted for the basis. */
  readonly fallback: EvaluatedFallback | null
}

export const modelDisplayName = ({ brand, name }: Pick<DeviceModel, 'brand' | 'name'>): string =>
  name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`

/** By basis, for each book: each is asked for again and again. */
const known = new WeakMap<ReferenceData, Map<FootprintId, Footprint>>()
const KNOWN_MAX = 10_000

/**
 * The footprint that a basis stands for. METHODOLOGY.md#fallbacks
 * @param weightKg of the product, greater than 0: what counts for a thing for a device, by `WEIGHT_FOOTPRINT_ID`
 * @throws RangeError when the book holds no such model or type
 */
export function footprintById(basis: FootprintId, weightKg: Rational, book: ReferenceData): Footprint {
  if (basis === WEIGHT_FOOTPRINT_ID) return footprintByWeight(weightKg, book)
  const ofBook = known.get(book) ?? new Map<FootprintId, Footprint>()
  const found = ofBook.get(basis)
  if (found) return found
  // A regression can be evaluated at as many weights as clients think of.
  if (ofBook.size >= KNOWN_MAX) ofBook.clear()
  const footprint = readFootprint(basis, book)
  known.set(book, ofBook.set(basis, footprint))
  return footprint
}

function readFootprint(basis: FootprintId, book: ReferenceData): Footprint {
  const fallback = fallbackById(basis, book)
  if (basis.startsWith('type:')) return footprintOfType(typeDefaultOf(basis.slice('type:'.length), book), fallback)
  if (fallback) return footprintOfFallback(fallback, typeDefaultOf(fallback.fallback.type, book))
  const model = book.models.get(basis)
  if (!model) throw new RangeError(`Release ${book.release} has no device model "${basis}"`)
  return footprintOfModel(model, typeDefaultOf(model.type, book))
}

function typeDefaultOf(type: string, book: ReferenceData): TypeDefault {
  const found = book.typeDefaults.get(type as DeviceType)
  if (!found) throw new RangeError(`Release ${book.release} has no defaults for the type "${type}"`)
  return found
}

/** A model by its sheet: E = P − P·u, or the production figure where the sheet gives nothing else. */
function footprintOfModel(model: DeviceModel, typeDefault: TypeDefault): Footprint {
  const useOverLifetime = model.total && (model.productUse ?? multiply(model.total, typeDefault.useShare))
  const restsOnAssumption = typeDefault.assumed && (model.lifetimeMonths === null || model.productUse === null)
  return {
    level: 'model',
    name: modelDisplayName(model),
    embodied: model.total && useOverLifetime ? subtract(model.total, useOverLifetime) : productionOf(model),
    embodiedType: restsOnAssumption ? 'indicative' : 'estimated',
    useOverLifetime,
    lifetimeMonths: whole(model.lifetimeMonths ?? typeDefault.lifetimeMonths),
    lifetimeFrom: model.lifetimeMonths === null ? 'type' : 'sheet',
    useFrom: model.productUse === null ? 'type' : 'sheet',
    ...energyOf(model, typeDefault),
    model,
    typeDefault,
    source: model.source,
    fallback: null,
  }
}

function productionOf(model: DeviceModel): Rational {
  if (!model.production) throw new RangeError(`The model "${model.id}" has neither a total nor a production figure`)
  return max(ZERO, model.production)
}

/** A type's electricity stands in only where the sheet says nothing of use at all: its own share is nearer to it. */
function energyOf(model: DeviceModel, typeDefault: TypeDefault): Pick<Footprint, 'yearlyEnergyKwh' | 'energyFrom'> {
  if (model.yearlyEnergyKwh) return { yearlyEnergyKwh: model.yearlyEnergyKwh, energyFrom: 'sheet' }
  return { yearlyEnergyKwh: model.productUse ? null : typeDefault.yearlyEnergyKwh, energyFrom: 'type' }
}

function footprintOfType(typeDefault: TypeDefault, fallback: EvaluatedFallback | null): Footprint {
  const { type, embodied, source } = typeDefault
  if (!embodied) throw new RangeError(`The type "${type}" has no embodied figure`)
  return { ...standIn('type', `a typical ${nameOfType(type)}`, embodied, typeDefault, source), fallback }
}

function footprintByWeight(weightKg: Rational, book: ReferenceData): Footprint {
  const embodied = multiply(weightKg, book.itEquipment.factor)
  return standIn('weight', 'IT equipment by weight', embodied, typeDefaultOf('any', book), book.itEquipment.source)
}

/** A stand-in of the device's own family is an estimate of the device; of anything wider it is a stand-in only. */
function footprintOfFallback(found: EvaluatedFallback, typeDefault: TypeDefault): Footprint {
  const { level, source } = found.fallback
  const standing = standIn(level, nameOfFallback(found), predictEmbodied(found), typeDefault, source)
  const isEstimate = level === 'family' && !typeDefault.assumed
  return { ...standing, embodiedType: isEstimate ? 'estimated' : 'indicative', fallback: found }
}

const nameOfType = (type: string): string => (type === 'any' ? 'device' : type.replace('_', ' '))

function nameOfFallback({ fallback }: EvaluatedFallback): string {
  const { type, brand, family, regression } = fallback
  const device = `a typical ${brand === null ? '' : `${brand} `}${nameOfType(type)}`
  if (family !== null) return `${device} of the family ${family}`
  if (!regression) return device
  return `${device} of its weight${regression.perLnScreen ? ' and screen' : ''}`
}

/** What stands in for a model: its use pool follows from its embodied figure, E·u ÷ (1 − u). */
function standIn(
  level: Footprint['level'],
  name: string,
  embodied: Rational,
  typeDefault: TypeDefault,
  source: Source,
): Footprint {
  return {
    level,
    name: `${name} (stands in for a model that is not known)`,
    embodied,
    embodiedType: 'indicative',
    useOverLifetime: divide(multiply(embodied, typeDefault.useShare), subtract(ONE, typeDefault.useShare)),
    lifetimeMonths: whole(typeDefault.lifetimeMonths),
    lifetimeFrom: 'type',
    useFrom: 'type',
    yearlyEnergyKwh: typeDefault.yearlyEnergyKwh,
    energyFrom: 'type',
    model: null,
    typeDefault,
    source,
    fallback: null,
  }
}
