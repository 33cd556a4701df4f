// The inventories of lessees and lessor of a year, in each of the four cases, from one snapshot of what was posted.
import {
  CONSOLIDATION_APPROACHES,
  LEASE_TYPES,
  REPORTING_ENTITIES,
  classify,
  classifyRefurbishment,
  countedWith,
  type InventoryBoundary,
  type InventoryClassification,
  type ReportingEntity,
} from '../engine/inventory-boundary.ts'
import { NO_EMISSIONS, type EmissionsByPart } from '../engine/ledger-history.ts'
import { PARTS, sumMilligrams, type Milligrams, type Part } from '../engine/numbers/emission.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { aggregateChunk } from './aggregate-chunk.ts'
import { createAggregator } from './aggregate-emissions.ts'
import { dayNoOf } from './fact.ts'
import { groupCells, type GroupedResult } from './group-by.ts'
import type { EmissionsQuery } from './query.ts'
import { scanFacts, type ChunkSource } from './scan.ts'
import type { EmissionTotal } from './totals.ts'

export interface InventoriesQuery {
  readonly accountId: number
  readonly year: number
}

export interface InventoryLine extends EmissionTotal {
  readonly part: Part
  readonly classification: InventoryClassification
}

export interface Inventory extends EmissionTotal {
  readonly lines: readonly InventoryLine[]
}

/** Both inventories under one consolidation approach and lease type, and what of the fleet counts with whom. */
export interface InventoryCase extends Omit<InventoryBoundary, 'reportingEntity'> {
  readonly inventories: Readonly<Record<ReportingEntity, Inventory>>
  readonly countedOnce: Readonly<Record<ReportingEntity, Milligrams>>
}

export interface InventoriesReport {
  /** What was posted to all orders for the year. */
  readonly posted: EmissionsByPart
  readonly cases: readonly InventoryCase[]
  /** Names of the dataset releases used by its figures. */
  readonly releases: readonly string[]
}

/**
 * Whether an emission counts as posted or in full depends on these boundaries alone. The other four have the same sums
 * under other labels.
 */
const COUNTED = {
  operating: { reportingEntity: 'lessee', consolidationApproach: 'operational', leaseType: 'operating' },
  finance: { reportingEntity: 'lessee', consolidationApproach: 'operational', leaseType: 'finance' },
  lessor: { reportingEntity: 'lessor', consolidationApproach: 'operational', leaseType: 'operating' },
} as const satisfies Readonly<Record<string, InventoryBoundary>>
type Counted = keyof typeof COUNTED

/**
 * @param inTurn runs work in steps without blocking other work
 * @throws ApiError if a figure cannot be read in time
 */
export function reportInventories(
  source: ChunkSource,
  { accountId, year }: InventoriesQuery,
  inTurn: <Result>(steps: Resumable<Result>) => Promise<Result>,
): Promise<InventoriesReport> {
  const days = { from: dayNoOf(`${year}-01-01`), to: dayNoOf(`${year}-12-31`) }
  const queryOf = (view: InventoryBoundary): EmissionsQuery => ({
    ...{ accountId, ...days, basis: 'tenure', view },
    ...{ groupBy: ['part', 'category'], sort: 'name', limit: null, filters: new Map() },
  })
  return scanFacts(source, { accountId, bases: ['tenure'], ...days }, async (chunks) => {
    const counters = Object.values(COUNTED).map((view) => createAggregator(queryOf(view), source.referenceDataOf))
    for await (const chunk of chunks)
      for (const counter of counters) {
        await counter.devices.prepare(chunk)
        await inTurn(aggregateChunk(chunk, counter))
      }
    const results: GroupedResult[] = []
    for (const counter of counters) results.push(await inTurn(groupCells(counter)))
    const [operating, finance, lessor] = results as [GroupedResult, GroupedResult, GroupedResult]
    return inventoriesOf({ operating, finance, lessor }, counters[0]!.devices.releases())
  })
}

function inventoriesOf(counted: Readonly<Record<Counted, GroupedResult>>, releases: readonly string[]) {
  const posted = postedIn(counted.operating)
  const cases = CONSOLIDATION_APPROACHES.flatMap((consolidationApproach) =>
    LEASE_TYPES.map((leaseType): InventoryCase => {
      const boundary = { consolidationApproach, leaseType }
      const labelled = (reportingEntity: ReportingEntity, result: GroupedResult): Inventory =>
        inventoryOf(result, { ...boundary, reportingEntity })
      return {
        ...boundary,
        inventories: { lessee: labelled('lessee', counted[leaseType]), lessor: labelled('lessor', counted.lessor) },
        countedOnce: countedOnce(posted, boundary),
      }
    }),
  )
  return { posted, cases, releases }
}

function postedIn({ groups }: GroupedResult): EmissionsByPart {
  const byPart = new Map(groups.map(({ labels: [part], emission }) => [part, emission]))
  return { ...NO_EMISSIONS, ...Object.fromEntries(PARTS.map((part) => [part, byPart.get(part) ?? 0n])) }
}

function countedOnce(posted: EmissionsByPart, boundary: Omit<InventoryBoundary, 'reportingEntity'>) {
  const countedAt = (entity: ReportingEntity): Milligrams =>
    sumMilligrams(PARTS.filter((part) => countedWith(part, boundary) === entity).map((part) => posted[part]))
  return Object.fromEntries(
    REPORTING_ENTITIES.map((entity) => [entity, countedAt(entity)]),
  ) as InventoryCase['countedOnce']
}

/** The sums of a boundary that counts alike, under the labels of this one, in the order of the parts. */
function inventoryOf({ groups, total: { emission, logSd } }: GroupedResult, boundary: InventoryBoundary): Inventory {
  const refurbishment = classifyRefurbishment(boundary)
  const lines = groups.map(({ labels, emission: ofLine, logSd: spread }): InventoryLine => {
    const [part, category] = labels as readonly [Part, string]
    const isRefurbishment = part === 'product_embodied_emission' && category === refurbishment?.category
    return {
      part,
      classification: isRefurbishment ? refurbishment : classify(part, boundary),
      emission: ofLine,
      logSd: spread,
    }
  })
  return { emission, logSd, lines: lines.toSorted((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part)) }
}
