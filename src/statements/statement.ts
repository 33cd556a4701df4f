// The types of a customer's yearly statement as JSON: an auditor stores it and can recompute it from its own content.
import type { ConsolidationApproach, InventoryBoundary } from '../engine/inventory-boundary.ts'
import type { EntryReason } from '../engine/ledger-history.ts'
import type { Seal, SigningKey } from '../documents/signature.ts'
import type { LineType, Part } from '../engine/numbers/emission.ts'
import type { MatchLevel, QualityScores } from '../engine/uncertainty/data-quality.ts'

/** Statements of version 3 have decimals as numbers, a hash of a form of Cradle's own, and no digests of orders. */
export const STATEMENT_FORMATS = [
  'application/vnd.cradle.statement+json;version=3',
  'application/vnd.cradle.statement+json;version=4',
] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]
export const STATEMENT_FORMAT = STATEMENT_FORMATS[1]

/** kg CO2e, a whole number of milligrams: exact as a double below a million tonnes. */
export type Kilograms = number
/** 0 to 100, with up to 4 decimals; null if the total is 0. */
export type Percent = number | null

/** The emission of each part and the total, in kg CO2e with milligram precision. */
export type Amounts = Readonly<Record<Part, Kilograms>> & { readonly total_emission: Kilograms }

export interface Statement {
  readonly media_type: StatementFormat
  readonly issued: {
    readonly by: 'cradle'
    readonly version: string
    /** Version of the method in METHODOLOGY.md. */
    readonly method: string
    readonly at: string
    /** The statement contains everything posted up to this time. */
    readonly known_at: string
    /**
     * The books of the rental company are closed for all days before this one; null if they are open. Absent in
     * statements that earlier versions issued.
     */
    readonly books_closed_until?: string | null
  }
  /** The rental company. */
  readonly issuer: { readonly account: string }
  readonly customer_id: string
  readonly year: number
  /** True if a month of the year may still change, because the books are open for it. */
  readonly is_preliminary: boolean
  readonly inventory_boundary: {
    readonly reporting_entity: 'lessee'
    readonly consolidation_approach: ConsolidationApproach
    readonly lease_type: 'operating'
  }
  readonly emission_unit: 'kgCO2e'
  readonly summary: Summary
  /** What of the year's total concerns earlier years. Absent in statements that earlier versions issued. */
  readonly corrections_of_earlier_years?: EarlierYears
  /** One line for each scope and category that occurs in the year, scope 2 first. */
  readonly by_category: readonly CategoryLine[]
  /** All four parts. */
  readonly by_part: readonly PartLine[]
  /** All twelve months. */
  readonly by_month: readonly (Amounts & { readonly month: string })[]
  /** Shares by type of estimate, by how devices were matched, and by how recent and representative the figures are. */
  readonly by_type: readonly ShareLine[]
  readonly by_match_level: readonly ShareLine[]
  readonly by_data_quality: readonly ShareLine[]
  readonly devices: readonly StatementDevice[]
  readonly orders: readonly StatementOrder[]
  readonly calculation_bases: readonly CalculationBasis[]
  readonly factors: readonly StatementFactor[]
  readonly sources: readonly StatementSource[]
  readonly releases: readonly { readonly name: string; readonly content_hash: string }[]
  /** Sentences: the basis of the year's emission, what is excluded, and notes for the reader. */
  readonly basis: readonly string[]
  readonly exclusions: readonly string[]
  readonly notes: readonly string[]
  readonly signed_by: SigningKey
  readonly hash: Seal['hash']
  readonly signature: Seal['signature']
}

/** The signed content: everything except the key, the hash and the signature. */
export type StatementContent = Omit<Statement, 'signed_by' | 'hash' | 'signature'>

/**
 * Numbers of a statement that are whole by their nature: years, counts, scores and numbers of rows. All others are
 * decimals, which JSON has as strings.
 */
export const WHOLE_NUMBERS: ReadonlySet<string> = new Set([
  'year',
  'version',
  'no',
  'revision',
  'number_of_orders',
  'number_of_devices',
  'devices_held_at_opening',
  'devices_held_at_closing',
  'calculation_basis',
  'embodied_basis',
  'use_basis',
  'import_id',
  'technological',
  'temporal',
  'geographical',
  'factors',
  'source',
])

