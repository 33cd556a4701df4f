// The footprint of a product: the figures of its model, or of a fallback if the model is unknown.
import type {
  DeviceModel,
  DeviceType,
  Fallback,
  FallbackLevel,
  KnownDevice,
  ReferenceData,
  Source,
  TypeDefault,
} from './reference-data.ts'
import { FALLBACK_MESSAGES, nameOfType } from './messages.ts'
import type { Message } from '../message.ts'
import {
  fallbackById,
  innerBasis,
  knownOfBasis,
  namesKnownDevice,
  predictEmbodied,
  type EvaluatedFallback,
} from './fallback.ts'
import { energyFromUse } from '../use-phase.ts'
import type { LineType } from '../numbers/emission.ts'
import { ONE, ZERO, divide, max, multiply, subtract, whole, type Rational } from '../numbers/rational.ts'

/**
 * A model's id, a fallback as fallback.ts names it (`type:laptop`, `type-fit:laptop@1.24kg,13.6in`), a known device
 * with its fallback (`known:lenovo-thinkpad-t14-gen-3/family:lenovo/thinkpad-t`), or `weight`: short, and enough to
 * find the footprint in the reference data.
 */
export type FootprintId = string

export const typeFootprintId = (type: DeviceType): FootprintId => `type:${type}`
export const WEIGHT_FOOTPRINT_ID: FootprintId = 'weight'

export interface Footprint {
  readonly level: 'model' | 'weight' | FallbackLevel
  /** The name used in descriptions: the model with its brand, or the fallback. */
  readonly name: string
  /** The name of a fallback as a message; null for a model, whose name is the same in every language. */
  readonly fallbackName: Message | null
  /** E, kg CO2e per device. */
  readonly embodied: Rational
  readonly embodiedType: LineType
  /** P·u, kg CO2e over the lifetime; null if a sheet gives production alone, so that no share is known. */
  readonly useOverLifetime: Rational | null
  readonly lifetimeMonths: Rational
  /** Source of lifetime and use share: the sheet, or the defaults by type. */
  readonly lifetimeFrom: 'sheet' | 'type'
  readonly useFrom: 'sheet' | 'type'
  /** W, kWh per year; null if unknown. */
  readonly yearlyEnergyKwh: Rational | null
  /** `use` means that it follows from the sheet's use emission. METHODOLOGY.md#electricity-from-use */
  readonly energyFrom: 'sheet' | 'use' | 'known' | 'type'
  readonly model: DeviceModel | null
  /** The known device of which the fallback gives the embodied emission; null for others. */
  readonly known: KnownDevice | null
  readonly typeDefault: TypeDefault
  readonly source: Source
  /** The fallback that was fitted for the basis, if there is one. */
  readonly fallback: EvaluatedFallback | null
}

