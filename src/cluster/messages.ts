// Messages between the primary, which starts the workers, and each worker, which serves clients.
import type { Config } from '../config.ts'
import type { Console, ConsoleNotBuilt } from '../http/plugins/console-assets.ts'
import type { MeasuredMetrics } from '../observability/metrics.ts'
import type { poolSettings } from '../postgres/pool.ts'
import type { JobAnswer, JobMessage } from './jobs.ts'

type PoolSettings = ReturnType<typeof poolSettings>

/** Everything that a worker receives before it starts. */
export interface WorkerStart {
  /** From 1. */
  readonly worker: number
  readonly workers: number
  readonly config: Config
  readonly database: { readonly first: PoolSettings; readonly replica: PoolSettings | null }
  readonly connectionsMax: number
  readonly console: Console | ConsoleNotBuilt
  /** Version of the primary; by the time a worker is replaced, the files on disk may be of another release. */
  readonly version: string
  readonly datasetHash: string
}

/** Work that the primary runs in separate processes, for all workers. */
export type JobKind = 'detections' | 'reports' | 'drawings'

/** What is counted for all workers together. */
export type Counted =
  | { readonly of: 'requests'; readonly subject: number }
  | { readonly of: 'wrong-keys'; readonly subject: string }

export type ToWorker =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'listen'; readonly port: number }
  /** Whether all workers are serving. */
  | { readonly kind: 'ready'; readonly isSo: boolean }
  | { readonly kind: 'numbers'; readonly id: number; readonly first: number }
  | { readonly kind: 'job'; readonly of: JobKind; readonly answer: JobAnswer<unknown> }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'stop' }
  /** No worker accepts connections any more. */
  | { readonly kind: 'all-closed' }

export type ToPrimary =
  /** The worker receives messages from now on; earlier messages would be lost. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'prepared' }
  | { readonly kind: 'serving'; readonly address: string }
  /** The worker accepts no connections any more. */
  | { readonly kind: 'closed' }
  /** The worker ends; the sentence gives the operator the reason. */
  | { readonly kind: 'failed'; readonly sentence: string }
  | {
      readonly kind: 'take'
      readonly id: number
      readonly counted: Counted
      readonly window: number
      readonly wanted: number
    }
  | {
      readonly kind: 'job'
      readonly of: JobKind
      readonly asked: JobMessage<unknown>
    }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: MeasuredMetrics }
  /** The worker has received a file. */
  | { readonly kind: 'wake-importer' }
  | { readonly kind: 'in-use' }
