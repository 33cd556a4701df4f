// Works on the restatements of all accounts, one at a time, for as long as the program runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { startLoop, type BackgroundLoop } from './concurrency/background-loop.ts'
import { createPause } from './concurrency/cooperative.ts'
import { keepLease } from './concurrency/keep-lease.ts'
import type { ApiErrorCode, Unavailability } from './contract/errors.ts'
import { nameHolder, postBeside } from './create-import-context.ts'
import type { ReleaseFor } from './ledger/account-release.ts'
import type { Plan, RestatementScope } from './ledger/restatement/plan.ts'
import { createReleaseMixer } from './ledger/restatement/release-mixer.ts'
import type { NewFigures } from './ledger/restatement/resolve-again.ts'
import {
  isFinalYear,
  problemRow,
  unresolvedMessage,
  type ChangeRow,
  type StoredPreview,
} from './ledger/restatement/change-rows.ts'
import { TOGETHER_MAX, type Pace } from './ledger/restatement/planned-orders.ts'
import { postRestatement, type SaveRefused } from './ledger/restatement/post-restatement.ts'
import {
  planOf,
  previewRestatement,
  type RestatementTask,
  type RestatementWork,
  type WireFigures,
} from './ledger/restatement/work.ts'
import type { LoadReferenceData } from './ledger/record-event.ts'
import type { EventStore, OnSnapshot } from './ledger/store.ts'
import { exchangeBase } from './postgres/account-releases.ts'
import { findAccount, type Account } from './postgres/accounts.ts'
import { findReleaseId } from './postgres/dataset-releases.ts'
import { LeaseLost, unavailabilityOf } from './postgres/errors.ts'
import { createOnSnapshot } from './postgres/events.ts'
import { findLatestClosed } from './postgres/period-closings.ts'
import type { Mappings } from './postgres/product-mappings.ts'
import { createRestatementJobs, type RestatementJobs, type RestatementUpdate } from './postgres/restatement-jobs.ts'
import type { StoredRestatement } from './postgres/restatements.ts'

/** How long a restatement stays with a process that does not answer any more. */
const LEASE_MS = 15_000
const HOLD_MS = 1_000
/** How often a process looks for restatements that another one left. */
const LOOK_MS = 5_000
const ROWS_AT_ONCE = 500
/** Plans of one restatement: another one has the orders whose names were erased after the plan before. */
const PLANS_MAX = 5

/** The service counts as in use for this long after a request for the database. */
const IN_USE_MS = 250
/** Orders that are posted together then: requests wait for shorter turns, and for devices that are locked for less. */
const TOGETHER_IN_USE = 10
/** Rest after each piece of work then, as a share of the time that it took. */
const REST_SHARE = 0.25

/** The requests that go first. */
export interface RequestsBeside {
  /** True if the service received a request for the database within the given time. */
  readonly wereWithin: (milliseconds: number) => boolean
  readonly areUnderWay: () => boolean
}

const paceBy = ({ wereWithin, areUnderWay }: RequestsBeside): Pace => ({
  together: () => (wereWithin(IN_USE_MS) ? TOGETHER_IN_USE : TOGETHER_MAX),
  pause: createPause(areUnderWay),
  rest: async (workedMs) => {
    if (wereWithin(IN_USE_MS)) await sleep(workedMs * REST_SHARE)
  },
})

/** @param report reports errors to the operator */
export function startRestatements(
  pool: Pool,
  served: ServedReleases,
  requests: RequestsBeside,
  report: (error: Error) => void,
): BackgroundLoop {
  const context = createContext(pool, served, requests)
  const workOnNext = async (stopping: AbortSignal): Promise<boolean> => {
    const job = await context.jobs.claim(context.holder, LEASE_MS)
    return job !== null && workOn(context, job, stopping, report)
  }
  return startLoop(workOnNext, LOOK_MS, (error) => {
    // While the database is unavailable, all else that asks it says so.
    if (unavailabilityOf(error) === null) report(error)
  })
}

interface ServedReleases {
  readonly referenceDataOf: LoadReferenceData
  readonly releaseFor: ReleaseFor
}

