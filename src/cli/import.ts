// `cradle import FILE`: orders of a file, taken in by the rules of POST, with a bar, and every fault by row and column.
import { createReadStream, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config.ts'
import { readDatasetFiles } from '../datasets/dataset-files.ts'
import { readDatasets } from '../datasets/read-datasets.ts'
import { matcherOf } from '../engine/book-matcher.ts'
import { toKilograms } from '../engine/line.ts'
import type { Problem } from '../engine/order.ts'
import type { ImportContext } from '../imports/import-context.ts'
import { workOnNext } from '../imports/importer.ts'
import { receiveFile } from '../imports/receive-file.ts'
import { rememberBooks } from '../remember-books.ts'
import { openImporting } from '../open-importing.ts'
import { findAccountByName } from '../postgres/accounts.ts'
import type { Database } from '../postgres/database.ts'
import type { ImportKey, StoredImport } from '../postgres/import-record.ts'
import { openMigrated } from '../postgres/open-migrated.ts'
import { useRelease } from '../postgres/releases.ts'
import { createProgress } from './progress.ts'
import { print } from './with-database.ts'

const DATA = join(import.meta.dirname, '..', '..', 'data')
const LOOK_MS = 300

export interface ImportOptions {
  readonly account: string
  readonly dryRun?: boolean
  readonly set?: readonly string[]
}

/** Ends the process with 5 where the file, or any row of it, was refused. */
export async function importCommand(file: string, options: ImportOptions): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no file "${file}"`)
  const { pool, close } = await openMigrated(readConfig(process.env))
  try {
    const accountId = await findAccountByName(pool, options.account)
    if (accountId === null) throw new Error(`There is no account "${options.account}"; see cradle accounts list`)
    const context = await openContext(pool)
    const received = await receiveFile(context.imports, accountId, {
      fileName: basename(file),
      isDryRun: options.dryRun === true,
      asked: Object.fromEntries((options.set ?? []).map(settingOf)),
      content: createReadStream(file),
    })
    if (!received.ok) return refuse(file, received.problems)
    tell(await follow(context, received.key))
  } finally {
    await close()
  }
}

async function openContext(pool: Database['pool']): Promise<ImportContext> {
  const files = readDatasetFiles(DATA)
  const book = readDatasets(files)
  matcherOf(book)
  const releaseId = await useRelease(pool, book.release, book.hash, files)
  return openImporting(pool, { book, releaseId, bookOf: rememberBooks(pool, releaseId, book) })
}

const settingOf = (text: string): readonly [string, string] => {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`--set takes a setting and its value, like decimal=comma, not "${text}"`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function refuse(file: string, problems: readonly Problem[]): void {
  process.exitCode = 5
  print(`"${file}" cannot be imported as it is:`)
  for (const { path, message, suggestions } of problems)
    print([path, message, ...(suggestions ? [`(${suggestions.join(', ')})`] : [])].join(' '))
}

/** Works on the import, or watches the service that does. */
async function follow(context: ImportContext, key: ImportKey): Promise<StoredImport> {
  const progress = createProgress(process.stderr)
  let done: ((count: number) => void) | null = null
  let told = 0
  const look = async (): Promise<StoredImport> => {
    const job = await context.imports.find(key)
    if (!job) throw new Error(`Import ${key.importId} is not there any more`)
    done ??= progress.start(job.fileBytes)
    done(job.counts.bytesRead - told)
    told = job.counts.bytesRead
    return job
  }
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS)
  try {
    for (;;) {
      await workOnNext(context, key, () => false)
      const job = await look()
      if (job.finishedAt !== null) return job
      await sleep(LOOK_MS)
    }
  } finally {
    clearInterval(looking)
    progress.end()
  }
}

function tell({ importId, isDryRun, state, problem, counts, fileSha256 }: StoredImport): void {
  if (state === 'failed' || counts.ordersFailed > 0) process.exitCode = 5
  const rate = Math.round((1000 * counts.rowsRead) / Math.max(counts.workingMs, 1))
  const orders = counts.ordersStored + counts.ordersReplayed + counts.ordersFailed
  const perSecond = Math.round((1000 * orders) / Math.max(counts.workingMs, 1))
  print(`import ${importId}${isDryRun ? ', a dry run: nothing was stored' : ''}`)
  print(`file sha256 ${fileSha256}`)
  print(`rows read ${counts.rowsRead}`)
  print(`orders stored ${counts.ordersStored}`)
  print(`orders replayed ${counts.ordersReplayed}`)
  print(`orders failed ${counts.ordersFailed}, rows ${counts.rowsFailed}`)
  print(`emission ${toKilograms(counts.emission)} kg CO2e`)
  print(`${perSecond} orders and ${rate} rows a second, ${(counts.workingMs / 1000).toFixed(1)} s`)
  if (problem !== null) print(problem)
}
