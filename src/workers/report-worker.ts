// The worker that rolls up entries, generates reports, answers for devices with large ledgers, and matches many
// products.
import type { Message } from '../engine/message.ts'
import { WORKER_MESSAGES } from './messages.ts'
import type { Pool } from 'pg'
import { runWorker } from './worker-entry.ts'
import { ROLLUP_IDLE_INTERVAL_MS, COMMIT_LAG_MS_MAX, REPORT_CONNECTIONS_MAX } from '../config.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Meaning } from '../engine/matching/matcher.ts'
import type { ProductNames } from '../engine/reference/product-match.ts'
import { buildDeviceResponse, type DeviceRequest } from '../http/views/device-response.ts'
import { buildOrderResponse, type OrderRequest } from '../http/views/order-response.ts'
import { SCENARIO_LIMITS, buildScenarioResponse, type ScenarioRequest } from '../http/views/scenario-response.ts'
import { matchAll } from '../ledger/prematch.ts'
import { orderNotFound } from '../http/routes/orders.ts'
import type { ResponseHead } from '../http/streamed-response.ts'
import { ApiError, apiErrorOf, type ApiErrorCode } from '../contract/errors.ts'
import { runReport, type ReportRequest } from '../reporting/run-report.ts'
import { serialNumbersEverInOrder, serialNumbersOfOrder } from '../ledger/order-state.ts'
import { unavailabilityOf } from '../postgres/errors.ts'
import { withDeadline } from '../concurrency/deadline.ts'
import { createPool, type poolSettings } from '../postgres/pool.ts'
import { createReplicaReads, type OnRead, type ReplicaReads } from '../postgres/read-replica.ts'
import { createSemaphore, type SemaphoreLimits } from '../concurrency/semaphore.ts'
import { readLongDevice, readLongOrder } from '../postgres/order-reader.ts'
import { readScenario } from '../postgres/scenario-records.ts'
import { createRollups, createReadFacts } from '../postgres/reporting/store.ts'
import { singleFlightByAccount } from '../reporting/single-flight.ts'
import { VERSION } from '../version.ts'
import { createReleaseCache } from '../reference-data/release-cache.ts'
import { rollUpBacklog, rollUpInBatches } from '../reporting/rollup-job.ts'

/** Each may take some hundred megabytes until its last piece is read. */
const LONG_DEVICES_AT_ONCE: SemaphoreLimits = { most: 2, ofOneMost: 1, waitMs: 8_000 }

/** Each has up to 100,000 entries in memory. */
const SCENARIOS_AT_ONCE: SemaphoreLimits = { most: 2, ofOneMost: 1, waitMs: 8_000 }

/** The part of a report's database time that is reserved for the report itself, after the roll-up. */
const REPORT_MS = 5_000

type PoolSettings = ReturnType<typeof poolSettings>

export interface ReportSettings {
  readonly first: PoolSettings
  readonly replica: PoolSettings | null
  readonly served: readonly [releaseId: number, referenceData: ReferenceData]
}

/** `databaseMs`: milliseconds that a response may spend on the database in total; Infinity for no limit. */
export type ReportTask =
  | { readonly kind: 'fold' }
  | { readonly kind: 'report'; readonly ask: ReportRequest; readonly databaseMs: number }
  | { readonly kind: 'order'; readonly ask: OrderRequest; readonly databaseMs: number }
  | { readonly kind: 'scenario'; readonly ask: ScenarioRequest; readonly databaseMs: number }
  | { readonly kind: 'device'; readonly ask: DeviceRequest; readonly databaseMs: number }
  | { readonly kind: 'match'; readonly products: readonly ProductNames[]; readonly releaseId: number }

export type ReportMessage =
  | { readonly kind: 'fault'; readonly error: Error; readonly isUnavailable: boolean }
  | { readonly kind: 'folded'; readonly tookMs: number }
  | { readonly kind: 'refused'; readonly code: ApiErrorCode; readonly why: Message }
  /** With the databases that were read since the last such message, and why the replica was not used. */
  | { readonly kind: 'head'; readonly head: ResponseHead; readonly reads: readonly Parameters<OnRead>[] }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'meanings'; readonly meanings: readonly Meaning[] }

// Lost connections are not reported here: the service loses its own at the same time and reports them.
const open = ({ target, limits }: PoolSettings) =>
  createPool(target, { ...limits, connectionsMax: REPORT_CONNECTIONS_MAX }, () => undefined)