interface RestatementContext extends ServedReleases {
  readonly pool: Pool
  readonly holder: string
  readonly jobs: RestatementJobs
  readonly events: EventStore
  readonly onSnapshot: OnSnapshot
  readonly mappings: Mappings
  readonly pace: Pace
  /** Failures that could not be stored yet, by restatement. */
  readonly untold: Map<string, ApiErrorCode>
}

const createContext = (pool: Pool, served: ServedReleases, requests: RequestsBeside): RestatementContext => ({
  ...served,
  ...postBeside(pool, served.referenceDataOf),
  pool,
  holder: nameHolder(),
  jobs: createRestatementJobs(pool),
  onSnapshot: createOnSnapshot(pool),
  pace: paceBy(requests),
  untold: new Map(),
})

/** @returns false if it is interrupted, and is to be tried again after a while */
async function workOn(
  context: RestatementContext,
  job: StoredRestatement,
  stopping: AbortSignal,
  report: (error: Error) => void,
): Promise<boolean> {
  const { jobs, holder } = context
  let progress: RestatementUpdate = {}
  const update = (change: RestatementUpdate) => jobs.update(job, holder, LEASE_MS, { ...progress, ...change })
  const lost = new AbortController()
  const ending = AbortSignal.any([stopping, lost.signal])
  // To read all orders of an account, or to preview a large group, may take longer than a lease lasts.
  const endLease = keepLease(
    () => update({}),
    HOLD_MS,
    (error) => {
      if (error instanceof LeaseLost) lost.abort(error)
    },
  )
  const onProgress = (ordersDone: number, ordersTotal: number): void => {
    ending.throwIfAborted()
    progress = { ordersDone, ordersTotal }
  }
  const releases = createReleaseMixer(context.referenceDataOf)
  const work = { ...context, releases, candidates: jobs.candidates, onProgress }
  try {
    await tellUntold(context, job, update)
    const task = await taskOf(context, job)
    if (job.state === 'previewing') await preview(context, job, work, task, update)
    else await apply(jobs, job, work, task, update)
    return true
  } catch (error) {
    // Another process continues.
    if (error === ending.reason || error instanceof LeaseLost) return false
    await endLease()
    report(error as Error)
    await tellFailure(context, job, unavailabilityOf(error), update)
    return false
  } finally {
    await endLease()
  }
}

const nameOf = ({ accountId, restatementId }: StoredRestatement): string => `${accountId} ${restatementId}`

/** @param unavailability of the database, after which it is tried again; null if no repetition helps */
async function tellFailure(
  { untold }: RestatementContext,
  job: StoredRestatement,
  unavailability: Unavailability | null,
  update: Update,
): Promise<void> {
  if (unavailability === null) return update({ state: 'failed', error: 'internal' })
  try {
    await update({ error: unavailability })
  } catch (error) {
    if (unavailabilityOf(error) === null && !(error instanceof LeaseLost)) throw error
    untold.set(nameOf(job), unavailability)
  }
}

/** What could not be stored while the database was unavailable. */
async function tellUntold({ untold }: RestatementContext, job: StoredRestatement, update: Update): Promise<void> {
  const error = untold.get(nameOf(job))
  if (error !== undefined) await update({ error })
  untold.delete(nameOf(job))
  // To tell a failure gives up the lease.
  if (error !== undefined) await update({})
}

/** A task, and the state of the account that it rests on: what is posted must rest on the same. */
interface BasedTask extends RestatementTask {
  readonly basis: string
}

async function taskOf(context: RestatementContext, job: StoredRestatement): Promise<BasedTask> {
  const { accountId, restatementId, reason, keyHint, keyLabel } = job
  const figures = JSON.parse(job.figures) as WireFigures
  const account = await findAccount(context.pool, accountId)
  const { releaseId, releaseOf } = await targetOf(context, account, figures)
  const mappingsVersion = figures.mappings === undefined ? null : account.mappingsVersion
  return {
    basis: JSON.stringify([releaseId, mappingsVersion, account.isCapped]),
    restating: {
      accountId,
      recordedBy: { keyHint, keyLabel },
      isCapped: account.isCapped,
      restatementId,
      reason,
    },
    scope: JSON.parse(job.scope) as RestatementScope,
    figures: {
      releaseOf,
      mappingOf: figures.mappings === undefined ? null : await context.mappings.of(account),
      ...(figures.before_restatement !== undefined && { undoes: figures.before_restatement }),
    },
  }
}

