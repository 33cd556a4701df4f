// The reference data: all figures used for estimates, under one release name and one content hash.
import type { MatchLexicon } from '../matching/match-lexicon.ts'
import type { Rational } from '../numbers/rational.ts'

export const DEVICE_TYPES = ['laptop', 'mobile', 'tablet', 'monitor', 'gaming_console', 'headphone'] as const
export type DeviceType = (typeof DEVICE_TYPES)[number]

export const TRANSPORT_MODES = ['road', 'rail', 'sea', 'air'] as const
export type TransportMode = (typeof TRANSPORT_MODES)[number]

export const DISTANCE_BASES = ['actual', 'shortest_feasible', 'great_circle'] as const
export type DistanceBasis = (typeof DISTANCE_BASES)[number]

/** What vehicles run on, as far as any transport of the catalogue is known to. */
export const ENERGY_CARRIER_KINDS = ['diesel', 'petrol', 'cng', 'lpg', 'aviation_fuel', 'electric'] as const
export type EnergyCarrierKind = (typeof ENERGY_CARRIER_KINDS)[number]

export const ENERGY_UNITS = ['l', 'kg', 'kWh', 'MJ'] as const
export type EnergyUnit = (typeof ENERGY_UNITS)[number]

/** Levels of fallback for an unknown model. METHODOLOGY.md#fallbacks */
export const FALLBACK_LEVELS = ['family', 'brand-fit', 'brand', 'type-fit', 'type', 'weight-fit'] as const
export type FallbackLevel = (typeof FALLBACK_LEVELS)[number]

/** The publisher of a figure, and the terms under which it may be redistributed. */
export interface Source {
  readonly title: string
  readonly publisher: string
  /** Year of publication; null if the publisher states none. */
  readonly year: number | null
  readonly url: string
  readonly licence: string
  /** Present for a figure of the account's own; absent for one of the catalogue. */
  readonly origin?: 'account'
  /** Version of an own figure, from 1. */
  readonly version?: number
  /** SHA-256 of the document that states an own figure, in hexadecimal, if the account stated it. */
  readonly document_sha256?: string
  /** Third party that verified an own figure, if the account stated one. */
  readonly verified_by?: string
}

/**
 * A device model as published by its manufacturer: kg CO2e per device over its complete life. A stage is null if the
 * source gives no number for it. `total` is null only for a sheet with production alone.
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
  /** The electricity that the sheet reckons its use with; null if its region is not stated or has no factor. */
  readonly useRegion: RegionFactor | null
  /** The relative error of the total as stated in the sheet; null if it states none. */
  readonly uncertaintyRatio: Rational | null
  readonly source: Source
  /** The third party that quotes the manufacturer's figure, if the sheet itself was not read. */
  readonly quotedVia: string | null
}

/** A device of which no footprint is published, but which other sources tell of. METHODOLOGY.md#known-devices */
export interface KnownDevice {
  readonly id: string
  readonly name: string
  readonly brand: string
  readonly type: DeviceType
  /** Codes of its maker that name it alone, such as `20W0`; compared as `aliasKey`. */
  readonly codes: readonly string[]
  readonly yearlyEnergyKwh: Rational | null
  readonly screenInches: Rational | null
  readonly source: Source
}

/** Default values by type for a figure missing from a sheet, or for a complete model; fitted from the catalogue. */
export interface TypeDefault {
  readonly type: DeviceType | 'any'
  /** Mean embodied emission, kg CO2e per device; null for `any`, for which the weight is used instead. */
  readonly embodied: Rational | null
  readonly embodiedSheets: number
  /** Median share of the use phase in the published total, 0 to below 1. */
  readonly useShare: Rational
  readonly lifetimeMonths: number
  /** Median yearly electricity, kWh; null if too few sheets state it. */
  readonly yearlyEnergyKwh: Rational | null
  /** Median weight, kg; null if too few sheets state it. */
  readonly weightKg: Rational | null
  /** True if lifetime and use share are assumptions rather than medians; lines that depend on them are indicative. */
  readonly assumed: boolean
  readonly source: Source
  /** The source of the lifetime, if it is the account's own and not from the catalogue. */
  readonly lifetimeSource?: Source
}

