// What goes between the primary, which starts the workers, and each of them, which answers clients.
import type { Config } from '../config.ts'
import type { Console, ConsoleNotBuilt } from '../http/plugins/console-assets.ts'
import type { MeasuredMetrics } from '../observability/metrics.ts'
import type { poolSettings } from '../postgres/pool.ts'
import type { JobAnswer, JobMessage } from './jobs.ts'

type PoolSettings = ReturnType<typeof poolSettings>

/** All that a worker is told before it begins. */
export interface WorkerStart {
  /** From 1. */
  readonly worker: number
  readonly workers: number
  readonly config: Config
  readonly database: { readonly first: PoolSettings; readonly replica: PoolSettings | null }
  readonly connectionsMax: number
  readonly console: Console | ConsoleNotBuilt
  /** What the primary runs; the files on the disk may be of another release by the time that a worker is replaced. */
  readonly version: string
  readonly datasetHash: string
}

/** Work that the primary has done in processes beside it, for all workers. */
export type JobKind = 'detections' | 'reports' | 'drawings'

/** What is counted for all workers together. */
export type Counted =
  { readonly of: 'requests'; readonly subject: number } | { readonly of: 'wrong-keys'; readonly subject: string }

export type ToWorker =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'listen'; readonly port: number }
  /** Whether all workers serve. */
  | { readonly kind: 'ready'; readonly isSo: boolean }
  | { readonly kind: 'numbers'; readonly id: number; readonly first: number }
  | { readonly kind: 'job'; readonly of: JobKind; readonly answer: JobAnswer<unknown> }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'stop' }
  /** No worker takes connections any more. */
  | { readonly kind: 'all-closed' }

export type ToPrimary =
  /** It listens to messages: what was sent before would be lost. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'prepared' }
  | { readonly kind: 'serving'; readonly address: string }
  /** It takes no connections any more. */
  | { readonly kind: 'closed' }
  /** It ends, for a reason that the operator is told. */
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
  /** It took a file in. */
  | { readonly kind: 'wake-importer' }
  | { readonly kind: 'in-use' }