/**
 * A release that is stated alone exchanges what an order's own figures were laid over, and not these figures.
 * @returns the release for each order, and the id of the one that is stated or that has the own figures; null for none
 */
async function targetOf(
  { pool, releaseFor }: RestatementContext,
  account: Account,
  { own, release }: WireFigures,
): Promise<Pick<NewFigures, 'releaseOf'> & { readonly releaseId: number | null }> {
  const stated = release === undefined ? null : await findReleaseId(pool, release)
  if (own !== undefined) {
    const { releaseId } = await releaseFor(stated === null ? account : { ...account, pinnedReleaseId: stated })
    return { releaseId, releaseOf: () => Promise.resolve(releaseId) }
  }
  if (stated === null) return { releaseId: null, releaseOf: (releaseId) => Promise.resolve(releaseId) }
  const exchanged = new Map<number, Promise<number>>()
  const releaseOf = (releaseId: number): Promise<number> => {
    const known = exchanged.get(releaseId) ?? exchangeBase(pool, releaseId, stated)
    exchanged.set(releaseId, known)
    return known
  }
  return { releaseId: stated, releaseOf }
}

type Update = (change: RestatementUpdate) => Promise<void>

async function preview(
  { jobs, pool }: RestatementContext,
  job: StoredRestatement,
  work: RestatementWork,
  task: BasedTask,
  update: Update,
): Promise<void> {
  await jobs.clearChanges(job)
  const finalBefore = await findLatestClosed(pool, job.accountId)
  let superseded = 0
  let place = 1
  let waiting: ChangeRow[] = []
  const flush = async () => {
    if (waiting.length > 0) await jobs.storeChanges(job, place, waiting)
    ;[place, waiting] = [place + waiting.length, []]
  }
  const { summary, digest } = await previewRestatement(work, task, async (rows) => {
    waiting.push(...rows)
    superseded += rows.filter(({ year }) => year !== null && isFinalYear(year, finalBefore)).length
    if (waiting.length >= ROWS_AT_ONCE) await flush()
  })
  await flush()
  const stored: StoredPreview = {
    ...summary,
    basis: task.basis,
    final_before: finalBefore,
    number_of_superseded_statements: superseded,
  }
  await update({ state: 'previewed', digest, document: JSON.stringify(stored) })
}

/** What was previewed is computed again before anything is posted, unless that was done before the program ended. */
async function apply(
  jobs: RestatementJobs,
  job: StoredRestatement,
  work: RestatementWork,
  task: BasedTask,
  update: Update,
): Promise<void> {
  const { basis } = JSON.parse(job.document ?? '{}') as Partial<StoredPreview>
  // What was posted before the program ended can be undone; the rest must not be posted by figures nobody has seen.
  if (basis !== undefined && basis !== task.basis) return update({ state: job.isChecked ? 'failed' : 'outdated' })
  const save = saveRefused(jobs, job)
  let plan: Plan | null = null
  if (!job.isChecked) {
    const checked = await previewRestatement(work, task, null)
    if (checked.digest !== job.digest) return update({ state: 'outdated' })
    await update({ isChecked: true })
    plan = checked.plan
  }
  for (let plans = 1; plans <= PLANS_MAX; plans += 1) {
    plan ??= await planOf(work, task, ({ key, problems }) =>
      save([key], [problemRow(key, unresolvedMessage(problems))]),
    )
    if (await postRestatement(work, task, plan, save)) break
    plan = null
  }
  await update({ state: 'applied' })
}

/** Nearly always there is nothing to store, and nothing stored to be replaced. */
function saveRefused(jobs: RestatementJobs, job: StoredRestatement): SaveRefused {
  let isAnyStored = job.ordersRefused > 0
  return async (orders, refused) => {
    if (refused.length === 0 && !isAnyStored) return
    await jobs.storeRefused(job, orders, refused)
    isAnyStored = true
  }
}