runWorker<ReportSettings, ReportTask, ReportMessage>(({ first, replica, served }) => {
  const pool = open(first)
  const reads: Parameters<OnRead>[] = []
  const longReads = createReplicaReads(pool, replica && open(replica), (...read) => reads.push(read))
  const referenceDataOf = createReleaseCache(pool, served)
  const facts = { readFacts: createReadFacts(longReads), referenceDataOf }
  const folds = createRollups(pool, COMMIT_LAG_MS_MAX, ROLLUP_IDLE_INTERVAL_MS)
  const sharedFolds = singleFlightByAccount(folds)
  const answerLong = createLongAnswers(pool, referenceDataOf, served[1])
  const answerScenario = createScenarioAnswers(longReads, referenceDataOf)

  async function* foldWhatIsThere(signal: AbortSignal): AsyncGenerator<ReportMessage> {
    const faults: Error[] = []
    const pieces = rollUpInBatches(
      { folds, referenceDataOf },
      () => signal.aborted,
      (error) => faults.push(error),
    )
    for await (const tookMs of pieces) yield { kind: 'folded', tookMs }
    for (const error of faults) yield { kind: 'fault', error, isUnavailable: unavailabilityOf(error) !== null }
  }

  async function foldFor({ query }: ReportRequest, goesOn: () => boolean): Promise<void> {
    if (await rollUpBacklog({ folds: sharedFolds, referenceDataOf }, query.accountId, goesOn)) return
    throw new ApiError('unavailable', WORKER_MESSAGES.reports_behind())
  }

  async function* report(ask: ReportRequest, databaseMs: number, signal: AbortSignal): AsyncGenerator<ReportMessage> {
    const deadline = performance.now() + databaseMs
    const { pieces, ...head } = await withDeadline(deadline, async () => {
      await foldFor(ask, () => !signal.aborted && performance.now() < deadline - REPORT_MS)
      return runReport(facts, ask, signal)
    })
    yield { kind: 'head', head, reads: reads.splice(0) }
    for await (const piece of pieces) yield { kind: 'bytes', bytes: Buffer.from(piece) }
  }

  async function* match(
    { products, releaseId }: Extract<ReportTask, { readonly kind: 'match' }>,
    signal: AbortSignal,
  ): AsyncGenerator<ReportMessage> {
    yield { kind: 'meanings', meanings: await matchAll(await referenceDataOf(releaseId), products, signal) }
  }

  return (job, signal) => {
    if (job.kind === 'fold') return foldWhatIsThere(signal)
    if (job.kind === 'match') return match(job, signal)
    if (job.kind === 'report') return orRefused(report(job.ask, job.databaseMs, signal))
    if (job.kind === 'scenario') {
      return orRefused(answerScenario(job, signal, () => reads.splice(0)))
    }
    return orRefused(answerLong(job, signal))
  }
})

type LongJob = Extract<ReportTask, { readonly kind: 'device' | 'order' }>

/** Answers for devices with large ledgers and for their orders. */
function createLongAnswers(
  pool: Pool,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
  referenceData: ReferenceData,
) {
  const takeTurn = createSemaphore('devices with long ledgers', LONG_DEVICES_AT_ONCE)
  const context = { version: VERSION, referenceData, referenceDataOf, now: () => new Date() }

  async function* device(ask: DeviceRequest, databaseMs: number, signal: AbortSignal): AsyncGenerator<ReportMessage> {
    const records = await withinMs(databaseMs, () => readLongDevice(pool, ask, signal))
    const { headers, pieces } = await buildDeviceResponse(ask, records, referenceDataOf, signal)
    yield { kind: 'head', head: { groups: 0, headers }, reads: [] }
    for (const piece of pieces) yield { kind: 'bytes', bytes: Buffer.from(piece) }
  }

  async function* order(ask: OrderRequest, databaseMs: number, signal: AbortSignal): AsyncGenerator<ReportMessage> {
    const records = await withinMs(databaseMs, () => readLongOrder(pool, { ...ask, serialsOf: serialNumbersOfOrder }))
    if (!records) throw orderNotFound(ask.key, ask.knownAt)
    const { headers, text } = await buildOrderResponse(context, ask, records, signal)
    yield { kind: 'head', head: { groups: 0, headers }, reads: [] }
    yield { kind: 'bytes', bytes: Buffer.from(text) }
  }

  return async function* (job: LongJob, signal: AbortSignal): AsyncGenerator<ReportMessage> {
    const endTurn = await takeTurn(job.ask.accountId)
    try {
      yield* job.kind === 'order' ? order(job.ask, job.databaseMs, signal) : device(job.ask, job.databaseMs, signal)
    } finally {
      endTurn()
    }
  }
}

/** Computes scenarios from one snapshot each. */
function createScenarioAnswers(
  longReads: ReplicaReads,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
) {
  const takeTurn = createSemaphore('scenarios', SCENARIOS_AT_ONCE)
  return async function* (
    { ask, databaseMs }: Extract<ReportTask, { readonly kind: 'scenario' }>,
    signal: AbortSignal,
    readsSince: () => readonly Parameters<OnRead>[],
  ): AsyncGenerator<ReportMessage> {
    const endTurn = await takeTurn(ask.accountId)
    try {
      const { accountId, customerId, wire } = ask
      const scope = { customerId, from: wire.scope?.from ?? null, to: wire.scope?.to ?? null }
      const wanted = { accountId, scope, limits: SCENARIO_LIMITS, serialsOf: serialNumbersEverInOrder }
      const records = await withinMs(databaseMs, () => longReads((connection) => readScenario(connection, wanted)))
      const { headers, text } = await buildScenarioResponse(ask, records, referenceDataOf, signal)
      yield { kind: 'head', head: { groups: 0, headers }, reads: readsSince() }
      yield { kind: 'bytes', bytes: Buffer.from(text) }
    } finally {
      endTurn()
    }
  }
}

const withinMs = <Result>(databaseMs: number, work: () => Promise<Result>): Promise<Result> =>
  withDeadline(performance.now() + databaseMs, work)

/** Passes on the pieces; an error that is not internal becomes a `refused` piece. */
async function* orRefused(pieces: AsyncGenerator<ReportMessage>): AsyncGenerator<ReportMessage> {
  try {
    yield* pieces
  } catch (error) {
    const failure = apiErrorOf(error, unavailabilityOf)
    if (failure === null) throw error
    yield { kind: 'refused', code: failure.code, why: failure.reason }
  }
}
