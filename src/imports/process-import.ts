// Processes one import from its recorded position: records the orders or events of its file, tries them in a dry run,
// or reverses them.
import type { StoredImport } from '../postgres/import-record.ts'
import { UnreadableFile } from '../spreadsheets/row.ts'
import type { Settings } from '../spreadsheets/settings.ts'
import { dryRunBatch } from './dry-run.ts'
import type { ImportContext, Progress } from './context.ts'
import { dryRunEvents, eventBatch } from './import-events.ts'
import { importFile, postBatch } from './import-file.ts'
import { IMPORT_MESSAGES } from './messages.ts'
import { undoEvents } from './undo-events.ts'
import { undoImport } from './undo-import.ts'

/** Stores the result at the end. The lease owner has to renew the lease meanwhile. */
export async function* processImport(context: ImportContext, job: StoredImport): AsyncGenerator<Progress, void> {
  try {
    if (job.state !== 'reversing') return yield* workOnFile(context, job)
    yield* isOfEvents(job) ? undoEvents(context, job) : undoImport(context, job)
    await context.work.finish(job, 'reversed', null)
  } catch (error) {
    if (!isInterruption(context, error)) throw error
    yield { kind: 'interrupted' }
  }
}

const isInterruption = ({ isLost, isUnavailable }: ImportContext, error: unknown): boolean =>
  isLost(error) || isUnavailable(error)

async function* workOnFile(context: ImportContext, job: StoredImport): AsyncGenerator<Progress, void> {
  try {
    yield* importOrTry(context, job)
    await context.work.finish(job, 'succeeded', null)
  } catch (error) {
    if (isInterruption(context, error)) throw error
    const problem = error instanceof UnreadableFile ? error.reason : context.problemOf(error)
    await context.work.finish(job, 'failed', problem ?? IMPORT_MESSAGES.import_internal_error())
    if (problem === null) yield { kind: 'fault', error: error as Error }
  }
}

const isOfEvents = ({ settings }: StoredImport): boolean => (JSON.parse(settings!) as Settings).layout === 'events'

async function* importOrTry(shared: ImportContext, job: StoredImport): AsyncGenerator<Progress, void> {
  const context = { ...shared, ...(await shared.releaseFor(await shared.findAccount(job.accountId))) }
  if (isOfEvents(job)) {
    if (!job.isDryRun) return yield* importFile(context, job, eventBatch(context))
    return yield* importFile(context, await context.work.restart(job), dryRunEvents(context))
  }
  if (!job.isDryRun) return yield* importFile(context, job, postBatch(context, job))
  // Earlier orders of the file are not stored anywhere, so an interrupted dry run starts again.
  const earlier = await context.imports.openEarlierOrders()
  try {
    const anew = await context.work.restart(job)
    yield* importFile(context, anew, dryRunBatch(context, anew, earlier))
  } finally {
    await earlier.close()
  }
}
