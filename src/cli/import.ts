// `cradle import FILE`: imports the orders of a file, shows the progress, and writes rejected rows to a file.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WriteStream } from 'node:tty'
import { UPLOAD_LIMITS, readConfig } from '../config.ts'
import { toKilograms } from '../engine/numbers/emission.ts'
import type { Problem } from '../engine/order.ts'
import { ApiError } from '../contract/errors.ts'
import { parseQuery } from '../http/parameters.ts'
import { rejectedRowsFile } from '../http/routes/import-errors.ts'
import { SETTING_PARAMETERS, readSettings } from '../http/routes/import-settings.ts'
import { detectFile, type Detect } from '../imports/detect-file.ts'
import { createDiskSpace } from '../imports/disk-space.ts'
import { workOnNext } from '../imports/importer.ts'
import { receiveFile } from '../imports/receive-file.ts'
import { createUploadAdmission } from '../imports/upload-admission.ts'
import { openOwnImporter, type OwnImporter } from '../create-import-context.ts'
import { findAccountByName } from '../postgres/accounts.ts'
import { openCurrentSchema } from '../postgres/database.ts'
import { freeSpaceReader } from '../postgres/free-space.ts'
import { createImportProfiles } from '../postgres/import-profiles.ts'
import type { ImportKey, StoredImport } from '../postgres/import-record.ts'
import { LAYOUTS, type Layout } from '../spreadsheets/columns.ts'
import type { Settings } from '../spreadsheets/settings.ts'
import { readStoredMessage } from '../spreadsheets/stored-messages.ts'
import { templateOf } from '../spreadsheets/templates.ts'
import { loadCurrentRelease, print } from './context.ts'

export interface Progress {
  /** @returns a function that is called with the number of units completed since the last call */
  readonly start: (total: number) => (count: number) => void
  readonly end: () => void
}

const BAR_CHARACTERS = 30
const BAR_MS = 100
const LINE_MS = 5_000

type Output = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean }

