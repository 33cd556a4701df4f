// The yearly statement of a customer, as its JSON is: what an auditor keeps, and recomputes from nothing but itself.
import type { ConsolidationApproach, InventoryBoundary } from '../engine/inventory-boundary.ts'
import type { EntryReason } from '../engine/ledger-history.ts'
import type { LineType, Part } from '../engine/numbers/emission.ts'
import type { MatchLevel, QualityScores } from '../engine/uncertainty/data-quality.ts'

export const STATEMENT_FORMAT = 'application/vnd.cradle.statement+json;version=3'

/** kg CO2e, a whole number of milligrams: exact as a double below a million tonnes. */
export type Kilograms = number
/** Of 100, with up to 4 decimals; null where the whole is 0. */
export type Percent = number | null

/** Milligrams of each part, in kg CO2e, and their sum. */
export type Amounts = Readonly<Record<Part, Kilograms>> & { readonly total_emission: Kilograms }

export interface Statement {
  readonly media_type: typeof STATEMENT_FORMAT
  readonly issued: {
    readonly by: 'cradle'
    readonly version: string
    /** Version of the method: METHODOLOGY.md. */
    readonly method: string
    readonly at: string
    /** What was posted until then is in it. */
    readonly known_at: string
  }
  /** The rental company. */
  readonly issuer: { readonly account: string }
  readonly customer_id: string
  readonly year: number
  /** True where the year was not over when it was issued. */
  readonly is_preliminary: boolean
  readonly inventory_boundary: {
    readonly reporting_entity: 'lessee'
    readonly consolidation_approach: ConsolidationApproach
    readonly lease_type: 'operating'
  }
  readonly emission_unit: 'kgCO2e'
  readonly summary: Summary
  /** One for each scope and category that the year has, scope 2 first. */
  readonly by_category: readonly CategoryLine[]
  /** All four parts. */
  readonly by_part: readonly PartLine[]
  /** All twelve months. */
  readonly by_month: readonly (Amounts & { readonly month: string })[]
  /** How good the lines are, how devices were found, and how old and fitting the figures are. */
  readonly by_type: readonly ShareLine[]
  readonly by_match_level: readonly ShareLine[]
  readonly by_data_quality: readonly ShareLine[]
  readonly devices: readonly StatementDevice[]
  readonly orders: readonly StatementOrder[]
  readonly calculation_bases: readonly CalculationBasis[]
  readonly factors: readonly StatementFactor[]
  readonly sources: readonly StatementSource[]
  readonly releases: readonly { readonly name: string; readonly content_hash: string }[]
  /** Sentences: what the year contains by which basis; what is not counted; what a reader should know. */
  readonly basis: readonly string[]
  readonly exclusions: readonly string[]
  readonly notes: readonly string[]
  readonly signed_by: SigningKey
  readonly hash: { readonly algorithm: 'sha256'; readonly of: string; readonly value: string }
  readonly signature: { readonly algorithm: 'EdDSA'; readonly of: string; readonly value: string }
}

/** What is signed: all but the key, the hash and the signature. */
export type StatementContent = Omit<Statement, 'signed_by' | 'hash' | 'signature'>

export interface Summary {
  /** What the year contains. */
  readonly total_emission: Kilograms
  readonly total_emission_excluding_indicative: Kilograms
  /** Of the total: holds its true value in 95 of 100 cases; 4 digits. */
  readonly uncertainty: { readonly low: number; readonly high: number; readonly level: 0.95; readonly gsd: number }
  /** What all years before contain, this year with them, and what is posted for later years already. */
  readonly opening_emission: Kilograms
  readonly closing_emission: Kilograms
  readonly posted_later_emission: Kilograms
  /** Of the year: what corrections of earlier postings come to. */
  readonly corrections_emission: Kilograms
  readonly number_of_orders: number
  readonly number_of_devices: number
  /** Held at the end of the last day before the year, and at the end of its last day. */
  readonly devices_held_at_opening: number
  readonly devices_held_at_closing: number
  /** Percent of the year's emission that rests on measurements of the rental company or its carriers. */
  readonly primary_data_share: Percent
  /** 1 (best) to 5, weighted by emission, 2 decimals; null where nothing is emitted. */
  readonly data_quality_rating: number | null
}

export interface CategoryLine {
  readonly ghg_scope: string
  readonly ghg_category: string
  readonly parts: readonly Part[]
  readonly emission: Kilograms
  readonly share_percent: Percent
}

export interface PartLine {
  readonly part: Part
  readonly ghg_scope: string
  readonly ghg_category: string
  /** Why it stands there. */
  readonly reason: string
  readonly emission: Kilograms
  readonly share_percent: Percent
}

