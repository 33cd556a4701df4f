// The dependencies of import processing, and the progress that it reports.
import type { Message } from '../engine/message.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { NamedSchema } from '../contract/named-schema.ts'
import type { Validate } from '../contract/validation.ts'
import type { Account } from '../postgres/accounts.ts'
import type { ReleaseFor } from '../ledger/account-release.ts'
import type { StoredIds } from '../ledger/stored-ids.ts'
import type { EventAccount } from '../ledger/record-event.ts'
import type { RecordOrder } from '../ledger/record-order.ts'
import type { EventStore } from '../ledger/store.ts'
import type { ImportJobs } from '../postgres/import-jobs.ts'
import type { Imports } from '../postgres/imports.ts'
import type { Mappings } from '../postgres/product-mappings.ts'

/** An account with what it records for: an import, or null for a demo fleet. */
export type RecordingAccount = Account & Pick<EventAccount, 'recordedBy'>

export interface ImportContext {
  readonly imports: Imports
  readonly work: ImportJobs
  readonly recordOrder: RecordOrder
  readonly events: EventStore
  readonly storedIds: StoredIds
  readonly mappings: Mappings
  readonly findAccount: (accountId: number) => Promise<Account>
  /** The release of the account, while a file is processed. */
  readonly referenceData: ReferenceData
  readonly releaseId: number
  readonly releaseFor: ReleaseFor
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly validateOrder: Validate
  readonly validatorOf: (schema: NamedSchema) => Validate
  /**
   * True if the service received a request within this many milliseconds; import processing then yields to requests.
   */
  readonly servedWithin: (milliseconds: number) => boolean
  /** The message for an error that the operator can fix; null for any other error. */
  readonly problemOf: (error: unknown) => Message | null
  /** True for an error after which a retry may succeed. */
  readonly isUnavailable: (error: unknown) => boolean
  /** True for the error that another process has taken over the import, or that it must not continue. */
  readonly isLost: (error: unknown) => boolean
}

/**
 * Progress of an import. The consumer decides whether the import continues: after a checkpoint it may stop, and another
 * process can continue later.
 */
export type Progress =
  /** With the milliseconds that it took to get back to the previous position. */
  | { readonly kind: 'checkpoint'; readonly caughtUpMs: number }
  /** Rows were read or orders were scanned since the last progress. */
  | { readonly kind: 'reading' }
  /** The import has failed because of an internal error. */
  | { readonly kind: 'fault'; readonly error: Error }
  /** The database is unavailable, or another process has the import, so that nothing can be recorded about it. */
  | { readonly kind: 'interrupted' }