/** What the refurbishment of a device of a type emits if nothing else is known. METHODOLOGY.md#refurbishment */
export interface RefurbishmentDefault {
  readonly type: DeviceType
  /** kg CO2e per refurbishment. */
  readonly emission: Rational
  readonly low: Rational
  readonly high: Rational
  /** True if no study states a figure for the type. */
  readonly assumed: boolean
  readonly source: Source
}

/** A fallback for a model, fitted from the catalogue: a mean, or a regression on weight and screen. */
export interface Fallback {
  readonly level: FallbackLevel
  readonly type: DeviceType | 'any'
  /** As spelt in the catalogue; null if the fallback applies to any brand. */
  readonly brand: string | null
  readonly family: string | null
  /** Mean embodied emission, kg CO2e per device; null for a regression. */
  readonly embodied: Rational | null
  readonly regression: FallbackRegression | null
  readonly sheets: number
  /** Standard deviation of ln E used for the 95 % interval; the smaller, the better the fallback. */
  readonly intervalLogSd: Rational
  readonly source: Source
}

/** ln E = intercept + perLnWeight × ln w + perLnScreen × ln s, w in kg, s in inches, E in kg CO2e per device. */
export interface FallbackRegression {
  readonly intercept: Rational
  readonly perLnWeight: Rational
  /** Null if the regression does not use the screen size. */
  readonly perLnScreen: Rational | null
  /** Root mean square log error about the geometric mean, by leave-one-out fits. */
  readonly logSd: Rational
  /** Validity range of the regression, ends included. */
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
  /** Absent if the source does not state it, if there are several, or if other effects are in the factor. */
  readonly energyCarrier?: EnergyCarrier
}

/** kg CO2e per unit of an energy carrier. No emission of an order is calculated from it. */
export interface EnergyCarrier {
  readonly id: string
  readonly name: string
  readonly kind: EnergyCarrierKind
  readonly unit: EnergyUnit
  /** 0 for electricity: nothing is emitted by running the vehicle. */
  readonly tankToWheel: Rational
  readonly wellToTank: Rational
  readonly source: Source
}

/** kg CO2e per kg of packaging, cradle to gate; end-of-life figures are given separately and not included. */
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
  /** True if the source has no figure for this material and a similar one's is used; the line is then indicative. */
  readonly standsIn: boolean
  readonly source: Source
}

/** Converts a distance on a mode's planning basis to the distance driven: actual = planned × multiplier + addedKm. */
export interface DistanceAdjustment {
  readonly multiplier: Rational
  readonly addedKm: Rational
  readonly source: Source
}

/** kg CO2e per kWh of a country's grid in one year, or in one year of a range if the source states a range. */
export interface GridFactor {
  /** The year, or the earliest year of the range. */
  readonly year: number
  /** The same year, or the latest year of the range. */
  readonly latestYear: number
  readonly factor: Rational
  readonly source: Source
  /**
   * What other series of the release say of the country in the same year, kg CO2e per kWh; empty if they say nothing.
   * Absent where the account chose the series or states the factor, and where the release has one series.
   */
  readonly others?: readonly Rational[]
}

/** Grid factors of one publisher by one method. Figures of two series are never mixed for one country. */
export interface GridSeries {
  readonly id: string
  readonly name: string
  readonly isDefault: boolean
  /** What a country generates, or what it consumes, with imports and without exports. */
  readonly electricity: 'generation' | 'consumption'
  /** Whether the making of plants and fuels is in the factors. */
  readonly upstream: boolean
  /** Whether losses of transmission and distribution are in the factors. */
  readonly losses: boolean
  readonly methodVersion: string
  /** YYYY-MM-DD; the day of the snapshot that was read. */
  readonly publishedOn: string
  readonly source: Source
  /** By ISO 3166-1 alpha-2 code, years ascending; countries without a factor are missing. */
  readonly grid: ReadonlyMap<string, readonly GridFactor[]>
}