export interface ShareLine {
  /** The type, the level, or the rating from this one to below the next: `1`, `2`, `3`, `4`. */
  readonly name: string
  readonly emission: Kilograms
  readonly share_percent: Percent
}

export interface StatementDevice {
  readonly device_id: string
  readonly serial_number: string
  /** What it is charged by: a model of the catalogue, or what stands in for one. */
  readonly model: {
    readonly id: string
    readonly name: string
    readonly brand: string | null
    readonly type: string
    readonly match_level: string
    readonly dataset_release: string
  }
  readonly is_held_at_opening: boolean
  readonly is_held_at_closing: boolean
  /** opening + year = closing, part by part; `posted_later` is posted already for years to come. */
  readonly opening: Amounts
  readonly year: Amounts
  readonly closing: Amounts
  readonly posted_later: Amounts
  readonly rentals: readonly StatementRental[]
}

/** What one order posted to one device. */
export interface StatementRental {
  readonly order_id: string
  /** First day, and the day after the last as it stands. */
  readonly from: string
  readonly until: string
  /** By number. */
  readonly embodied_basis: number
  /** Its share of the order's packaging and transportation. */
  readonly shares: readonly StatementShare[]
  readonly entries: readonly StatementEntry[]
}

export interface StatementShare {
  /** By number. */
  readonly calculation_basis: number
  readonly emission: Kilograms
}

export type StatementEntry = Amounts & {
  readonly posted_at: string
  readonly reason: EntryReason
  /**
   * Over which all that was posted until then of embodied and use is spread: exactly, as digits or digits / digits.
   * Null for an order without devices.
   */
  readonly months: string | null
  /** By number, of the use over these months; null where no use is known, and without a device. */
  readonly use_basis: number | null
}

/** An order of the customer, with its packaging and transportation, which its devices share. */
export interface StatementOrder {
  readonly order_id: string
  readonly order_date: string
  /** Its tenure start: the day on which packaging and transportation count. */
  readonly dispatch_date: string
  readonly received_at: string
  readonly number_of_devices: number
  readonly lines: readonly StatementShare[]
  /** What was posted to the order alone: of one without devices. */
  readonly entries: readonly StatementEntry[]
}

/** What lines rest on: those with the same one are equally good and err together. */
export interface CalculationBasis {
  readonly no: number
  readonly part: Part
  readonly method: string
  readonly type: LineType
  readonly match_level: MatchLevel
  readonly is_primary: boolean
  /** 1 (best) to 5. */
  readonly data_quality: QualityScores
  readonly errors: readonly { readonly factor: string; readonly name: string; readonly log_sd: number }[]
  /** By number. */
  readonly factors: readonly number[]
  /** What the year has of it. */
  readonly emission: Kilograms
}

export interface StatementFactor {
  readonly no: number
  /** As formulas name it: of a grid, with the year. */
  readonly symbol: string
  readonly id: string
  /** A decimal with up to 12 places. */
  readonly value: string
  readonly unit: string
  readonly dataset_release: string
  /** By number. */
  readonly source: number
}

export interface StatementSource {
  readonly no: number
  readonly title: string
  readonly publisher: string
  readonly year: number | null
  readonly url: string
  readonly licence: string
}

export interface SigningKey {
  readonly algorithm: 'ed25519'
  /** SPKI in PEM. */
  readonly public_key: string
  /** SHA-256 of the key itself, 32 bytes, in hexadecimal. */
  readonly fingerprint: string
}

/** What a statement rests on; everything else in it follows. Sums that stand in it are not looked at. */
export interface StatementData extends Pick<
  Statement,
  'issued' | 'issuer' | 'customer_id' | 'year' | 'inventory_boundary' | 'orders' | 'factors' | 'sources' | 'releases'
> {
  readonly devices: readonly DeviceData[]
  readonly calculation_bases: readonly CalculationBasisData[]
  /** Sentences, as whoever issued it worded them. */
  readonly texts: Pick<Statement, 'basis' | 'exclusions' | 'notes'>
  /** Why each part stands under its category. */
  readonly reasons: Readonly<Record<Part, string>>
}

export type DeviceData = Pick<StatementDevice, 'device_id' | 'serial_number' | 'model' | 'rentals'>
export type CalculationBasisData = Omit<CalculationBasis, 'emission'>

/** A statement is the customer's: of the lessee, under operating leases. */
export const statementBoundary = (approach: ConsolidationApproach): Statement['inventory_boundary'] => ({
  reporting_entity: 'lessee',
  consolidation_approach: approach,
  lease_type: 'operating',
})

export const boundaryOf = (boundary: Statement['inventory_boundary']): InventoryBoundary => ({
  reportingEntity: boundary.reporting_entity,
  consolidationApproach: boundary.consolidation_approach,
  leaseType: boundary.lease_type,
})