export function createProgress(output: Output): Progress {
  const isTerminal = output.isTTY === true
  let [total, done, reportedAt] = [0, 0, 0]
  const print = () => {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const figures = `${Math.floor(share * 100)} %, ${done} of ${total}`
    const filled = Math.round(share * BAR_CHARACTERS)
    const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}]`
    output.write(isTerminal ? `\r${bar} ${figures}` : `${figures}\n`)
  }
  return {
    start: (all) => {
      total = all
      reportedAt = performance.now()
      return (count) => {
        done += count
        if (performance.now() - reportedAt < (isTerminal ? BAR_MS : LINE_MS)) return
        reportedAt = performance.now()
        print()
      }
    },
    end: () => {
      if (!isTerminal) return
      print()
      output.write('\n')
    },
  }
}

const LOOK_MS = 300

export interface ImportOptions {
  readonly account?: string
  readonly dryRun?: boolean
  readonly set?: readonly string[]
  readonly profile?: string
  readonly errors?: string
  readonly template?: string
}

const MAKES_NO_SENSE = 2
const IS_NOT_THERE = 3
const IS_REFUSED = 5

/** Exits with 5 if the file or any row was rejected, and with 2 or 3 if the command fails before the file is read. */
export async function importCommand(file: string | undefined, options: ImportOptions): Promise<void> {
  try {
    if (options.template !== undefined) process.stdout.write(readTemplate(options.template))
    else await importFile(file, options)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    process.stderr.write(`cradle: ${error.message}\n`)
    process.exitCode = error.exitCode
  }
}

class Refused extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

function readTemplate(layout: string): string {
  if ((LAYOUTS as readonly string[]).includes(layout)) return templateOf(layout as Layout)
  throw new Refused(MAKES_NO_SENSE, `There are templates for ${LAYOUTS.join(', ')}, not for "${layout}"`)
}

async function importFile(file: string | undefined, options: ImportOptions): Promise<void> {
  const { account, errors: errorFile, dryRun: isDryRun = false } = options
  if (file === undefined) throw new Refused(MAKES_NO_SENSE, 'Name the file to import')
  if (account === undefined) throw new Refused(MAKES_NO_SENSE, 'Say whose orders they are, with --account')
  if (!existsSync(file)) throw new Refused(IS_NOT_THERE, `There is no file "${file}"`)
  if (errorFile !== undefined && existsSync(errorFile)) {
    throw new Refused(MAKES_NO_SENSE, `There is a file "${errorFile}" already; name a new one with --errors`)
  }
  const asked = settingsOf(options.set ?? [])
  const config = readConfig(process.env)
  const { pool, close } = await openCurrentSchema(config)
  try {
    const accountId = await findAccountByName(pool, account)
    if (accountId === null)
      throw new Refused(IS_NOT_THERE, `There is no account "${account}"; see cradle accounts list`)
    const room = createDiskSpace(freeSpaceReader(pool, config.databaseUrl))
    const context = openOwnImporter(pool, await loadCurrentRelease(pool), room)
    const admission = createUploadAdmission({ ...UPLOAD_LIMITS, bytesPerSecondMax: Infinity }, room)
    const { signal } = new AbortController()
    const content = createReadStream(file)
    const request = { fileName: basename(file), isDryRun, asked, profile: options.profile ?? null }
    const sent = { request, content, signal, announcedBytes: statSync(file).size }
    const detect: Detect = (stored) => detectFile(context.imports, stored)
    const receiving = { imports: context.imports, admission, detect, profiles: createImportProfiles(pool) }
    const received = await receiveFile(receiving, accountId, sent).catch(refuseFailure)
    if (!received.ok) throw new Refused(IS_REFUSED, listing(`"${file}" cannot be imported as it is`, received.problems))
    const done = await follow(context, received.key)
    tell(done)
    if (errorFile === undefined || done.counts.ordersRejected === 0) return
    await writeFile(errorFile, rejectedRowsFile(context.imports, done), { flag: 'wx' })
    print(`rejected rows ${errorFile}`)
  } finally {
    await close()
  }
}

/** Accepts the same settings under the same names as the parameters of POST /api/imports. */
function settingsOf(texts: readonly string[]): Partial<Settings> {
  try {
    return readSettings(parseQuery(Object.fromEntries(texts.map(partsOf)), SETTING_PARAMETERS), undefined)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new Refused(MAKES_NO_SENSE, listing('--set makes no sense', error.details))
  }
}

function partsOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new Refused(MAKES_NO_SENSE, `--set takes a setting and its value, like decimal=comma, not "${text}"`)
}

function refuseFailure(error: unknown): never {
  throw error instanceof ApiError ? new Refused(IS_REFUSED, error.message) : error
}

const listing = (head: string, problems: readonly Problem[]): string =>
  [
    `${head}:`,
    ...problems.map(({ path, message, suggestions }) =>
      [path.replace(/^[/?]/, ''), message, ...(suggestions ? [`(${suggestions.join(', ')})`] : [])].join(' ').trim(),
    ),
  ].join('\n')

/** Processes the import, or follows its progress while a running service processes it. */
async function follow(context: OwnImporter, key: ImportKey): Promise<StoredImport> {
  const progress = createProgress(process.stderr)
  let done: ((count: number) => void) | null = null
  let printed = 0
  const look = async (): Promise<StoredImport> => {
    const job = await context.imports.find(key)
    if (!job) throw new Error(`Import ${key.importId} is not there any more`)
    done ??= progress.start(job.fileBytes)
    done(job.counts.bytesRead - printed)
    printed = job.counts.bytesRead
    return job
  }
  const { signal } = new AbortController()
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS)
  try {
    for (;;) {
      await workOnNext(context, key, signal)
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
  if (state === 'failed' || counts.ordersRejected > 0) process.exitCode = IS_REFUSED
  const rate = Math.round((1000 * counts.rowsRead) / Math.max(counts.workingMs, 1))
  const orders = counts.ordersStored + counts.ordersReplayed + counts.ordersRejected
  const perSecond = Math.round((1000 * orders) / Math.max(counts.workingMs, 1))
  print(`import ${importId}${isDryRun ? ', a dry run: nothing was stored' : ''}`)
  print(`file sha256 ${fileSha256}`)
  print(`rows read ${counts.rowsRead}`)
  print(`orders stored ${counts.ordersStored}`)
  print(`orders replayed ${counts.ordersReplayed}`)
  print(`orders failed ${counts.ordersRejected}, rows ${counts.rowsRejected}`)
  print(`emission ${toKilograms(counts.emission)} kg CO2e`)
  print(`${perSecond} orders and ${rate} rows a second, ${(counts.workingMs / 1000).toFixed(1)} s`)
  if (counts.ignored.length > 0) print(`ignored ${counts.ignored.join(', ')}`)
  for (const { column, reason, warnings } of counts.warnings)
    print(`warnings ${warnings}: ${column === null ? '' : `${column}: `}${reason}`)
  if (problem !== null) print(readStoredMessage(problem).message)
}
