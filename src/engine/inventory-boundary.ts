// The GHG Protocol scope and category under which the customer and the rental company report each part.
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
  readonly reason: string
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
      return { ...GOODS, counting: 'posted', reason: PACKAGING[boundary.reportingEntity] }
    case 'transportation':
      return { ...UPSTREAM_TRANSPORT, counting: 'posted', reason: TRANSPORTATION[boundary.reportingEntity] }
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
        reason: 'A bought refurbishment; what an own workshop burns and draws is scope 1 and 2 instead.',
      }

function embodiedIn({ reportingEntity, leaseType }: InventoryBoundary): InventoryClassification {
  if (reportingEntity === 'lessor')
    return {
      ...CAPITAL,
      counting: 'whole',
      reason: 'The owner reports a device in full when it is bought; under category 1 instead if bought for resale.',
    }
  return leaseType === 'finance'
    ? { ...CAPITAL, counting: 'whole', reason: 'A finance lease is a purchase: in full in its first year.' }
    : { ...GOODS, counting: 'posted', reason: 'The share of the device that comes with the service bought.' }
}

function useIn({
  reportingEntity,
  consolidationApproach,
  leaseType,
}: InventoryBoundary): GhgLabel & { readonly reason: string } {
  if (reportingEntity === 'lessee') {
    if (leaseType === 'finance')
      return { ...ELECTRICITY, reason: 'Under a finance lease the device is the lessee’s own.' }
    return consolidationApproach === 'operational'
      ? { ...ELECTRICITY, reason: 'The lessee operates the device, so its electricity is bought by the lessee.' }
      : { ...UPSTREAM_LEASED, reason: 'The lessee does not control the device financially: it is the lessor’s.' }
  }
  if (consolidationApproach === 'financial' && leaseType === 'operating')
    return { ...ELECTRICITY, reason: 'The lessor keeps financial control of the device that it lets.' }
  return { ...DOWNSTREAM_LEASED, reason: 'The lessee controls the device that the lessor has let.' }
}

const TRANSPORTATION: Readonly<Record<ReportingEntity, string>> = {
  lessee: 'Transport to the customer, paid by the rental company as part of the service.',
  lessor: 'Transport that the rental company pays for; category 9 instead where the customer pays.',
}

const PACKAGING: Readonly<Record<ReportingEntity, string>> = {
  lessee: 'Production of packaging that comes with the service bought; its end of life is not in the figure.',
  lessor: 'Production of packaging that is bought; its end of life (category 12) is not in the figure.',
}
