// `cradle verify --all`: recomputes every order and every device of a database, and names what is not as it is stored.
import { setImmediate } from 'node:timers/promises'
import { openCurrentSchema, type Database } from '../postgres/database.ts'
import { readConfig } from '../config.ts'
import { hashContent } from '../reference-data/files.ts'
import { loadArchivedRelease } from '../reference-data/load.ts'
import type { ReferenceDataOf, ReferenceData } from '../engine/reference/reference-data.ts'
import { createVerifyContext, deviceSubject, orderSubject, type Difference } from '../ledger/verification/context.ts'
import { verifyDevice } from '../ledger/verification/device.ts'
import { parseOrderRow, verifyOrder } from '../ledger/verification/order.ts'
import { verifyReports } from '../ledger/verification/rollups.ts'
import { isDatabaseFailure } from '../postgres/errors.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'
import { withSnapshot, type LedgerCounts, type LedgerSnapshot } from '../postgres/verification/scan.ts'
import type { OrphanedRow } from '../postgres/verification/orphans.ts'
import { VerificationStopped, createTally, type Tally } from './verify-tally.ts'
import { createProgress, type Progress } from './progress.ts'

export interface VerificationSummary {
  readonly counts: LedgerCounts
  /** The first differences, each in a line. */
  readonly lines: readonly string[]
  readonly differences: number
  readonly seconds: number
}

const IS_DIFFERENT = 1
const IS_UNVERIFIED = 2

/**
 * Verifies the database that the environment names. Ends the process with 1 where anything differs, and with 2 where it
 * cannot be told whether it does: where the database cannot be opened, or fails before all of it was compared.
 */
export async function verifyAllCommand(): Promise<void> {
  try {
    await verifyOpened(await openCurrentSchema(readConfig(process.env)))
  } catch (error) {
    process.stderr.write(`cradle: ${(error as Error).message}\n`)
    process.exitCode = IS_UNVERIFIED
  }
}

async function verifyOpened({ pool, close }: Database): Promise<void> {
  try {
    const verified = await verifyAll(pool, createProgress(process.stderr))
    process.stdout.write(describe(verified))
    if (verified.differences > 0) process.exitCode = IS_DIFFERENT
  } catch (error) {
    if (!(error instanceof VerificationStopped)) throw error
    process.stdout.write(error.lines.map((line) => `${line}\n`).join(''))
    throw error
  } finally {
    await close()
  }
}

function describe({ counts, lines, differences, seconds }: VerificationSummary): string {
  const { accounts, devices, entries, orders } = counts
  const more = differences - lines.length
  const rate = Math.round(orders / Math.max(seconds, 0.001))
  return [
    ...lines,
    ...(more > 0 ? [`… and ${more} more`] : []),
    `accounts ${accounts}`,
    `devices ${devices}`,
    `entries ${entries}`,
    `orders ${orders}`,
    `differences ${differences}`,
    `${rate} orders a second, ${seconds.toFixed(1)} s`,
    differences === 0 ? 'equal: every order and every balance is what its facts come to' : 'not equal',
    '',
  ].join('\n')
}

const UNTOLD: Progress = { start: () => () => undefined, end: () => undefined }

/**
 * Recomputes everything of one state of the database, while the service may go on writing to it.
 * @throws VerificationStopped where the database fails on the way
 */
export const verifyAll = (pool: Database['pool'], progress = UNTOLD): Promise<VerificationSummary> =>
  withSnapshot(pool, async (snapshot) => {
    const startedAt = performance.now()
    const tally = createTally(await snapshot.accounts())
    try {
      const counts = await snapshot.counts()
      const bookOf = await openReleases(pool, snapshot, tally)
      const context = createVerifyContext(bookOf)
      const done = progress.start(counts.orders)
      // Both at once: while the database reads on for one, there is something to recompute for the other.
      const seen = await Promise.all([
        verifyDevices(snapshot, context, tally),
        verifyOrders(snapshot, context, tally, done),
      ])
      await verifyCounts(snapshot, counts, addUp(...seen), tally)
      for (const folded of await snapshot.folded()) tally.add(await verifyReports(folded, bookOf, isDatabaseFailure))
      const { lines, differences } = tally
      return { counts, lines, differences: differences(), seconds: (performance.now() - startedAt) / 1000 }
    } catch (error) {
      throw new VerificationStopped(error as Error, tally)
    } finally {
      progress.end()
    }
  })

