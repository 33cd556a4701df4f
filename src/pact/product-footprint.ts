// The form of a PACT product footprint (version 3): its members.
import type { PactDecimal } from './decimals.ts'
import type { ShipmentFootprint, TransportCategory } from './ileap.ts'

/** Version of the PACT Technical Specifications that footprints follow. */
export const PACT_VERSION = '3.0.3'

/** Version of the members of `RentalData`. */
export const EXTENSION_VERSION = '1.0.0'

export interface DataQuality {
  readonly technologicalDQR: PactDecimal
  readonly temporalDQR: PactDecimal
  readonly geographicalDQR: PactDecimal
}

/** Emissions in kg CO2e. */
interface CarbonFootprintBase {
  /** Inclusive. */
  readonly referencePeriodStart: string
  /** Exclusive. */
  readonly referencePeriodEnd: string
  readonly geographyCountry?: string
  readonly pcfExcludingBiogenicUptake: PactDecimal
  readonly pcfIncludingBiogenicUptake: PactDecimal
  readonly fossilGhgEmissions: PactDecimal
  readonly fossilCarbonContent: '0'
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

/** Of a rental, or of all rentals of a year: emissions per declared unit. */
export interface RentalCarbonFootprint extends CarbonFootprintBase {
  readonly declaredUnitOfMeasurement: 'piece'
  readonly declaredUnitAmount: '1'
  readonly productMassPerDeclaredUnit: '0'
  readonly packagingEmissionsIncluded: true
  readonly packagingGhgEmissions: PactDecimal
  readonly outboundLogisticsGhgEmissions: PactDecimal
}

/** Of a shipment or a category of transport: emissions of the whole declared amount, as iLEAP has them. */
export interface TransportCarbonFootprint extends CarbonFootprintBase {
  readonly declaredUnitOfMeasurement: 'ton kilometer'
  readonly declaredUnitAmount: PactDecimal
  /** kg. */
  readonly productMassPerDeclaredUnit: PactDecimal
  readonly packagingEmissionsIncluded: false
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
  readonly specVersion: string
  readonly dataSchema: string
  readonly documentation?: string
  readonly data: RentalData | ShipmentFootprint | TransportCategory
}

/** A footprint without what depends on when it was published: id, created, status and precedingPfIds. */
export interface FootprintContent {
  readonly specVersion: typeof PACT_VERSION
  readonly companyName: string
  readonly companyIds: readonly string[]
  readonly productDescription: string
  readonly productIds: readonly [string]
  readonly productNameCompany: string
  readonly productClassifications?: readonly [string]
  readonly comment?: string
  readonly pcf: RentalCarbonFootprint | TransportCarbonFootprint
  readonly extensions?: readonly [Extension]
}