export const modelDisplayName = ({ brand, name }: Pick<DeviceModel, 'brand' | 'name'>): string =>
  name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`

/** Cached footprints by basis for each dataset release, because each is requested many times. */
const known = new WeakMap<ReferenceData, Map<FootprintId, Footprint>>()
const KNOWN_MAX = 10_000

/**
 * The footprint for a basis. METHODOLOGY.md#fallbacks
 * @param weightKg weight of the product, greater than 0; used only for `WEIGHT_FOOTPRINT_ID`
 * @throws RangeError when the reference data contains no such model or type
 */
export function footprintById(basis: FootprintId, weightKg: Rational, referenceData: ReferenceData): Footprint {
  if (basis === WEIGHT_FOOTPRINT_ID) return footprintByWeight(weightKg, referenceData)
  const ofBook = known.get(referenceData) ?? new Map<FootprintId, Footprint>()
  const found = ofBook.get(basis)
  if (found) return found
  // A regression can be evaluated at any number of weights that clients send, so the cache is limited.
  if (ofBook.size >= KNOWN_MAX) ofBook.clear()
  const footprint = readFootprint(basis, referenceData)
  known.set(referenceData, ofBook.set(basis, footprint))
  return footprint
}

function readFootprint(basis: FootprintId, referenceData: ReferenceData): Footprint {
  if (namesKnownDevice(basis)) {
    const known = knownOfBasis(basis, referenceData)
    if (!known) throw new RangeError(`Release ${referenceData.release} has no known device of "${basis}"`)
    return footprintOfKnown(known, readFootprint(innerBasis(basis), referenceData))
  }
  const fallback = fallbackById(basis, referenceData)
  if (basis.startsWith('type:'))
    return footprintOfType(typeDefaultOf(basis.slice('type:'.length), referenceData), fallback)
  if (fallback) return footprintOfFallback(fallback, typeDefaultOf(fallback.fallback.type, referenceData))
  const model = referenceData.models.get(basis)
  if (!model) throw new RangeError(`Release ${referenceData.release} has no device model "${basis}"`)
  return footprintOfModel(model, typeDefaultOf(model.type, referenceData))
}

function typeDefaultOf(type: string, referenceData: ReferenceData): TypeDefault {
  const typeDefault = referenceData.typeDefaults.get(type as DeviceType)
  if (!typeDefault) throw new RangeError(`Release ${referenceData.release} has no defaults for the type "${type}"`)
  return typeDefault
}

/** A model's footprint from its sheet: E = P − P·u, or the production figure if the sheet gives nothing else. */
function footprintOfModel(model: DeviceModel, typeDefault: TypeDefault): Footprint {
  const useOverLifetime = model.total && (model.productUse ?? multiply(model.total, typeDefault.useShare))
  const restsOnAssumption = typeDefault.assumed && (model.lifetimeMonths === null || model.productUse === null)
  return {
    level: 'model',
    name: modelDisplayName(model),
    fallbackName: null,
    embodied: model.total && useOverLifetime ? subtract(model.total, useOverLifetime) : productionOf(model),
    embodiedType: restsOnAssumption ? 'indicative' : 'estimated',
    useOverLifetime,
    lifetimeMonths: whole(model.lifetimeMonths ?? typeDefault.lifetimeMonths),
    lifetimeFrom: model.lifetimeMonths === null ? 'type' : 'sheet',
    useFrom: model.productUse === null ? 'type' : 'sheet',
    ...energyOf(model, typeDefault),
    model,
    known: null,
    typeDefault,
    source: model.source,
    fallback: null,
  }
}

function productionOf(model: DeviceModel): Rational {
  if (!model.production) throw new RangeError(`The model "${model.id}" has neither a total nor a production figure`)
  return max(ZERO, model.production)
}

/**
 * The sheet's electricity; else what follows from its use and the factor of its region. The type's electricity is used
 * only if the sheet has no use figure; the sheet's own figure is more accurate.
 */
function energyOf(model: DeviceModel, typeDefault: TypeDefault): Pick<Footprint, 'yearlyEnergyKwh' | 'energyFrom'> {
  if (model.yearlyEnergyKwh) return { yearlyEnergyKwh: model.yearlyEnergyKwh, energyFrom: 'sheet' }
  if (model.total && model.productUse && model.useRegion) {
    const lifetimeMonths = whole(model.lifetimeMonths ?? typeDefault.lifetimeMonths)
    const yearlyEnergyKwh = energyFromUse(model.productUse, lifetimeMonths, model.useRegion.factor)
    return { yearlyEnergyKwh, energyFrom: 'use' }
  }
  return { yearlyEnergyKwh: model.productUse ? null : typeDefault.yearlyEnergyKwh, energyFrom: 'type' }
}

function footprintOfType(typeDefault: TypeDefault, fallback: EvaluatedFallback | null): Footprint {
  const { type, embodied, source } = typeDefault
  if (!embodied) throw new RangeError(`The type "${type}" has no embodied figure`)
  const name = FALLBACK_MESSAGES.fallback_typical({ product: nameOfType(type) })
  return { ...standIn('type', name, embodied, typeDefault, source), fallback }
}

const IT_EQUIPMENT = FALLBACK_MESSAGES.fallback_by_weight({ product: FALLBACK_MESSAGES.product_it_equipment() })

function footprintByWeight(weightKg: Rational, referenceData: ReferenceData): Footprint {
  const embodied = multiply(weightKg, referenceData.itEquipment.factor)
  return standIn(
    'weight',
    IT_EQUIPMENT,
    embodied,
    typeDefaultOf('any', referenceData),
    referenceData.itEquipment.source,
  )
}

/** A fallback to the device's own family counts as an estimate; any broader fallback is indicative. */
function footprintOfFallback(fallback: EvaluatedFallback, typeDefault: TypeDefault): Footprint {
  const { level, source } = fallback.fallback
  const standing = standIn(level, nameOfFallback(fallback), predictEmbodied(fallback), typeDefault, source)
  const isEstimate = level === 'family' && !typeDefault.assumed
  return { ...standing, embodiedType: isEstimate ? 'estimated' : 'indicative', fallback }
}

/**
 * A known device: the embodied emission of its fallback, with its own electricity. Its use over the lifetime is that of
 * its type in proportion to the electricity: E_type × u ÷ (1 − u) × W ÷ W_type. METHODOLOGY.md#known-devices
 */
function footprintOfKnown(known: KnownDevice, inner: Footprint): Footprint {
  const name = FALLBACK_MESSAGES.fallback_known({
    device: modelDisplayName(known),
    fallback: inner.fallbackName!.params['product'] as Message,
  })
  const own = { ...inner, known, name: name.message, fallbackName: name }
  if (!known.yearlyEnergyKwh) return own
  const use = useByElectricity(inner.typeDefault, known.yearlyEnergyKwh) ?? inner.useOverLifetime
  return { ...own, useOverLifetime: use, yearlyEnergyKwh: known.yearlyEnergyKwh, energyFrom: 'known' }
}

/** Null if the type has no electricity or no embodied figure to compare with. */
function useByElectricity(
  { embodied, useShare, yearlyEnergyKwh }: TypeDefault,
  ownEnergyKwh: Rational,
): Rational | null {
  if (!embodied || !yearlyEnergyKwh) return null
  const ofType = divide(multiply(embodied, useShare), subtract(ONE, useShare))
  return divide(multiply(ofType, ownEnergyKwh), yearlyEnergyKwh)
}

const nameOfFallback = ({ fallback }: EvaluatedFallback): Message =>
  FALLBACK_MESSAGES.fallback_typical({ product: productOf(fallback) })

function productOf({ type, brand, family, regression }: Fallback): Message {
  const name = nameOfType(type)
  const device = brand === null ? name : FALLBACK_MESSAGES.product_of_brand({ brand, type: name })
  if (family !== null) return FALLBACK_MESSAGES.product_of_family({ device, family })
  if (!regression) return device
  return regression.perLnScreen
    ? FALLBACK_MESSAGES.product_of_weight_and_screen({ device })
    : FALLBACK_MESSAGES.product_of_weight({ device })
}

/** The footprint of a fallback: its use pool is calculated from its embodied figure, E·u ÷ (1 − u). */
function standIn(
  level: Footprint['level'],
  name: Message,
  embodied: Rational,
  typeDefault: TypeDefault,
  source: Source,
): Footprint {
  return {
    level,
    name: name.message,
    fallbackName: name,
    embodied,
    embodiedType: 'indicative',
    useOverLifetime: divide(multiply(embodied, typeDefault.useShare), subtract(ONE, typeDefault.useShare)),
    lifetimeMonths: whole(typeDefault.lifetimeMonths),
    lifetimeFrom: 'type',
    useFrom: 'type',
    yearlyEnergyKwh: typeDefault.yearlyEnergyKwh,
    energyFrom: 'type',
    model: null,
    known: null,
    typeDefault,
    source,
    fallback: null,
  }
}
