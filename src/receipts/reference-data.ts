// Prints the reference data an order needs, exactly and with its sources, and reads the fallbacks back.
import { ONE, ZERO, rational, toExactText, whole, type Rational } from '../engine/numbers/rational.ts'
import type { DeviceInputs, OrderInputs } from '../engine/order-inputs.ts'
import type { Product } from '../engine/order.ts'
import { fallbackById, innerBasis, knownOfBasis } from '../engine/reference/fallback.ts'
import { WEIGHT_FOOTPRINT_ID, footprintById, typeFootprintId } from '../engine/reference/footprint.ts'
import {
  DEVICE_TYPES,
  FALLBACK_LEVELS,
  TRANSPORT_MODES,
  aliasKey,
  type DeviceModel,
  type Fallback,
  type KnownDevice,
  type ReferenceData,
  type ReferenceDataOf,
  type RegionFactor,
  type Source,
  type TypeDefault,
} from '../engine/reference/reference-data.ts'
import { NO_ADJUSTMENT } from '../engine/transport.ts'
import { toJsonValue, type JsonObject } from '../strict-json/exact-tree.ts'
import type { Decoder } from '../strict-json/decoder.ts'

/** A row of `fallbacks`: only the values from which its emission is computed. */
const printFallback = ({ level, type, brand, family, embodied, regression, source }: Fallback, no: SourceNo) => ({
  level,
  type,
  brand: brand ?? undefined,
  family: family ?? undefined,
  unit: 'kgCO2e/device',
  embodied: embodied ? toExactText(embodied) : undefined,
  regression: regression
    ? {
        intercept: toExactText(regression.intercept),
        per_ln_weight: toExactText(regression.perLnWeight),
        per_ln_screen: regression.perLnScreen ? toExactText(regression.perLnScreen) : undefined,
        log_sd: toExactText(regression.logSd),
      }
    : undefined,
  source: no(source),
})

type SourceNo = (source: Source) => number

/** @throws DecodeError at a figure that does not have the required form */
export function readFallback(row: Decoder, sourceOf: (figure: Decoder) => Source): Fallback {
  const level = row.get('level').oneOf(FALLBACK_LEVELS)
  const regression = row.get('regression').maybe(readRegression)
  return {
    level,
    type: row.get('type').oneOf([...DEVICE_TYPES, 'any']),
    brand: isOfBrand(level) ? row.get('brand').text() : null,
    family: level === 'family' ? row.get('family').text() : null,
    embodied: regression ? null : row.get('embodied').exact(),
    regression,
    sheets: 0,
    intervalLogSd: ZERO,
    source: sourceOf(row),
  }
}

const isOfBrand = (level: Fallback['level']): boolean => ['family', 'brand-fit', 'brand'].includes(level)

/**
 * A regression's valid range decided whether it was used. The measures that were used are in the footprint id and must
 * be within these bounds.
 */
const ANY_MEASURE = [rational(1n, 1000n), whole(1000)] as const

function readRegression(row: Decoder): NonNullable<Fallback['regression']> {
  const perLnScreen = row.get('per_ln_screen').maybe(coefficient)
  return {
    intercept: coefficient(row.get('intercept')),
    perLnWeight: coefficient(row.get('per_ln_weight')),
    perLnScreen,
    logSd: coefficient(row.get('log_sd')),
    weightKg: ANY_MEASURE,
    screenInches: perLnScreen && ANY_MEASURE,
  }
}

/** Exponentials of larger coefficients are not worth computing. */
const COEFFICIENT_MAX = 10n

function coefficient(node: Decoder): Rational {
  const value = node.exact()
  const { numerator, denominator } = value
  if (numerator < 0n || numerator > COEFFICIENT_MAX * denominator) throw node.fault(`0 to ${COEFFICIENT_MAX}`)
  return value
}

/** The data of one release that an order uses. */
export interface RequiredData {
  readonly bases: ReadonlySet<string>
  /** Products whose attributes were used to look for models. */
  readonly products: readonly Product[]
  readonly transports: ReadonlySet<string>
  /** Modes with distances that were converted to another basis. */
  readonly adjustedModes: ReadonlySet<string>
  readonly packagings: ReadonlySet<string>
  readonly countries: ReadonlySet<string>
}

/** By release id, in order of use: the order's own release first. */
export function requiredData(facts: OrderInputs, referenceDataOf: ReferenceDataOf): ReadonlyMap<number, RequiredData> {
  const ids = new Set([facts.releaseId, ...facts.swaps.flatMap(({ named }) => named?.releaseId ?? [])])
  for (const { releaseId, posted } of facts.devices) {
    ids.add(releaseId)
    for (const entry of posted) if (entry.terms) ids.add(entry.releaseId)
  }
  return new Map([...ids].map((id) => [id, needsOfRelease(id, facts, referenceDataOf)]))
}