export interface Summary {
  /** The emission of the year. */
  readonly total_emission: Kilograms
  readonly total_emission_excluding_indicative: Kilograms
  /**
   * Interval that contains the true total in 95 of 100 cases. `low` and `high` have 4 significant digits, `gsd` 4
   * decimals.
   */
  readonly uncertainty: { readonly low: number; readonly high: number; readonly level: 0.95; readonly gsd: number }
  /** Emission of all earlier years; the same including this year; emission already posted for later years. */
  readonly opening_emission: Kilograms
  readonly closing_emission: Kilograms
  readonly posted_later_emission: Kilograms
  /** The part of the year's emission that comes from corrections of earlier postings. */
  readonly corrections_emission: Kilograms
  readonly number_of_orders: number
  readonly number_of_devices: number
  /** Devices held at the end of the last day before the year, and at the end of its last day. */
  readonly devices_held_at_opening: number
  readonly devices_held_at_closing: number
  /** Percentage of the year's emission that is based on measurements of the rental company or its carriers. */
  readonly primary_data_share: Percent
  /** 1 (best) to 5, weighted by emission, 2 decimals; null if there is no emission. */
  readonly data_quality_rating: number | null
}

/**
 * The part of the year's total that concerns earlier years, because their books were closed when it was recorded. It
 * counts on the first open day, which lies in the year.
 */
export interface EarlierYears {
  /** Sum of the years. */
  readonly emission: Kilograms
  /** The rest of the year's total: what concerns the year itself. */
  readonly emission_of_the_year: Kilograms
  /** The earliest first. */
  readonly years: readonly EarlierYear[]
}

export interface EarlierYear {
  readonly year: number
  /** Sum of the causes. */
  readonly emission: Kilograms
  /** The first recorded first. */
  readonly causes: readonly CorrectionCause[]
}

/** A fact that was recorded when the books of a year were closed, and what it changed for that year. */
export interface CorrectionCause {
  /** The event, by the id with which it was sent; null for an order, a reversal, and another customer's event. */
  readonly event_id: string | null
  /** The order that was recorded, or to which the event belongs; null if it is of a device or of another customer. */
  readonly order_id: string | null
  readonly recorded_at: string
  /** Why entries were posted for it: `order` for an order that was recorded late. */
  readonly reasons: readonly EntryReason[]
  /** The customer's orders whose emission it changed, sorted by code point. */
  readonly order_ids: readonly string[]
  readonly emission: Kilograms
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
  /** Why the part belongs to this category. */
  readonly reason: string
  readonly emission: Kilograms
  readonly share_percent: Percent
}

export interface ShareLine {
  /** The type, the match level, or the rating from this number to below the next: `1` to `5`. */
  readonly name: string
  readonly emission: Kilograms
  readonly share_percent: Percent
}

export interface StatementDevice {
  readonly device_id: string
  readonly serial_number: string
  /** The device's footprint: a model of the catalogue or a fallback. */
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
  /** opening + year = closing, for each part; `posted_later` is already posted for later years. */
  readonly opening: Amounts
  readonly year: Amounts
  readonly closing: Amounts
  readonly posted_later: Amounts
  readonly rentals: readonly StatementRental[]
}

/** Which order: its id and, if its content was corrected or it was sent again, the number of the revision from 2. */
interface OrderReference {
  readonly order_id: string
  readonly revision?: number
}

/** The same for all that refers to one revision of an order. */
export const referenceKey = ({ order_id: orderId, revision = 1 }: OrderReference): string => `${revision} ${orderId}`

/** What one order posted to one device. */
export interface StatementRental extends OrderReference {
  /** First day, and the day after the last day in the current state. */
  readonly from: string
  readonly until: string
  /** Number of the calculation basis. */
  readonly embodied_basis: number
  /** The device's shares of the order's packaging and transportation. */
  readonly shares: readonly StatementShare[]
  readonly entries: readonly StatementEntry[]
}