/** The book of every release that the database holds, from what it holds of it. */
async function openReleases(pool: Database['pool'], snapshot: LedgerSnapshot, tally: Tally): Promise<ReferenceDataOf> {
  const books = new Map<number, ReferenceData | Error>()
  for (const { releaseId, name, contentHash } of await snapshot.releases()) {
    try {
      const files = await filesOfRelease(pool, releaseId)
      const hash = hashContent(files)
      if (hash !== contentHash) tally.add([ofDatabase(`release "${name}" content_hash`, contentHash, hash)])
      books.set(releaseId, loadArchivedRelease(files))
    } catch (error) {
      if (isDatabaseFailure(error)) throw error
      books.set(releaseId, error as Error)
    }
  }
  return (releaseId) => {
    const book = books.get(releaseId)
    if (book === undefined) throw new Error(`the database has no dataset release ${releaseId}`)
    if (book instanceof Error) throw book
    return book
  }
}

const ofDatabase = (member: string, stored: string, recomputed: string): Difference => ({
  accountId: 0,
  subject: 'database',
  member,
  stored,
  recomputed,
})

/** Rows that were come upon from the thing that they belong to. */
interface Seen {
  readonly devices: number
  readonly entries: number
  readonly events: number
}

const addUp = (a: Seen, b: Seen): Seen => ({
  devices: a.devices + b.devices,
  entries: a.entries + b.entries,
  events: a.events + b.events,
})

type Context = ReturnType<typeof createVerifyContext>
type Done = (count: number) => void

/** The devices with a history. Of entries, those of the devices alone: the others are counted with their orders. */
async function verifyDevices(snapshot: LedgerSnapshot, context: Context, tally: Tally): Promise<Seen> {
  let [devices, entries, events] = [0, 0, 0]
  for await (const page of snapshot.devices()) {
    for (const rows of page) {
      tally.add(verifyDevice(rows, context))
      if (rows.device) devices += 1
      for (const { orderId, eventContent } of rows.entries) {
        if (orderId === '') entries += 1
        if (eventContent !== null) events += 1
      }
    }
  }
  return { devices, entries, events }
}

async function verifyOrders(snapshot: LedgerSnapshot, context: Context, tally: Tally, done: Done): Promise<Seen> {
  let [devices, entries, events] = [0, 0, 0]
  for await (const page of snapshot.orders(parseOrderRow)) {
    // What is asked for ahead is sent before this page is worked on, not after.
    await setImmediate()
    for (const { read, posted } of page) {
      tally.add(verifyOrder(read, posted, context))
      for (const { isWhole, device, entries: own } of posted) {
        entries += own.length
        if (isWhole && device) devices += 1
      }
      events += read.row.events.length
    }
    done(page.length)
  }
  return { devices, entries, events }
}

/** What was not come upon belongs to nothing: only then is it looked for. */
async function verifyCounts(snapshot: LedgerSnapshot, counts: LedgerCounts, seen: Seen, tally: Tally): Promise<void> {
  const members = ['devices', 'entries', 'events'] as const
  const missed = members.reduce((sum, member) => sum + Math.abs(counts[member] - seen[member]), 0)
  if (missed === 0) return
  const strays = (await snapshot.strays()).map(differenceOf)
  tally.add(strays)
  if (strays.length > 0) return tally.addUnnamed(Math.max(0, missed - strays.length))
  for (const member of members) {
    if (counts[member] !== seen[member]) tally.add([ofDatabase(member, `${counts[member]}`, `${seen[member]}`)])
  }
}

function differenceOf(stray: OrphanedRow): Difference {
  const { account_id: accountId, what, serial_number: serial, customer_id: customer, order_id: order } = stray
  const words = [
    ...(stray.event_id === null ? [] : [`"${stray.event_id}"`]),
    ...(order ? [`of the ${orderSubject(customer ?? '', order)}`] : []),
    ...(serial ? [`of the ${deviceSubject(serial)}`] : []),
  ]
  return { accountId, subject: [what, ...words].join(' '), member: stray.lacks, stored: 'nothing', recomputed: 'one' }
}