function needsOfRelease(id: number, facts: OrderInputs, referenceDataOf: ReferenceDataOf): RequiredData {
  const { order, releaseId, footprintIds, devices, swaps } = facts
  const named = swaps.flatMap((swap) => (swap.named?.releaseId === id ? [swap.named] : []))
  const referenceData = referenceDataOf(id)
  const items = releaseId === id ? order.items : []
  const transported = items.flatMap((item) => (item.type === 'transportation' ? [item] : []))
  const adjusted = transported.flatMap(({ transportationId, distanceBasis }) => {
    const factor = referenceData.transports.get(transportationId)
    return factor && distanceBasis !== null && distanceBasis !== factor.distanceBasis ? [factor.mode] : []
  })
  return {
    bases: new Set([
      ...(releaseId === id ? footprintIds : []),
      ...devices.flatMap((device) => (device.releaseId === id ? [device.footprintId] : [])),
      ...named.map(({ footprintId }) => footprintId),
    ]),
    // A device of another release is explained by that release.
    products: [...order.items.filter((item) => item.type === 'product'), ...named.map(({ product }) => product)],
    transports: new Set(transported.map(({ transportationId }) => transportationId)),
    adjustedModes: new Set(adjusted),
    packagings: new Set(items.flatMap((item) => (item.type === 'packaging' ? [item.packagingId] : []))),
    countries: new Set(devices.flatMap((device) => countriesOf(id, device, referenceDataOf(device.releaseId)))),
  }
}

/** The countries where the device was used, if its electricity is known; otherwise no grid factor is needed. */
function countriesOf(
  id: number,
  { footprintId, weightKg, posted }: DeviceInputs,
  referenceData: ReferenceData,
): readonly string[] {
  if (!footprintById(footprintId, weightKg ?? ONE, referenceData).yearlyEnergyKwh) return []
  return posted.flatMap(({ terms, releaseId, country }) => (terms && releaseId === id && country ? [country] : []))
}

const textsOf = ({ productId, modelId }: Product): readonly string[] =>
  [productId, ...(modelId === null ? [] : [modelId])].map(aliasKey)

/** The release as printed in a receipt: its name, the hash of its files, and the figures the order needs. */
export function printRelease(referenceData: ReferenceData, needs: RequiredData): JsonObject {
  const sources = new Map<string, { readonly no: number; readonly source: Source }>()
  const sourceNo = (source: Source): number => {
    const key = JSON.stringify(membersOf(source))
    const { no } = sources.get(key) ?? { no: sources.size + 1 }
    sources.set(key, { no, source })
    return no
  }
  const figures = { ...printProducts(referenceData, needs, sourceNo), ...printOthers(referenceData, needs, sourceNo) }
  const list = [...sources.values()].map(({ no, source }) => ({ no, ...membersOf(source) }))
  return toJsonValue({
    name: referenceData.release,
    content_hash: referenceData.hash,
    ...figures,
    sources: list,
  }) as JsonObject
}

/** Sources of the catalogue have five members, those of own figures more. */
const membersOf = ({ title, publisher, year, url, licence, origin, version, ...own }: Source) => ({
  title,
  publisher,
  year,
  url,
  licence,
  origin,
  version,
  document_sha256: own.document_sha256,
  verified_by: own.verified_by,
})

const optional = (value: Rational | null): string | undefined => (value === null ? undefined : toExactText(value))

function printProducts(referenceData: ReferenceData, { bases, products }: RequiredData, sourceNo: SourceNo) {
  const models = [...bases].flatMap((basis) => referenceData.models.get(basis) ?? [])
  const known = new Set([...bases].flatMap((basis) => knownOfBasis(basis, referenceData) ?? []))
  const texts = new Set(products.flatMap(textsOf))
  const { itEquipment } = referenceData
  // A fallback by type alone is printed in type_defaults, with the other values taken from the type.
  const found = [...bases].flatMap((basis) => fallbackById(basis, referenceData) ?? [])
  const fallbacks = new Map(found.flatMap(({ key, fallback }) => (fallback.level === 'type' ? [] : [[key, fallback]])))
  return {
    aliases: [...texts].flatMap((text) => {
      const bearers = referenceData.aliases.get(text)
      return bearers ? [{ text, model_ids: bearers }] : []
    }),
    models: models.map((model) => printModel(model, sourceNo)),
    type_defaults: [...referenceData.typeDefaults.values()].flatMap((one) =>
      printType(one, leaningsOn(one, { bases, models, fallbacks: [...fallbacks.values()], known }), sourceNo),
    ),
    ...(known.size > 0 && { known_devices: [...known].map((one) => printKnownDevice(one, sourceNo)) }),
    ...(fallbacks.size > 0 && { fallbacks: [...fallbacks.values()].map((one) => printFallback(one, sourceNo)) }),
    ...(bases.has(WEIGHT_FOOTPRINT_ID) && {
      it_equipment: {
        factor: toExactText(itEquipment.factor),
        unit: 'kgCO2e/kg',
        source: sourceNo(itEquipment.source),
      },
    }),
  }
}

