// The factor book: all figures that estimates are made from, under one release name and one content hash.
import type { Rational } from '../numbers/rational.ts'

export const DEVICE_TYPES = ['laptop', 'mobile', 'tablet', 'monitor', 'gaming_console', 'headphone'] as const
export type DeviceType = (typeof DEVICE_TYPES)[number]

export const TRANSPORT_MODES = ['road', 'rail', 'sea', 'air'] as const
export type TransportMode = (typeof TRANSPORT_MODES)[number]

export const DISTANCE_BASES = ['actual', 'shortest_feasible', 'great_circle'] as const
export type DistanceBasis = (typeof DISTANCE_BASES)[number]

/** What may stand in for a model that is not known. METHODOLOGY.md#fallbacks */
export const FALLBACK_LEVELS = ['family', 'brand-fit', 'brand', 'type-fit', 'type', 'weight-fit'] as const
export type FallbackLevel = (typeof FALLBACK_LEVELS)[number]

/** Who published a figure, and under what terms it may be passed on. */
export interface Source {
  readonly title: string
  readonly publisher: string
  /** Year of publication; null where the publisher states none. */
  readonly year: number | null
  readonly url: string
  readonly licence: string
}

/**
 * A device model as its maker published it: kg CO2e per device over its whole life.
 * A stage is null where the source gives no number for it. `total` is null only for a sheet with production alone.
 */
export interface DeviceModel {
  readonly id: string
  readonly name: string
  readonly brand: string
  readonly type: DeviceType
  readonly total: Rational | null
  readonly production: Rational | null
  readonly transportation: Rational | null
  readonly productUse: Rational | null
  readonly endOfLife: Rational | null
  readonly lifetimeMonths: number | null
  readonly weightKg: Rational | null
  readonly screenInches: Rational | null
  readonly yearlyEnergyKwh: Rational | null
  /** The error of the total that the sheet states, relative to it; null where it states none. */
  readonly uncertaintyRatio: Rational | null
  readonly source: Source
  /** Who quotes the maker's figure, where the sheet itself was not read. */
  readonly quotedVia: string | null
}

/** What stands in for a figure that a sheet lacks, or for a whole model: fitted from the catalogue, by type. */
export interface TypeDefault {
  readonly type: DeviceType | 'any'
  /** Mean embodied emission, kg CO2e per device; null for `any`, which is charged by weight. */
  readonly embodied: Rational | null
  readonly embodiedSheets: number
  /** Median share of the use phase in the published total, 0 to below 1. */
  readonly useShare: Rational
  readonly lifetimeMonths: number
  /** Median yearly electricity, kWh; null where too few sheets state it. */
  readonly yearlyEnergyKwh: Rational | null
  /** Median weight, kg; null where too few sheets state it. */
  readonly weightKg: Rational | null
  /** True where lifetime and use share are an assumption, not medians: lines that rest on them are indicative. */
  readonly assumed: boolean
  readonly source: Source
}

/** A stand-in for a model, fitted from the catalogue: a mean, or a regression on weight and screen. */
export interface Fallback {
  readonly level: FallbackLevel
  readonly type: DeviceType | 'any'
  /** As the catalogue spells it; null where any brand will do. */
  readonly brand: string | null
  readonly family: string | null
  /** Mean embodied emission, kg CO2e per device; null for a regression. */
  readonly embodied: Rational | null
  readonly regression: FallbackRegression | null
  readonly sheets: number
  /** Standard deviation of ln E by which the 95 % interval is made: the smaller, the better the stand-in. */
  readonly intervalLogSd: Rational
  readonly source: Source
}

/** ln E = intercept + perLnWeight × ln w + perLnScreen × ln s, w in kg, s in inches, E in kg CO2e per device. */
export interface FallbackRegression {
  readonly intercept: Rational
  readonly perLnWeight: Rational
  /** Null where the screen does not count. */
  readonly perLnScreen: Rational | null
  /** Root mean square log error about the geometric mean, each sheet left out of its own fit. */
  readonly logSd: Rational
  /** Between which the regression holds, ends included. */
  readonly weightKg: readonly [min: Rational, max: Rational]
  readonly screenInches: readonly [min: Rational, max: Rational] | null
}

/** kg CO2e per tonne-kilometre, well-to-wheel. */
export interface TransportFactor {
  readonly id: string
  readonly name: string
  readonly mode: TransportMode
  readonly vehicle: string
  readonly factor: Rational
  readonly factorTankToWheel: Rational
  /** The distance that the factor is meant for; transport.ts corrects a distance on another basis. */
  readonly distanceBasis: DistanceBasis
  readonly region: string
  readonly source: Source
}

/** kg CO2e per kg of packaging, cradle to gate; end-of-life figures stand beside it and are not in it. */
export interface PackagingFactor {
  readonly id: string
  readonly name: string
  readonly material: string
  readonly recycledContentPercent: number | null
  readonly factor: Rational
  readonly endOfLife: {
    readonly landfill: Rational | null
    readonly incineration: Rational | null
    readonly recycling: Rational | null
  }
  /** True where the source has no figure for this material, and that of a similar one is taken: then indicative. */
  readonly standsIn: boolean
  readonly source: Source
}

/** How a distance on a mode's planning basis becomes the distance driven: actual = planned × multiplier + addedKm. */
export interface DistanceAdjustment {
  readonly multiplier: Rational
  readonly addedKm: Rational
  readonly source: Source
}

/** kg CO2e per kWh of a country's grid in one year, or in one of a range of years where the source names a range. */
export interface GridFactor {
  /** The year, or the earliest that it may be. */
  readonly year: number
  /** The same year, or the latest that it may be. */
  readonly latestYear: number
  readonly factor: Rational
  readonly source: Source
}

/** kg CO2e per kg of IT equipment: what a product is charged by when nothing but its weight is known. */
export interface WeightFactor {
  readonly factor: Rational
  readonly source: Source
}

export interface ReferenceData {
  readonly release: string
  /** SHA-256 of the bytes that the book was read from, in hexadecimal. */
  readonly hash: string
  /** By id, in the order of the catalogue. */
  readonly models: ReadonlyMap<string, DeviceModel>
  /** By `aliasKey`: the ids of the models that bear this part number or name. Several name none for certain. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly typeDefaults: ReadonlyMap<DeviceType | 'any', TypeDefault>
  /** By the basis under which each stands in, as ladder.ts spells it. */
  readonly fallbacks: ReadonlyMap<string, Fallback>
  readonly itEquipment: WeightFactor
  readonly transports: ReadonlyMap<string, TransportFactor>
  readonly distanceAdjustments: ReadonlyMap<TransportMode, DistanceAdjustment>
  readonly packagings: ReadonlyMap<string, PackagingFactor>
  /** By ISO 3166-1 alpha-2 code, years ascending. Every country of ISO 3166-1 has a member; its list may be empty. */
  readonly grid: ReadonlyMap<string, readonly GridFactor[]>
}

/** Reads the factor book of a dataset release by its id, whichever an order or a device was made with. */
export type ReferenceDataOf = (releaseId: number) => ReferenceData

/** The form in which ids, part numbers and names are compared: Unicode NFC, trimmed, without case. */
export const aliasKey = (text: string): string => text.normalize('NFC').trim().toLowerCase()
