// Posts a restatement, after it was checked that the preview is still what would be posted.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { problemRow, unresolvedMessage, type ChangeRow } from './change-rows.ts'
import type { Plan } from './plan.ts'
import { readAhead } from './read-ahead.ts'
import { resolveAgain } from './resolve-again.ts'
import { restateOrders, type NotRestated } from './restate-order.ts'
import { tryOn } from './trial-transaction.ts'
import type { RestatementTask, RestatementWork } from './work.ts'

/** Stores which of some orders could not be posted; what was stored of them before does not count any more. */
export type SaveRefused = (orders: readonly OrderKey[], refused: readonly ChangeRow[]) => Promise<void>

/**
 * An order that was restated before the program ended is not changed again: the new figures make no difference to it
 * any more.
 * @returns false if orders of the plan have other names now: a new plan has them
 */
export async function postRestatement(
  work: RestatementWork,
  task: RestatementTask,
  { groups, numberOfOrders: total }: Plan,
  saveRefused: SaveRefused,
): Promise<boolean> {
  const { onProgress, pace } = work
  let [done, hasAll] = [0, true]
  onProgress(done, total)
  for (const group of groups) {
    for (let at = 0, size = 0; at < group.length; at += size) {
      size = pace.together()
      const keys = group.slice(at, at + size)
      const startedAt = performance.now()
      const refused = await postTogether(work, task, keys)
      hasAll &&= refused.every(({ why }) => why !== 'renamed')
      const told = refused.filter(({ why }) => why !== 'renamed')
      await saveRefused(
        keys,
        told.map(({ key, why }) => problemRow(key, why)),
      )
      await pace.rest(performance.now() - startedAt)
    }
    done += group.length
    onProgress(done, total)
  }
  return hasAll
}

async function postTogether(
  { events, releases, pace }: RestatementWork,
  { restating, figures }: RestatementTask,
  keys: readonly OrderKey[],
): Promise<readonly { readonly key: OrderKey; readonly why: NotRestated }[]> {
  return events.onOrder(restating.accountId, keys[0]!, async (transaction) => {
    const { transaction: read, long, replaced } = await readAhead(transaction, keys, figures.undoes)
    // Devices are locked first, and the books then, as by all that posts.
    const trial = tryOn(read, await transaction.findPostingTime())
    const refused = await restateOrders(
      trial.transaction,
      restating,
      keys.filter((key) => !long.has(orderKey(key))).map((key) => ({ key })),
      async ({ key }, records) => {
        const candidate = { ...records, replaced: replaced.get(orderKey(key)) ?? null }
        const again = await resolveAgain(candidate, figures, releases)
        if (again.outcome === 'refused') return { refused: unresolvedMessage(again.problems) }
        if (again.outcome === 'unchanged') return null
        return { ...again.resolution, referenceData: await releases.referenceDataOf(again.resolution.releaseId) }
      },
      { referenceDataOf: releases.referenceDataOf, pause: pace.pause },
    )
    if (trial.appended.length > 0) await transaction.appendRevisions(trial.appended)
    const tooLong = keys.filter((key) => long.has(orderKey(key)))
    return [...tooLong.map((key) => ({ key, why: 'long_ledger' as const })), ...refused]
  })
}
