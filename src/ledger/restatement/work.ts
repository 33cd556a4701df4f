// Works on a restatement: the preview, or posting it after checking that the preview is still what would be posted.
import { createHash } from 'node:crypto'
import { totalEmissionOf } from '../../engine/ledger-history.ts'
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { sumMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import type { EventStore, OnSnapshot } from '../store.ts'
import { CAUSES, type Cause } from './causes.ts'
import { TOGETHER_MAX, planRestatement, type Candidate, type Plan, type RestatementScope } from './plan.ts'
import { previewGroup, type GroupPreview } from './preview-group.ts'
import { restateOrders, type NotRestated, type Restating } from './restate-order.ts'
import { readAhead } from './read-ahead.ts'
import type { ReleaseMixer } from './release-mixer.ts'
import { resolveAgain, type NewFigures } from './resolve-again.ts'
import { tryOn } from './trial-transaction.ts'
import { RESTATEMENT_MESSAGES } from '../messages.ts'

/** By which figures orders are calculated again, as it is sent. */
export interface WireFigures {
  /** By the mappings of product ids that the account has when it is previewed. */
  readonly mappings?: 'current'
  /** By the figures of its own that the account has when it is previewed, over the release, or else over its own. */
  readonly own?: 'current'
  /** By this dataset release; figures of the account's own that an order has stay over it. */
  readonly release?: string
  /** With the figures each order had before this restatement (an undo); excludes the other members. */
  readonly before_restatement?: number
}

/** What is to be restated, and why. */
export interface RestatementTask {
  readonly restating: Restating
  readonly scope: RestatementScope
  readonly figures: NewFigures
}

export interface RestatementWork {
  readonly events: EventStore
  readonly onSnapshot: OnSnapshot
  /** Created for this restatement only. */
  readonly releases: ReleaseMixer
  readonly candidates: (accountId: number) => AsyncIterable<readonly Candidate[]>
  /** Is told at first, and after each group, how many orders are done. @throws to stop the work */
  readonly onProgress: (done: number, total: number) => void
}

export const CHANGES_OF = ['orders', 'years', 'problems'] as const
export type ChangesOf = (typeof CHANGES_OF)[number]

/** A row of what a restatement changes: of an order, or of a customer's year. */
export interface ChangeRow {
  readonly customerId: string
  /** Empty for a year. */
  readonly orderId: string
  readonly year: number | null
  readonly before: Milligrams | null
  readonly difference: Milligrams
  /** JSON: milligrams by cause and, of an order, by part. */
  readonly bridge: string
  /** Why an order in the scope stays as it is; null for a change. */
  readonly problem: string | null
}

export type SaveRows = (rows: readonly ChangeRow[]) => Promise<void>

/** The sums of a preview; everything that names a customer is in its rows. */
export interface PreviewSummary {
  readonly counts_from: string | null
  readonly number_of_orders: number
  readonly number_of_devices: number
  readonly number_of_customers: number
  readonly number_of_problems: number
  /** Milligrams as decimal text. */
  readonly before: string
  readonly difference: string
  readonly bridge: Readonly<Record<string, string>>
  readonly years: readonly {
    readonly year: number
    readonly difference: string
    readonly bridge: Record<string, string>
  }[]
}

/** A preview as it is stored. */
export interface StoredPreview extends PreviewSummary {
  /** The release, the mappings and the amortisation of the account that it rests on, as text; absent in early ones. */
  readonly basis?: string
  /**
   * The latest day before which the books were ever closed, null if never; statements of years before it may have been
   * final.
   */
  readonly final_before: string | null
  readonly number_of_superseded_statements: number
}

/** True if a statement of the year may have been issued as final. @param finalBefore of the stored preview */
export const isFinalYear = (year: number, finalBefore: string | null): boolean =>
  finalBefore !== null && `${year + 1}-01-01` <= finalBefore

/**
 * @param save null if only the digest is wanted: then the years are not computed
 * @returns the sums, and the digest of what the preview says of the orders and of what it rests on
 */
export async function previewRestatement(
  { onSnapshot, onProgress, releases }: RestatementWork,
  { restating, figures }: RestatementTask,
  plan: Plan,
  save: SaveRows | null,
): Promise<{ readonly summary: PreviewSummary; readonly digest: string }> {
  const total = plan.numberOfOrders
  const sums = createSums()
  const write = async (rows: readonly ChangeRow[]) => {
    for (const row of rows) sums.add(row)
    if (rows.length > 0) await save?.(rows)
  }
  await write(
    plan.refused.map(({ key, problems }) =>
      problemRow(key, problems.map(({ path, message }) => `${path}: ${message}`).join('; ')),
    ),
  )
  let done = 0
  onProgress(done, total)
  for (const group of plan.groups) {
    const preview = await onSnapshot(restating.accountId, (snapshot) =>
      previewGroup(snapshot, restating, group, figures, releases, save !== null),
    )
    sums.addGroup(preview)
    await write(rowsOf(preview))
    done += group.length
    onProgress(done, total)
  }
  for (const row of sums.yearRows()) await write([row])
  return sums.result()
}

/**
 * Posts a restatement. An order that was restated before the program ended is not changed again: the new figures make
 * no difference to it any more.
 */
export async function postRestatement(
  work: RestatementWork,
  task: RestatementTask,
  { groups, numberOfOrders: total }: Plan,
): Promise<void> {
  let done = 0
  work.onProgress(done, total)
  for (const group of groups) {
    for (let at = 0; at < group.length; at += TOGETHER_MAX)
      await postTogether(work, task, group.slice(at, at + TOGETHER_MAX))
    done += group.length
    work.onProgress(done, total)
  }
}

/** Which orders the restatement changes, of all orders of the account. */
export const planOf = (
  { candidates, releases, onProgress }: RestatementWork,
  { restating, scope, figures }: RestatementTask,
): Promise<Plan> => planRestatement(candidates(restating.accountId), scope, figures, releases, onProgress)

async function postTogether(
  { events, releases }: RestatementWork,
  { restating, figures }: RestatementTask,
  keys: readonly OrderKey[],
): Promise<void> {
  await events.onOrder(restating.accountId, keys[0]!, async (transaction) => {
    const { transaction: read, long } = await readAhead(transaction, keys)
    // Devices are locked first, and the books then, as by all that posts.
    const trial = tryOn(read, await transaction.findPostingTime())
    await restateOrders(
      trial.transaction,
      restating,
      keys.filter((key) => !long.has(orderKey(key))).map((key) => ({ key })),
      async (_, stored) => {
        const again = await resolveAgain(stored, figures, releases)
        if (again.outcome !== 'changed') return null
        return { ...again.resolution, referenceData: await releases.referenceDataOf(again.resolution.releaseId) }
      },
      releases.referenceDataOf,
    )
    if (trial.appended.length > 0) await transaction.appendRevisions(trial.appended)
  })
}

const problemRow = (key: { customerId: string; orderId: string }, problem: string): ChangeRow => ({
  ...key,
  year: null,
  before: null,
  difference: 0n,
  bridge: '{}',
  problem,
})

const rowsOf = ({ orders, refused }: GroupPreview): readonly ChangeRow[] => [
  ...orders.map(({ key, before, bridge }) => ({
    ...key,
    year: null,
    before,
    difference: sumMilligrams(Object.values(bridge).map(totalEmissionOf)),
    bridge: JSON.stringify(bridge, milligramsAsText),
    problem: null,
  })),
  ...refused.map(({ key, why }) => problemRow(key, textOf(why))),
]

const textOf = (why: NotRestated): string =>
  typeof why === 'object' ? why.message : RESTATEMENT_MESSAGES[`order_${why}`]().message

const milligramsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** Adds up what a preview says, and hashes it. */
function createSums() {
  const hash = createHash('sha256')
  const customers = new Set<string>()
  const bridge = new Map<Cause, Milligrams>()
  const years = new Map<string, { customerId: string; year: number; bridge: Map<Cause, Milligrams> }>()
  let [orders, devices, problems, before] = [0, 0, 0, 0n]
  let countsFrom: string | null = null
  return {
    add: (row: ChangeRow): void => {
      const { customerId, orderId, year, problem } = row
      // The years follow from the orders and from the ledgers.
      if (year === null)
        hash.update(`${JSON.stringify([customerId, orderId, String(row.before), row.bridge, problem])}\n`)
      if (problem !== null) problems += 1
      else if (year === null) {
        orders += 1
        before += row.before ?? 0n
        customers.add(customerId)
      }
    },
    addGroup: (group: GroupPreview): void => {
      countsFrom = group.countsFrom
      hash.update(`${JSON.stringify(group.ledgers)}\n`)
      devices += group.devices
      for (const order of group.orders)
        for (const [cause, parts] of entriesOf(order.bridge)) increase(bridge, cause, totalEmissionOf(parts))
      for (const { customerId, year, bridge: ofYear } of group.years) {
        const name = `${year} ${customerId}`
        const known = years.get(name) ?? { customerId, year, bridge: new Map<Cause, Milligrams>() }
        for (const [cause, sum] of entriesOf(ofYear)) increase(known.bridge, cause, sum)
        years.set(name, known)
      }
    },
    yearRows: (): readonly ChangeRow[] =>
      [...years.values()]
        .toSorted((a, b) => (a.customerId === b.customerId ? a.year - b.year : a.customerId < b.customerId ? -1 : 1))
        .map(({ customerId, year, bridge: ofYear }) => ({
          customerId,
          orderId: '',
          year,
          before: null,
          difference: sumMilligrams([...ofYear.values()]),
          bridge: JSON.stringify(textsOf(ofYear)),
          problem: null,
        })),
    result: () => ({
      digest: hash.update(countsFrom ?? '').digest('hex'),
      summary: {
        counts_from: countsFrom,
        number_of_orders: orders,
        number_of_devices: devices,
        number_of_customers: customers.size,
        number_of_problems: problems,
        before: String(before),
        difference: String(sumMilligrams([...bridge.values()])),
        bridge: textsOf(bridge),
        years: sumsOfYears([...years.values()]),
      },
    }),
  }
}

function sumsOfYears(all: readonly { readonly year: number; readonly bridge: ReadonlyMap<Cause, Milligrams> }[]) {
  const sums = new Map<number, Map<Cause, Milligrams>>()
  for (const { year, bridge } of all) {
    const ofYear = sums.get(year) ?? new Map<Cause, Milligrams>()
    for (const [cause, sum] of bridge) increase(ofYear, cause, sum)
    sums.set(year, ofYear)
  }
  return [...sums]
    .toSorted(([a], [b]) => a - b)
    .map(([year, bridge]) => ({
      year,
      difference: String(sumMilligrams([...bridge.values()])),
      bridge: textsOf(bridge),
    }))
}

const entriesOf = <Value>(bridge: Readonly<Partial<Record<Cause, Value>>>): readonly (readonly [Cause, Value])[] =>
  CAUSES.flatMap((cause) => (bridge[cause] === undefined ? [] : [[cause, bridge[cause]] as const]))

const increase = (sums: Map<Cause, Milligrams>, cause: Cause, by: Milligrams): void =>
  void sums.set(cause, (sums.get(cause) ?? 0n) + by)

const textsOf = (sums: ReadonlyMap<Cause, Milligrams>): Record<string, string> =>
  Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).map(([cause, sum]) => [cause, String(sum)]))
