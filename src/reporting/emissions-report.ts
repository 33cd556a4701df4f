// A report of emissions: all facts of an account that it asks for, counted, and collected into its groups.
import { classify } from '../engine/inventory-boundary.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { groupCells, type GroupedResult } from './group-by.ts'
import { aggregateChunk } from './aggregate-chunk.ts'
import { createAggregator } from './aggregate-emissions.ts'
import type { EmissionsQuery } from './query.ts'
import { scanFacts, type ChunkSource } from './scan.ts'

export interface EmissionsReport extends GroupedResult {
  /** Names of the dataset releases that its figures rest on. */
  readonly releases: readonly string[]
  /** By id, where models are grouped by. */
  readonly modelNames: ReadonlyMap<string, string>
}

/**
 * @param inTurn does work in steps without holding up others
 * @throws TooManyGroups
 */
export function reportEmissions(
  source: ChunkSource,
  query: EmissionsQuery,
  inTurn: <Result>(steps: Resumable<Result>) => Promise<Result>,
): Promise<EmissionsReport> {
  const { accountId, basis, from, to, view } = query
  // What is counted whole is counted where the first rental began, whatever the other days.
  const isWhole = classify('product_embodied_emission', view).counting === 'whole'
  const bases = isWhole ? [basis, 'tenure' as const] : [basis]
  return scanFacts(source, { accountId, bases, from, to }, async (chunks) => {
    const counter = createAggregator(query, source.bookOf)
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
