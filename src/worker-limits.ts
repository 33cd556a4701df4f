// The limits of a single process, and the share of each of several workers.
import type { PrimaryLink } from './cluster/primary-link.ts'
import {
  CONNECTIONS_MAX,
  CONNECTION_BYTES_MAX,
  MAPPINGS_CACHED_MAX,
  MAPPINGS_MAX,
  PIPELINED_MAX,
  DB_QUEUE_BYTES_MAX,
  WORKER_CONNECTIONS_MIN,
  WORKER_MEMORY_MIN,
  FAILED_AUTH_ADDRESSES_MAX,
} from './config.ts'
import {
  KEY_WINDOW_MS,
  FAILED_AUTH_WINDOW_MS,
  createRateLimit,
  createFailedAuthLimit,
} from './concurrency/rate-limit.ts'
import type { UploadLimits } from './imports/upload-admission.ts'
import type { WorkerPools } from './worker-pools.ts'
import type { Readiness } from './postgres/health.ts'

/** What a worker shares with the others at one address. */
export interface Shared {
  readonly workers: number
  readonly primary: PrimaryLink
  /** The worker pools of the primary. */
  readonly beside: WorkerPools
}

/** Queues and caches share one memory, however many workers there are. */
export function memoryOf(shared: Shared | null) {
  const share = (most: number, least: number): number => Math.max(Math.ceil(most / (shared?.workers ?? 1)), least)
  return {
    queueBytesMax: share(DB_QUEUE_BYTES_MAX, WORKER_MEMORY_MIN),
    mappingsCachedMax: share(MAPPINGS_CACHED_MAX, MAPPINGS_MAX),
    connectionLimits: {
      connectionsMax: share(CONNECTIONS_MAX, WORKER_CONNECTIONS_MIN),
      pipelinedMax: share(PIPELINED_MAX, WORKER_CONNECTIONS_MIN),
      connectionBytesMax: share(CONNECTION_BYTES_MAX, WORKER_MEMORY_MIN),
    },
  }
}

/** One worker may happen to serve all uploads of an account. */
export const uploadsOf = (limits: UploadLimits, shared: Shared | null): UploadLimits => ({
  ...limits,
  totalUploads: Math.max(Math.ceil(limits.totalUploads / (shared?.workers ?? 1)), limits.accountUploads),
})

export interface KeyLimits {
  /** 0 for no limit. */
  readonly keyRequestsPerSecondMax: number
  /** Per address; 0 for no limit. */
  readonly wrongKeysPerMinuteMax: number
}

/** All workers together admit as many as one would. */
export function limitKeys(limits: KeyLimits, shared: Shared | null, now: () => Date) {
  const { keyRequestsPerSecondMax: requests, wrongKeysPerMinuteMax: wrong } = limits
  const countRequests = shared?.primary.countRequests(requests, KEY_WINDOW_MS)
  const countWrong = shared?.primary.countWrongKeys(wrong, FAILED_AUTH_WINDOW_MS, FAILED_AUTH_ADDRESSES_MAX)
  return {
    spendRequest: requests === 0 ? null : createRateLimit(requests, now, countRequests),
    spendWrongKey: wrong === 0 ? null : createFailedAuthLimit(wrong, FAILED_AUTH_ADDRESSES_MAX, now, countWrong),
  }
}

/** Waits until no other worker accepts connections any more. */
export const othersClosed = (shared: Shared | null) => shared && (() => shared.primary.othersClosed())

export function withOthers(check: () => Promise<Readiness>, shared: Shared | null): () => Promise<Readiness> {
  if (shared === null) return check
  return () => (shared.primary.isReady ? check() : Promise.resolve('workers'))
}
