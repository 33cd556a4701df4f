// The customers' years that were corrected after their books had been closed, and which of them to restate.
import { DEFAULT_BOUNDARY } from '../engine/inventory-boundary.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import { compare, multiply, rationalOfNumber, whole } from '../engine/numbers/rational.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { compareNames } from '../strict-json/exact-tree.ts'
import { aggregateChunk } from './aggregate-chunk.ts'
import { createAggregator } from './aggregate-emissions.ts'
import { dayNoOf } from './fact.ts'
import { groupCells, type GroupedResult } from './group-by.ts'
import { FIRST_DAY, LAST_DAY, type Dimension, type EmissionsQuery } from './query.ts'
import { scanFacts, type ChunkSource } from './scan.ts'

export interface CorrectedYearsQuery {
  readonly accountId: number
  /** Null for all years, or all customers. */
  readonly year: number | null
  readonly customerId: string | null
  /** 0 to 100, of the total of the year's statement. */
  readonly thresholdPercent: number
}

export interface CorrectedYear {
  readonly customerId: string
  readonly year: number
  /** The total of the year's statement, which no correction changes. */
  readonly stated: Milligrams
  /** What concerns the year, but counts in a later one, because it was recorded after the year was closed. */
  readonly corrections: Milligrams
  /** True if the corrections exceed the threshold. */
  readonly proposesRestatement: boolean
}

/**
 * Years whose corrections come to 0 are left out. Those that propose a restatement come first, and then the largest
 * corrections.
 * @param inTurn runs work in steps without blocking other work
 * @throws ApiError if there are too many customers and years
 */
export async function reportCorrectedYears(
  source: ChunkSource,
  query: CorrectedYearsQuery,
  inTurn: <Result>(steps: Resumable<Result>) => Promise<Result>,
): Promise<readonly CorrectedYear[]> {
  const days = daysOf(query.year)
  const wanted = { accountId: query.accountId, bases: ['tenure' as const], from: FIRST_DAY, to: LAST_DAY }
  const [stated, corrected] = await scanFacts(source, wanted, async (chunks) => {
    const counters = [false, true].map((onlyClosedYears) =>
      createAggregator({ ...emissionsQuery(query), ...days, onlyClosedYears }, source.referenceDataOf),
    )
    for await (const chunk of chunks) {
      for (const counter of counters) {
        await counter.devices.prepare(chunk)
        await inTurn(aggregateChunk(chunk, counter))
      }
    }
    const results: GroupedResult[] = []
    for (const counter of counters) results.push(await inTurn(groupCells(counter)))
    return results as [GroupedResult, GroupedResult]
  })
  const totals = new Map(stated.groups.map(({ labels, emission }) => [labels.join('\0'), emission]))
  const threshold = query.thresholdPercent
  return corrected.groups
    .filter(({ emission }) => emission !== 0n)
    .map(({ labels, emission }) => toYear(labels, totals.get(labels.join('\0')) ?? 0n, emission, threshold))
    .toSorted(inSequence)
}

const GROUP_BY: readonly Dimension[] = ['customer', 'year']

const emissionsQuery = ({ accountId, customerId }: CorrectedYearsQuery): Omit<EmissionsQuery, 'from' | 'to'> => ({
  accountId,
  groupBy: GROUP_BY,
  sort: 'name',
  limit: null,
  filters: customerId === null ? new Map() : new Map([['customer', new Set([customerId])]]),
  basis: 'tenure',
  // All that was posted counts, as in statements; the approach changes only the scope of use.
  view: DEFAULT_BOUNDARY,
})

const daysOf = (year: number | null): Pick<EmissionsQuery, 'from' | 'to'> =>
  year === null ? { from: FIRST_DAY, to: LAST_DAY } : { from: dayNoOf(`${year}-01-01`), to: dayNoOf(`${year}-12-31`) }

const toYear = (
  [customerId, year]: readonly (string | null)[],
  stated: Milligrams,
  corrections: Milligrams,
  thresholdPercent: number,
): CorrectedYear => ({
  customerId: customerId!,
  year: Number(year),
  stated,
  corrections,
  proposesRestatement:
    compare(
      whole(100n * absolute(corrections)),
      multiply(rationalOfNumber(thresholdPercent), whole(absolute(stated))),
    ) > 0,
})

const absolute = (emission: Milligrams): Milligrams => (emission < 0n ? -emission : emission)

const inSequence = (a: CorrectedYear, b: CorrectedYear): number =>
  Number(b.proposesRestatement) - Number(a.proposesRestatement) ||
  Number(absolute(b.corrections) - absolute(a.corrections)) ||
  compareNames(a.customerId, b.customerId) ||
  a.year - b.year