/** A figure of a country and a year. */
export interface YearFigure {
  readonly year: number
  readonly value: Rational
  readonly source: Source
}

/** kg CO2e per kWh of the region for which a sheet states its use, in the year nearest to the sheet's. */
export interface RegionFactor {
  readonly region: string
  readonly year: number
  readonly factor: Rational
  readonly source: Source
}

/** kg CO2e per kg of IT equipment, used for a product of which only the weight is known. */
export interface WeightFactor {
  readonly factor: Rational
  readonly source: Source
}

export interface ReferenceData {
  readonly release: string
  /** SHA-256 of the bytes of the dataset release, in hexadecimal. */
  readonly hash: string
  /** By id, in the order of the catalogue. */
  readonly models: ReadonlyMap<string, DeviceModel>
  /** By `aliasKey`: ids of the models with this part number or name. An alias of several models identifies none. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  /** The aliases that are numbers or codes of the manufacturer rather than names, by `aliasKey`. */
  readonly codes: ReadonlySet<string>
  /** By id; empty in releases from before there were any. */
  readonly knownDevices: ReadonlyMap<string, KnownDevice>
  readonly typeDefaults: ReadonlyMap<DeviceType | 'any', TypeDefault>
  /** Absent where nothing is recorded by the figures, as in a receipt. A type that has none is not in it. */
  readonly refurbishments?: ReadonlyMap<DeviceType, RefurbishmentDefault>
  /** By basis, as `fallbackKey` spells it. */
  readonly fallbacks: ReadonlyMap<string, Fallback>
  readonly itEquipment: WeightFactor
  readonly transports: ReadonlyMap<string, TransportFactor>
  readonly distanceAdjustments: Readonly<Record<TransportMode, DistanceAdjustment>>
  readonly packagings: ReadonlyMap<string, PackagingFactor>
  /** By ISO 3166-1 alpha-2 code, years ascending. Every ISO 3166-1 country has an entry; its list may be empty. */
  readonly grid: ReadonlyMap<string, readonly GridFactor[]>
  /** By id, the default first. Empty in releases from before there were several, and in receipts. */
  readonly gridSeries: ReadonlyMap<string, GridSeries>
  /** Shares of what is fed in that are lost, by country, years ascending. Empty in earlier releases and receipts. */
  readonly gridLosses: ReadonlyMap<string, readonly YearFigure[]>
  /** The electricity by region of use; absent where models are not read but printed, as in a receipt. */
  readonly regions?: ReadonlyMap<string, readonly RegionFactor[]>
  /** With what product texts are read. */
  readonly matching: MatchLexicon
  /** Present if figures of an account's own are looked up first; then the release is what they were laid over. */
  readonly own?: { readonly release: ReferenceData; readonly figures: OwnFigures }
}

/** All figures of an account's own that apply from one change of them to the next. METHODOLOGY.md#own-figures */
export interface OwnFigures {
  /** SHA-256 of all of them, in hexadecimal. */
  readonly hash: string
  /** By id with version, as `ownModelId` spells it. */
  readonly models: ReadonlyMap<string, DeviceModel>
  /** By `aliasKey`: a model's id without version, its names and its aliases. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly lifetimes: ReadonlyMap<DeviceType, OwnLifetime>
  readonly transports: ReadonlyMap<string, TransportFactor>
  readonly packagings: ReadonlyMap<string, PackagingFactor>
  /** By country: factors that take the place of the release's for the same years, years ascending. */
  readonly grid: ReadonlyMap<string, readonly GridFactor[]>
  /** The id of the series that the account chose; null for the default of the release. */
  readonly gridSeries: string | null
}

/** The lifetime with which an account reckons devices of a type for which no sheet states one. */
export interface OwnLifetime {
  readonly months: number
  readonly source: Source
}

/** Returns the reference data of the dataset release with which an order or a device was calculated. */
export type ReferenceDataOf = (releaseId: number) => ReferenceData

/** The form in which ids, part numbers and names are compared: Unicode NFC, trimmed, case-insensitive. */
export const aliasKey = (text: string): string => text.normalize('NFC').trim().toLowerCase()
