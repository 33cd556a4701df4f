// What working on imports takes, put together: for the program that serves, and for the command line.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import { MAPPINGS_KEPT_MAX, MAPPINGS_MAX, TRIP_WEIGHT_MAX, WAITING_WEIGHT_MAX } from './config.ts'
import type { FactorBook } from './engine/figures/factor-book.ts'
import type { SentFile } from './http/imports/imports.ts'
import { validatorOf } from './http/named-schemas.ts'
import { OrderParams } from './http/wire/order-schema.ts'
import { createDiskRoom } from './imports/disk-room.ts'
import type { ImportContext } from './imports/import-context.ts'
import { startImporter } from './imports/importer.ts'
import { receiveFile } from './imports/receive-file.ts'
import { createUploadAdmission, type UploadLimits } from './imports/upload-admission.ts'
import { findAccount } from './postgres/accounts/accounts.ts'
import type { ReadFreeSpace } from './postgres/free-space.ts'
import { unavailabilityOf } from './postgres/connection/database-errors.ts'
import { createEvents } from './postgres/orders/events.ts'
import { ImportLost, createImportWork } from './postgres/imports/import-work.ts'
import { MissingPrivilege } from './postgres/imports/import-reads.ts'
import { createImports } from './postgres/imports/imports.ts'
import { createMappings } from './postgres/products/mappings.ts'
import { createOrders } from './postgres/orders/orders.ts'
import { isInUse, nobodyWaits, type Waiting } from './postgres/connection/waiting.ts'

export interface ServedBook {
  readonly book: FactorBook
  readonly releaseId: number
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
}

/**
 * With queues of its own, so that whoever posts over HTTP does not stand in line behind a file.
 * @param servedWithin true where somebody asked this process for something so short a time ago
 * @param readFreeSpace of the disk of the database; null where that cannot be seen
 */
export function openImporting(
  pool: Pool,
  served: ServedBook,
  servedWithin: ImportContext['servedWithin'],
  readFreeSpace: ReadFreeSpace | null,
): ImportContext {
  const limits = {
    weightPerTripMax: TRIP_WEIGHT_MAX,
    weightWaitingMax: WAITING_WEIGHT_MAX,
    waiting: nobodyWaits(),
  }
  return {
    ...served,
    servedWithin,
    room: createDiskRoom(readFreeSpace),
    imports: createImports(pool),
    work: createImportWork(pool, `${hostname()} ${process.pid} ${randomUUID()}`),
    postOrder: createOrders(pool, limits),
    events: createEvents(pool, limits),
    mappings: createMappings(pool, { mappingsPerAccountMax: MAPPINGS_MAX, mappingsKeptMax: MAPPINGS_KEPT_MAX }),
    findAccount: (accountId) => findAccount(pool, accountId),
    validateOrder: validatorOf(OrderParams),
    isUnavailable: (error) => unavailabilityOf(error) !== null,
    problemOf: (error) => (error instanceof MissingPrivilege ? error.message : null),
    isLost: (error) => error instanceof ImportLost,
  }
}

/**
 * Works on imports for as long as the program runs.
 * @param waiting who is served by it
 * @param limits of the files that it takes
 * @param report tells the operator of a fault of the service's own
 */
export function serveImports(
  pool: Pool,
  served: ServedBook,
  waiting: Waiting,
  limits: UploadLimits,
  readFreeSpace: ReadFreeSpace | null,
  report: (error: Error) => void,
) {
  const context = openImporting(pool, served, (milliseconds) => isInUse(waiting, milliseconds), readFreeSpace)
  const { imports, room } = context
  const admission = createUploadAdmission(limits, room)
  const importer = startImporter(context, report)
  return {
    imports,
    receiveFile: (accountId: number, file: SentFile) => receiveFile({ imports, admission }, accountId, file),
    wakeImporter: importer.wake,
    stopImports: importer.stop,
  }
}
