// A report of emissions: all facts of an account that it asks for, counted, and collected into its groups.
import { classify } from '../engine/books.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { collectGroups, type Collected } from './collect-groups.ts'
import { countChunk } from './count-chunk.ts'
import { createCounter } from './count-emissions.ts'
import type { EmissionsQuery } from './emissions-query.ts'
import { scanFacts, type FactSource } from './scan-facts.ts'

export interface EmissionsReport extends Collected {
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
  source: FactSource,
  query: EmissionsQuery,
  inTurn: <Result>(steps: Resumable<Result>) => Promise<Result>,
): Promise<EmissionsReport> {
  const { accountId, basis, from, to, view } = query
  // What is counted whole is counted where the first rental began, whatever the other days.
  const isWhole = classify('product_embodied_emission', view).counting === 'whole'
  const bases = isWhole ? [basis, 'tenure' as const] : [basis]
  return scanFacts(source, { accountId, bases, from, to }, async (chunks) => {
    const counter = createCounter(query, source.bookOf)
    for await (const chunk of chunks) {
      await counter.devices.prepare(chunk)
      await inTurn(countChunk(chunk, counter))
    }
    return {
      ...(await inTurn(collectGroups(counter))),
      releases: counter.devices.releases(),
      modelNames: query.groupBy.includes('model') ? counter.devices.modelNames() : new Map(),
    }
  })
}
