// Works on a restatement: the plan of the orders that it changes, and the preview of what it changes in them.
import type { EventStore, OnSnapshot } from '../store.ts'
import {
  problemRow,
  rowsOf,
  unresolvedMessage,
  type ChangeRow,
  type PreviewSummary,
  type SaveRows,
} from './change-rows.ts'
import { planRestatement, type Candidate, type Plan, type RefusedOrder, type RestatementScope } from './plan.ts'
import { previewGroup } from './preview-group.ts'
import { createSums } from './preview-sums.ts'
import type { Restating } from './restate-order.ts'
import type { Pace } from './planned-orders.ts'
import type { ReleaseMixer } from './release-mixer.ts'
import type { NewFigures } from './resolve-again.ts'

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
  /** @param undoes the number of a restatement that is undone */
  readonly candidates: (accountId: number, undoes?: number) => AsyncIterable<readonly Candidate[]>
  /** Is told at first, and after each group, how many orders are done. @throws to stop the work */
  readonly onProgress: (done: number, total: number) => void
  readonly pace: Pace
}

/** Which orders the restatement changes, of all orders of the account. */
export const planOf = (
  { candidates, releases, onProgress, pace }: RestatementWork,
  { restating, scope, figures }: RestatementTask,
  onRefused: (refused: RefusedOrder) => Promise<void>,
): Promise<Plan> =>
  planRestatement(candidates(restating.accountId, figures.undoes), scope, figures, {
    mixer: releases,
    pace,
    onProgress,
    onRefused,
  })

export interface Preview {
  readonly plan: Plan
  readonly summary: PreviewSummary
  /** Of what the preview says of the orders, and of what it rests on. */
  readonly digest: string
}

/** @param save null if only the digest is wanted: then the years are not computed */
export async function previewRestatement(
  work: RestatementWork,
  task: RestatementTask,
  save: SaveRows | null,
): Promise<Preview> {
  const { onSnapshot, onProgress, releases, pace } = work
  const { restating, figures } = task
  const sums = createSums()
  const write = async (rows: readonly ChangeRow[]) => {
    for (const row of rows) sums.add(row)
    if (rows.length > 0) await save?.(rows)
  }
  const plan = await planOf(work, task, ({ key, problems }) => write([problemRow(key, unresolvedMessage(problems))]))
  let done = 0
  onProgress(done, plan.numberOfOrders)
  for (const group of plan.groups) {
    const startedAt = performance.now()
    const preview = await onSnapshot(restating.accountId, (snapshot) =>
      previewGroup(snapshot, restating, group, { figures, mixer: releases, pause: pace.pause }, save !== null),
    )
    sums.addGroup(preview)
    await write(rowsOf(preview))
    done += group.length
    onProgress(done, plan.numberOfOrders)
    await pace.rest(performance.now() - startedAt)
  }
  for (const row of sums.yearRows()) await write([row])
  return { plan, ...sums.result() }
}
