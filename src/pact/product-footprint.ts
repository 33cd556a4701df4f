// The form of a PACT product footprint (version 3): its members, and numbers as decimal strings.
import { decimalOf } from '../engine/numbers/rational.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'

/** Version of the PACT Technical Specifications that footprints follow. */
export const PACT_VERSION = '3.0.3'

/** Version of the members of `RentalData`. */
export const EXTENSION_VERSION = '1.0.0'

/** Digits, with a sign and decimals if needed, and never an exponent. */
export type PactDecimal = string

const MILLIGRAM_DIGITS = 6

/** @returns kg CO2e with milligram precision, without trailing zeros */
export const kilograms = (emission: Milligrams): PactDecimal =>
  decimalOf(emission, MILLIGRAM_DIGITS)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')

export interface DataQuality {
  readonly technologicalDQR: PactDecimal
  readonly temporalDQR: PactDecimal
  readonly geographicalDQR: PactDecimal
}

/** Emissions in kg CO2e per declared unit. */
export interface CarbonFootprint {
  readonly declaredUnitOfMeasurement: 'piece'
  readonly declaredUnitAmount: '1'
  readonly productMassPerDeclaredUnit: '0'
  /** Inclusive. */
  readonly referencePeriodStart: string
  /** Exclusive. */
  readonly referencePeriodEnd: string
  readonly geographyCountry?: string
  readonly pcfExcludingBiogenicUptake: PactDecimal
  readonly pcfIncludingBiogenicUptake: PactDecimal
  readonly fossilGhgEmissions: PactDecimal
  readonly fossilCarbonContent: '0'
  readonly packagingEmissionsIncluded: true
  readonly packagingGhgEmissions: PactDecimal
  readonly outboundLogisticsGhgEmissions: PactDecimal
  readonly ipccCharacterizationFactors: readonly string[]
  readonly crossSectoralStandards: readonly string[]
  readonly boundaryProcessesDescription: string
  readonly allocationRulesDescription: string
  readonly exemptedEmissionsPercent: '0'
  readonly exemptedEmissionsDescription: string
  readonly primaryDataShare: '0'
  readonly dqi?: DataQuality
  readonly secondaryEmissionFactorSources: readonly { readonly name: string; readonly version: string }[]
}

/** What PACT has no member for. */
export interface RentalData {
  /** kg CO2e of the electricity that the device uses during the rental, which is not part of the footprint. */
  readonly useEmission: PactDecimal
  readonly useMethod: 'location-based'
  /** Interval that contains the true footprint in 95 of 100 cases, in kg CO2e; absent for a footprint of 0. */
  readonly interval?: { readonly low: PactDecimal; readonly high: PactDecimal; readonly level: '0.95' }
  readonly methodVersion: string
  readonly datasetReleases: readonly string[]
  /** The yearly statement that has the same figures, by the root of the Merkle tree of its orders. */
  readonly statement?: { readonly year: number; readonly isPreliminary: boolean; readonly ordersRoot: string }
}

interface Extension {
  readonly specVersion: typeof EXTENSION_VERSION
  readonly dataSchema: string
  readonly data: RentalData
}

/** A footprint without what depends on when it was published: id, created, status and precedingPfIds. */
export interface FootprintContent {
  readonly specVersion: typeof PACT_VERSION
  readonly companyName: string
  readonly companyIds: readonly string[]
  readonly productDescription: string
  readonly productIds: readonly [string]
  readonly productNameCompany: string
  readonly pcf: CarbonFootprint
  readonly extensions: readonly [Extension]
}