export interface StatementShare {
  /** Number of the calculation basis. */
  readonly calculation_basis: number
  readonly emission: Kilograms
}

export type StatementEntry = Amounts & {
  readonly posted_at: string
  /**
   * The first day on which the entry counts, because the books were closed until then; null if it counts in the months
   * that it concerns. Absent in statements that earlier versions issued.
   */
  readonly counts_from?: string | null
  readonly reason: EntryReason
  /**
   * The event for which it was posted, by the id with which it was sent; null for an order and for another customer's
   * event. Absent in statements that earlier versions issued, as is `caused_by`.
   */
  readonly event_id?: string | null
  /**
   * Who recorded that event; null if that was not stored. Absent without an event, and in statements that earlier
   * versions issued.
   */
  readonly recorded_by?: StatementRecorder | null
  /** The customer's order for which, or for whose event, it was posted; null for what is recorded of a device alone. */
  readonly caused_by?: string | null
  /**
   * The months over which all embodied emission and use posted up to this entry is spread, exactly: digits or
   * `digits/digits`. Null for an order without devices.
   */
  readonly months: string | null
  /** The first of these months' days, if it is not that of the rental: a swap brought the device in on another day. */
  readonly from?: string
  /** Number of the calculation basis of the use over these months; null if no use is known or there is no device. */
  readonly use_basis: number | null
}

/** A key, by its first and last characters and its label of that time, or an import. */
export type StatementRecorder = { readonly key: string; readonly label: string } | { readonly import_id: number }

/** An order of the customer, with the packaging and transportation that its devices share. */
export interface StatementOrder extends OrderReference {
  readonly order_date: string
  /** Tenure start: the day to which packaging and transportation belong. */
  readonly dispatch_date: string
  readonly received_at: string
  readonly number_of_devices: number
  /**
   * SHA-256 of the order as it was received, by RFC 8785: of `order.as_received` in its receipt. Absent in version 3.
   */
  readonly content_hash?: string
  readonly lines: readonly StatementShare[]
  /** What was posted to the order itself; empty for an order with devices. */
  readonly entries: readonly StatementEntry[]
}

/** Inputs shared by lines: lines with the same basis have the same data quality and fully correlated errors. */
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
  /** Numbers of the factors. */
  readonly factors: readonly number[]
  /** The year's emission on this basis. */
  readonly emission: Kilograms
}

export interface StatementFactor {
  readonly no: number
  /** The symbol used in formulas; for a grid factor it includes the year. */
  readonly symbol: string
  readonly id: string
  /** A decimal with up to 12 places. */
  readonly value: string
  readonly unit: string
  readonly dataset_release: string
  /** Number of the source. */
  readonly source: number
}

export interface StatementSource {
  readonly no: number
  readonly title: string
  readonly publisher: string
  readonly year: number | null
  readonly url: string
  readonly licence: string
  /** Present for a figure of the account's own, with its version, the hash of its document, and who verified it. */
  readonly origin?: 'account'
  readonly version?: number
  readonly document_sha256?: string
  readonly verified_by?: string
}

/** The inputs of a statement, from which everything else in it is computed. Sums in it are ignored. */
export interface StatementData extends Pick<
  Statement,
  | 'media_type'
  | 'issued'
  | 'issuer'
  | 'customer_id'
  | 'year'
  | 'inventory_boundary'
  | 'orders'
  | 'factors'
  | 'sources'
  | 'releases'
> {
  readonly devices: readonly DeviceData[]
  readonly calculation_bases: readonly CalculationBasisData[]
  /** False for a statement of an earlier version, which does not list corrections of earlier years. */
  readonly lists_earlier_years: boolean
  /** The sentences as worded by the issuing service. */
  readonly texts: Pick<Statement, 'basis' | 'exclusions' | 'notes'>
  /** Why each part belongs to its category. */
  readonly reasons: Readonly<Record<Part, string>>
}

export type DeviceData = Pick<StatementDevice, 'device_id' | 'serial_number' | 'model' | 'rentals'>
export type CalculationBasisData = Omit<CalculationBasis, 'emission'>

/** A statement is made for the customer: the lessee under operating leases. */
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
