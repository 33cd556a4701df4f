// What working on imports takes: the rules of POST, the database, and where one process has come to.
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Validate } from '../contract/validation.ts'
import type { Account } from '../postgres/accounts.ts'
import type { EventStore } from '../ledger/records.ts'
import type { ImportJobs } from '../postgres/import-jobs.ts'
import type { Imports } from '../postgres/imports.ts'
import type { Mappings } from '../postgres/product-mappings.ts'
import type { PostedOrder } from '../ledger/records.ts'
import type { PostResult } from '../postgres/orders.ts'

export interface ImportContext {
  readonly imports: Imports
  readonly work: ImportJobs
  readonly postOrder: (order: PostedOrder) => Promise<PostResult>
  readonly events: EventStore
  readonly mappings: Mappings
  readonly findAccount: (accountId: number) => Promise<Account>
  readonly book: ReferenceData
  readonly releaseId: number
  readonly bookOf: (releaseId: number) => Promise<ReferenceData>
  readonly validateOrder: Validate
  /** True where somebody else asked for something within so many milliseconds, for whom work on a file makes room. */
  readonly servedWithin: (milliseconds: number) => boolean
  /** What is told of an error that the operator can mend; null for any other. */
  readonly problemOf: (error: unknown) => string | null
  /** True for an error after which a repetition may succeed. */
  readonly isUnavailable: (error: unknown) => boolean
  /** True for the error that tells that another process has taken an import over, or that it is not to go on. */
  readonly isLost: (error: unknown) => boolean
}

/**
 * How far work on an import has come. Whoever takes these decides whether it goes on: after a checkpoint it may end
 * there, and another goes on later.
 */
export type Progress =
  /** With the milliseconds that it took to come back to where it stood. */
  | { readonly kind: 'checkpoint'; readonly caughtUpMs: number }
  /** Rows were read, or orders gone through, since this was last said. */
  | { readonly kind: 'reading' }
  /** The import has failed by a fault of the service's own. */
  | { readonly kind: 'fault'; readonly error: Error }
  /** The database is away, or the import is another process's: nothing can be said of it. */
  | { readonly kind: 'interrupted' }
