// Assembles what import processing needs, for the import worker, the command line and the demo fleet.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import {
  LEDGER_ENTRIES_CACHED_MAX,
  MAPPINGS_CACHED_MAX,
  MAPPINGS_MAX,
  DB_BATCH_BYTES_MAX,
  DB_QUEUE_BYTES_MAX,
  RELEASES_KEPT_MAX,
} from './config.ts'
import type { ReferenceData } from './engine/reference/reference-data.ts'
import { validatorOf } from './http/schemas/registry.ts'
import { createBaseReleaseFor } from './ledger/account-release.ts'
import { createOpenLedger } from './ledger/codec.ts'
import { createRecordOrder } from './ledger/record-order.ts'
import { OrderParams } from './contract/order-schema.ts'
import type { DiskSpace } from './imports/disk-space.ts'
import type { ImportContext } from './imports/context.ts'
import { IMPORT_MESSAGES } from './imports/messages.ts'
import type { ImporterContext } from './imports/importer.ts'
import { processImport } from './imports/process-import.ts'
import { findAccount } from './postgres/accounts.ts'
import { createStoredIds } from './postgres/stored-ids.ts'
import { LeaseLost, unavailabilityOf } from './postgres/errors.ts'
import { createQueueLoad } from './concurrency/queue-load.ts'
import { createImportJobs, createImportLeases } from './postgres/import-jobs.ts'
import { MissingPrivilege } from './postgres/import-lookups.ts'
import { createImports } from './postgres/imports.ts'
import { createLedgerTransactions } from './postgres/ledger-transactions.ts'
import { createEventStore } from './postgres/events.ts'
import { createOrderStore } from './postgres/orders.ts'
import { createAccountReleases } from './postgres/account-releases.ts'
import { createMappings } from './postgres/product-mappings.ts'

export interface CurrentRelease {
  readonly referenceData: ReferenceData
  readonly releaseId: number
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
}

/** A name of this process that is unique among all lease owners. */
export const nameHolder = (): string => `${hostname()} ${process.pid} ${randomUUID()}`

/** Posts with queues of its own, so that requests over HTTP do not wait behind a file or a restatement. */
export function postBeside(pool: Pool, referenceDataOf: CurrentRelease['referenceDataOf']) {
  const limits = {
    batchBytesMax: DB_BATCH_BYTES_MAX,
    queueBytesMax: DB_QUEUE_BYTES_MAX,
    queueLoad: createQueueLoad(),
  }
  const run = createLedgerTransactions(pool, LEDGER_ENTRIES_CACHED_MAX, createOpenLedger(referenceDataOf))
  return {
    recordOrder: createRecordOrder(createOrderStore(pool, run), limits, referenceDataOf),
    events: createEventStore(limits, run),
    mappings: createMappings(pool, { mappingsPerAccountMax: MAPPINGS_MAX, mappingsCachedMax: MAPPINGS_CACHED_MAX }),
  }
}

/**
 * @param holder identifies the process that owns the leases of the imports being processed
 * @param servedWithin true if the service received a request within the given time
 */
export function createImportContext(
  pool: Pool,
  served: CurrentRelease,
  holder: string,
  servedWithin: ImportContext['servedWithin'],
): ImportContext {
  const { referenceDataOf } = served
  const baseFor = createBaseReleaseFor(served, referenceDataOf, RELEASES_KEPT_MAX)
  return {
    ...served,
    releaseFor: createAccountReleases(pool, baseFor, referenceDataOf).releaseFor,
    servedWithin,
    imports: createImports(pool),
    work: createImportJobs(pool, holder),
    ...postBeside(pool, referenceDataOf),
    storedIds: createStoredIds(pool),
    findAccount: (accountId) => findAccount(pool, accountId),
    validateOrder: validatorOf(OrderParams),
    validatorOf,
    isUnavailable: (error) => unavailabilityOf(error) !== null,
    problemOf: (error) => (error instanceof MissingPrivilege ? IMPORT_MESSAGES.import_lacks_privilege() : null),
    isLost: (error) => error instanceof LeaseLost,
  }
}

export type OwnImporter = ImporterContext & Pick<ImportContext, 'imports'>

/** Processes imports in this process, which serves no requests: a harmful file affects only this process. */
export function openOwnImporter(pool: Pool, served: CurrentRelease, room: DiskSpace): OwnImporter {
  const holder = nameHolder()
  const context = createImportContext(pool, served, holder, () => false)
  return {
    ...context,
    room,
    claims: createImportLeases(pool, holder),
    work: (job) => processImport(context, job),
    sliceMs: Infinity,
    endOfWorker: () => null,
    report: (error) => {
      throw error
    },
  }
}
