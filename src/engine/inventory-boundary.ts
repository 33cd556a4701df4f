// The GHG Protocol scope and category under which the customer and the rental company report each part.
import type { Message } from './message.ts'
import { BOUNDARY_MESSAGES } from './messages.ts'
import { GHG_LABELS, type Part } from './numbers/emission.ts'

/** Whose inventory it is: the lessee (the customer) or the lessor (the rental company). The two are never added up. */
export const REPORTING_ENTITIES = ['lessee', 'lessor'] as const
export type ReportingEntity = (typeof REPORTING_ENTITIES)[number]

/** How the reporting company sets the boundary of its inventory. For the equity-share approach, use `financial`. */
export const CONSOLIDATION_APPROACHES = ['operational', 'financial'] as const
export type ConsolidationApproach = (typeof CONSOLIDATION_APPROACHES)[number]

export const LEASE_TYPES = ['operating', 'finance'] as const
export type LeaseType = (typeof LEASE_TYPES)[number]

export interface InventoryBoundary {
  readonly reportingEntity: ReportingEntity
  readonly consolidationApproach: ConsolidationApproach
  readonly leaseType: LeaseType
}

/** The boundary by which API responses are labelled unless the request names another. */
export const DEFAULT_BOUNDARY: InventoryBoundary = {
  reportingEntity: 'lessee',
  consolidationApproach: 'operational',
  leaseType: 'operating',
}

export interface GhgLabel {
  /** 2 or 3; no order data is known to belong to scope 1. */
  readonly scope: string
  readonly category: string
}

/**
 * How a reporting entity's inventory counts a part.
 * `posted`: the posted entries, in the period to which the report assigns them.
 * `whole`: the device's complete embodied emission instead of the posted entries, counted once, in the month in which
 * its first rental began (the purchase date is not known), whichever customer rented it. Later periods and later
 * rentals count nothing.
 */
export type Recognition = 'posted' | 'whole'

export interface InventoryClassification extends GhgLabel {
  readonly counting: Recognition
  /** One sentence: the reason for this classification. */
  readonly reason: Message
}

const GOODS: GhgLabel = GHG_LABELS.packaging
const CAPITAL: GhgLabel = { scope: '3', category: 'Category 2: Capital goods' }
const UPSTREAM_TRANSPORT: GhgLabel = GHG_LABELS.transportation
const UPSTREAM_LEASED: GhgLabel = { scope: '3', category: 'Category 8: Upstream leased assets' }
const DOWNSTREAM_LEASED: GhgLabel = { scope: '3', category: 'Category 13: Downstream leased assets' }
const ELECTRICITY: GhgLabel = GHG_LABELS.product_use

/** Every label that a report can use, ordered by scope and category. */
export const ALL_GHG_LABELS: readonly GhgLabel[] = [
  ELECTRICITY,
  GOODS,
  CAPITAL,
  UPSTREAM_TRANSPORT,
  UPSTREAM_LEASED,
  DOWNSTREAM_LEASED,
]

/** Scope and category of a part within an inventory boundary. METHODOLOGY.md#scopes */
export function classify(part: Part, boundary: InventoryBoundary): InventoryClassification {
  switch (part) {
    case 'product_embodied_emission':
      return embodiedIn(boundary)
    case 'product_use':
      return { ...useIn(boundary), counting: 'posted' }
    case 'packaging':
      return { ...GOODS, counting: 'posted', reason: PACKAGING[boundary.reportingEntity]() }
    case 'transportation':
      return { ...UPSTREAM_TRANSPORT, counting: 'posted', reason: TRANSPORTATION[boundary.reportingEntity]() }
  }
}

/**
 * How refurbishment emissions (R, kg CO2e) are classified: counted once in the lessor's inventory, on the day of each
 * refurbishment. Null for the lessee, whose posted shares already include them.
 */
export const classifyRefurbishment = ({ reportingEntity }: InventoryBoundary): InventoryClassification | null =>
  reportingEntity === 'lessee'
    ? null
    : {
        ...GOODS,
        counting: 'whole',
        reason: BOUNDARY_MESSAGES.reason_refurbishment(),
      }

/**
 * With whom a posted part counts when both inventories are added up, so that no emission counts twice: electricity with
 * whoever reports it in scope 2, all else with the lessee, to whom it was posted. METHODOLOGY.md#both-inventories
 */
export const countedWith = (part: Part, boundary: Omit<InventoryBoundary, 'reportingEntity'>): ReportingEntity =>
  classify(part, { ...boundary, reportingEntity: 'lessor' }).scope === '2' ? 'lessor' : 'lessee'

function embodiedIn({ reportingEntity, leaseType }: InventoryBoundary): InventoryClassification {
  if (reportingEntity === 'lessor')
    return {
      ...CAPITAL,
      counting: 'whole',
      reason: BOUNDARY_MESSAGES.reason_owner(),
    }
  return leaseType === 'finance'
    ? { ...CAPITAL, counting: 'whole', reason: BOUNDARY_MESSAGES.reason_finance_lease() }
    : { ...GOODS, counting: 'posted', reason: BOUNDARY_MESSAGES.reason_share_of_device() }
}

function useIn({
  reportingEntity,
  consolidationApproach,
  leaseType,
}: InventoryBoundary): GhgLabel & { readonly reason: Message } {
  if (reportingEntity === 'lessee') {
    if (leaseType === 'finance') return { ...ELECTRICITY, reason: BOUNDARY_MESSAGES.reason_lessee_owns() }
    return consolidationApproach === 'operational'
      ? { ...ELECTRICITY, reason: BOUNDARY_MESSAGES.reason_lessee_operates() }
      : { ...UPSTREAM_LEASED, reason: BOUNDARY_MESSAGES.reason_lessee_without_control() }
  }
  if (consolidationApproach === 'financial' && leaseType === 'operating')
    return { ...ELECTRICITY, reason: BOUNDARY_MESSAGES.reason_lessor_controls() }
  return { ...DOWNSTREAM_LEASED, reason: BOUNDARY_MESSAGES.reason_lessee_controls() }
}

const TRANSPORTATION: Readonly<Record<ReportingEntity, () => Message>> = {
  lessee: BOUNDARY_MESSAGES.reason_transport_bought,
  lessor: BOUNDARY_MESSAGES.reason_transport_paid,
}

const PACKAGING: Readonly<Record<ReportingEntity, () => Message>> = {
  lessee: BOUNDARY_MESSAGES.reason_packaging_of_service,
  lessor: BOUNDARY_MESSAGES.reason_packaging_bought,
}