/** Which of a type's defaults are used as a fallback. */
type Leanings = Readonly<Record<'embodied' | 'useShare' | 'lifetime' | 'energy', boolean>>

function leaningsOn(
  { type }: TypeDefault,
  {
    bases,
    models,
    fallbacks,
    known,
  }: {
    readonly bases: RequiredData['bases']
    readonly models: readonly DeviceModel[]
    readonly fallbacks: readonly Fallback[]
    readonly known: ReadonlySet<KnownDevice>
  },
): Leanings {
  const own = type === 'any' ? WEIGHT_FOOTPRINT_ID : typeFootprintId(type)
  // The use of a known device is that of its type in proportion to the electricity.
  const isKnown = [...known].some((device) => device.type === type)
  const isType = isKnown || [...bases].some((basis) => innerBasis(basis) === own)
  const isBasis = isType || fallbacks.some((fallback) => fallback.type === type)
  const bearers = models.filter((model) => model.type === type)
  return {
    embodied: isType,
    useShare: isBasis || bearers.some(({ productUse }) => productUse === null),
    lifetime: isBasis || bearers.some(({ lifetimeMonths }) => lifetimeMonths === null),
    energy: isBasis || bearers.some((model) => model.productUse === null && model.yearlyEnergyKwh === null),
  }
}

const printModel = (model: DeviceModel, sourceNo: SourceNo) => ({
  id: model.id,
  name: model.name,
  brand: model.brand,
  type: model.type,
  unit: 'kgCO2e/device',
  total: optional(model.total),
  production: model.total === null ? optional(model.production) : undefined,
  product_use: optional(model.productUse),
  lifetime_months: model.lifetimeMonths ?? undefined,
  yearly_energy_kwh: optional(model.yearlyEnergyKwh),
  ...(model.productUse && !model.yearlyEnergyKwh && model.useRegion
    ? { use_region: printRegion(model.useRegion, sourceNo) }
    : {}),
  quoted_via: model.quotedVia ?? undefined,
  source: sourceNo(model.source),
})

const printRegion = ({ region, year, factor, source }: RegionFactor, sourceNo: SourceNo) => ({
  region,
  year,
  factor: toExactText(factor),
  unit: 'kgCO2e/kWh',
  source: sourceNo(source),
})

const printKnownDevice = ({ id, name, brand, type, yearlyEnergyKwh, source }: KnownDevice, sourceNo: SourceNo) => ({
  id,
  name,
  brand,
  type,
  yearly_energy_kwh: optional(yearlyEnergyKwh),
  source: sourceNo(source),
})

function printType(one: TypeDefault, leanings: Leanings, sourceNo: SourceNo) {
  if (!Object.values(leanings).includes(true)) return []
  return [
    {
      type: one.type,
      unit: 'kgCO2e/device',
      embodied: leanings.embodied ? optional(one.embodied) : undefined,
      use_share: leanings.useShare ? toExactText(one.useShare) : undefined,
      lifetime_months: leanings.lifetime ? one.lifetimeMonths : undefined,
      lifetime_source: leanings.lifetime && one.lifetimeSource ? sourceNo(one.lifetimeSource) : undefined,
      yearly_energy_kwh: leanings.energy ? optional(one.yearlyEnergyKwh) : undefined,
      assumed: one.assumed,
      source: sourceNo(one.source),
    },
  ]
}

function printOthers(referenceData: ReferenceData, needs: RequiredData, sourceNo: SourceNo) {
  return {
    transportations: [...needs.transports].flatMap((id) => {
      const factor = referenceData.transports.get(id)
      if (!factor) return []
      const { mode, distanceBasis } = factor
      const figure = { factor: toExactText(factor.factor), unit: 'kgCO2e/t.km' }
      return [{ id, mode, ...figure, distance_basis: distanceBasis, source: sourceNo(factor.source) }]
    }),
    distance_adjustments: TRANSPORT_MODES.flatMap((mode) => {
      const adjustment = referenceData.distanceAdjustments[mode]
      if (!needs.adjustedModes.has(mode) || adjustment === NO_ADJUSTMENT) return []
      const { multiplier, addedKm, source } = adjustment
      return [{ mode, multiplier: toExactText(multiplier), added_km: toExactText(addedKm), source: sourceNo(source) }]
    }),
    packagings: [...needs.packagings].flatMap((id) => {
      const factor = referenceData.packagings.get(id)
      if (!factor) return []
      const figure = { factor: toExactText(factor.factor), unit: 'kgCO2e/kg' }
      return [{ id, ...figure, stands_in: factor.standsIn, source: sourceNo(factor.source) }]
    }),
    grids: [...needs.countries].map((country) => ({
      country,
      unit: 'kgCO2e/kWh',
      factors: (referenceData.grid.get(country) ?? []).map(({ year, latestYear, factor, source }) => ({
        year,
        latest_year: latestYear === year ? undefined : latestYear,
        factor: toExactText(factor),
        source: sourceNo(source),
      })),
    })),
  }
}
