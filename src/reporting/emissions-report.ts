// The emissions report: counts the requested facts of an account and collects them into groups.
import { classify } from '../engine/inventory-boundary.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { groupCells, type GroupedResult } from './group-by.ts'
import { aggregateChunk } from './aggregate-chunk.ts'
import { createAggregator } from './aggregate-emissions.ts'
import type { EmissionsQuery } from './query.ts'
import { scanFacts, type ChunkSource } from './scan.ts'

export interface EmissionsReport extends GroupedResult {
  /** Names of the dataset releases used by its figures. */
  readonly releases: readonly string[]
  /** By model id; empty unless the report is grouped by model. */
  readonly modelNames: ReadonlyMap<string, string>
}

/**
 * @param inTurn runs work in steps without blocking other work
 * @throws ApiError if there are too many groups
 */
export function reportEmissions(
  source: ChunkSource,
  query: EmissionsQuery,
  inTurn: <Result>(steps: Resumable<Result>) => Promise<Result>,
): Promise<EmissionsReport> {
  const { accountId, basis, from, to, view } = query
  // Complete footprints are counted where the first rental began, whatever the date basis.
  const isWhole = classify('product_embodied_emission', view).counting === 'whole'
  const bases = isWhole ? [basis, 'tenure' as const] : [basis]
  return scanFacts(source, { accountId, bases, from, to }, async (chunks) => {
    const counter = createAggregator(query, source.referenceDataOf)
    for await (const chunk of chunks) {
      await counter.devices.prepare(chunk)
      await inTurn(aggregateChunk(chunk, counter))
    }
    return {
      ...(await inTurn(groupCells(counter))),
      releases: counter.devices.releases(),
      modelNames: query.groupBy.includes('model') ? counter.devices.modelNames() : new Map(),
    }
  })
}
