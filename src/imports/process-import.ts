// One import worked on, from where it stands: a file read and its orders posted, tried, or taken back.
import type { StoredImport } from '../postgres/import-record.ts'
import { UnreadableFile } from '../spreadsheets/row.ts'
import { dryRunBatch } from './dry-run.ts'
import type { ImportContext, Progress } from './context.ts'
import { importFile, postBatch } from './import-file.ts'
import { undoImport } from './undo-import.ts'

/** Stores how it ended, where it ends. Whoever has claimed the import is to hold it meanwhile. */
export async function* processImport(context: ImportContext, job: StoredImport): AsyncGenerator<Progress, void> {
  try {
    if (job.state !== 'reversing') return yield* workOnFile(context, job)
    yield* undoImport(context, job)
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
    const problem = error instanceof UnreadableFile ? error.message : context.problemOf(error)
    await context.work.finish(job, 'failed', problem ?? 'A fault of the service; it is in its log')
    if (problem === null) yield { kind: 'fault', error: error as Error }
  }
}

async function* importOrTry(context: ImportContext, job: StoredImport): AsyncGenerator<Progress, void> {
  if (!job.isDryRun) return yield* importFile(context, job, postBatch(context, job))
  // What came earlier in the file is not stored anywhere, so a dry run that broke off begins again.
  const earlier = await context.imports.openEarlierOrders()
  try {
    const anew = await context.work.restart(job)
    yield* importFile(context, anew, dryRunBatch(context, anew, earlier))
  } finally {
    await earlier.close()
  }
}
