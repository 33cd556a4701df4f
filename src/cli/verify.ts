// `cradle verify`: recomputes a receipt or a whole database, and reports what differs.
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readConfig } from '../config.ts'
import { orderSubject } from '../engine/stated-entries.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { createVerifyContext, deviceSubject, type RowDifference } from '../ledger/verification/context.ts'
import { verifyDevice } from '../ledger/verification/device.ts'
import { parseOrderRow, verifyOrder } from '../ledger/verification/order.ts'
import { verifyReports } from '../ledger/verification/rollups.ts'
import { openCurrentSchema, type Database } from '../postgres/database.ts'
import { isDatabaseFailure } from '../postgres/errors.ts'
import type { MisdatedEntry } from '../postgres/verification/closings.ts'
import type { OrphanedRow } from '../postgres/verification/orphans.ts'
import { withSnapshot, type LedgerCounts, type LedgerSnapshot } from '../postgres/verification/scan.ts'
import { describeDifference } from '../strict-json/exact-tree.ts'
import { readMatchLexicon } from '../reference-data/read-lexicon.ts'
import {
  verifyReceipt,
  verifyReceiptSeal,
  type Verification,
  type VerifiedReceipt,
} from '../receipts/verify-receipt.ts'
import { readDatasetFiles, type DatasetFiles } from '../reference-data/files.ts'
import { loadArchivedRelease, loadReferenceData } from '../reference-data/load.ts'
import { KEY_EXPECTED, fingerprintIn } from './fingerprint.ts'
import { displayName, print, readText } from './context.ts'
import { openReleases } from './open-releases.ts'
import { createProgress, type Progress } from './import.ts'

/** Number of differences that are listed; further ones are only counted. */
const TOLD_MAX = 20

interface Tally {
  readonly lines: string[]
  readonly differences: () => number
  readonly add: (differences: readonly RowDifference[]) => void
  /** Adds differences of which only the number is known. */
  readonly addUnnamed: (count: number) => void
}

function createTally(accounts: ReadonlyMap<number, string>): Tally {
  const lines: string[] = []
  let count = 0
  return {
    lines,
    differences: () => count,
    add: (differences) => {
      count += differences.length
      for (const one of differences.slice(0, TOLD_MAX - lines.length)) lines.push(lineOf(one, accounts))
    },
    addUnnamed: (more) => void (count += more),
  }
}

const lineOf = (one: RowDifference, accounts: ReadonlyMap<number, string>): string =>
  `account "${accounts.get(one.accountId) ?? `number ${one.accountId}`}", ${describeDifference(one)}`

/** The database or the program failed before everything was compared: the result is neither equal nor different. */
class VerificationStopped extends Error {
  /** The first differences found before the failure. */
  readonly lines: readonly string[]

  constructor(cause: Error, { lines, differences }: Tally) {
    super(
      `The verification stopped before its end, and says nothing of what it had not compared: ${cause.message}. ` +
        `Differences found until then: ${differences()}`,
      { cause },
    )
    this.lines = lines
  }
}

export interface VerificationSummary {
  readonly counts: LedgerCounts
  /** The first differences, one per line. */
  readonly lines: readonly string[]
  readonly differences: number
  readonly seconds: number
}

const IS_DIFFERENT = 1
const IS_UNVERIFIED = 2

/**
 * Verifies the database that the environment names. Exits with 1 if anything differs, and with 2 if the result is
 * unknown because the database cannot be opened or fails before everything was compared.
 */
async function verifyAllCommand(): Promise<void> {
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
 * Recomputes everything in one snapshot of the database, while the service may continue to write to it.
 * @param load builds the reference data of a stored release; who verifies often may keep what it built
 * @throws VerificationStopped if the database fails during the verification
 */
export const verifyAll = (
  pool: Database['pool'],
  progress = UNTOLD,
  load = loadArchivedRelease,
): Promise<VerificationSummary> =>
  withSnapshot(pool, async (snapshot) => {
    const startedAt = performance.now()
    const tally = createTally(await snapshot.accounts())
    try {
      const counts = await snapshot.counts()
      const referenceDataOf = await openReleases(pool, snapshot, load, (name, stored, recomputed) =>
        tally.add([ofDatabase(`release "${name}" content_hash`, stored, recomputed)]),
      )
      const context = createVerifyContext(referenceDataOf)
      const done = progress.start(counts.orders)
      // Both run concurrently: while the database reads for one, the other has data to recompute.
      const seen = await Promise.all([
        verifyDevices(snapshot, context, tally),
        verifyOrders(snapshot, context, tally, done),
      ])
      await verifyCounts(snapshot, counts, addUp(...seen), tally)
      tally.add((await snapshot.misdated()).map(toDifference))
      for (const folded of await snapshot.folded())
        tally.add(await verifyReports(folded, referenceDataOf, isDatabaseFailure))
      const { lines, differences } = tally
      return { counts, lines, differences: differences(), seconds: (performance.now() - startedAt) / 1000 }
    } catch (error) {
      throw new VerificationStopped(error as Error, tally)
    } finally {
      progress.end()
    }
  })

function toDifference(entry: MisdatedEntry): RowDifference {
  const { account_id: accountId, serial_number: serial, customer_id: customerId, order_id: orderId } = entry
  const subject = serial ? deviceSubject(serial) : orderSubject({ customerId, orderId })
  const [found, expected] = [entry.counts_from ?? 'no day', entry.expected ?? 'no day']
  return { accountId, place: `${subject}: entry ${entry.entry_no} counts_from`, found, expected }
}

const ofDatabase = (member: string, found: string, expected: string): RowDifference => ({
  accountId: 0,
  place: `database: ${member}`,
  found,
  expected,
})

/** Numbers of rows that were reached from the device or order that they belong to. */
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

/**
 * Verifies the devices that have a history. Counts only entries without an order: the others are counted with their
 * orders.
 */
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
    // Lets the query for the next page be sent before this page is processed.
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

/** Rows that were not reached belong to no device or order. They are looked up only if a count differs. */
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

function differenceOf(stray: OrphanedRow): RowDifference {
  const { account_id: accountId, what, serial_number: serial, customer_id: customer, order_id: order } = stray
  const words = [
    ...(stray.event_id === null ? [] : [`"${stray.event_id}"`]),
    ...(order ? [`of the ${orderSubject({ customerId: customer ?? '', orderId: order })}`] : []),
    ...(serial ? [`of the ${deviceSubject(serial)}`] : []),
  ]
  return { accountId, place: `${[what, ...words].join(' ')}: ${stray.lacks}`, found: 'none', expected: 'one' }
}

const DATA = join(import.meta.dirname, '..', '..', 'data')
/** Far more than the receipt of an order of 1000 devices has. */
const BYTES_MAX = 64 * 1024 * 1024
const IS_NO_RECEIPT = 2

/** Exits with 0 if equal, 1 if different, 2 if the input is not a receipt. */
export async function verifyCommand(
  file: string | undefined,
  options: { readonly all?: boolean; readonly key?: string },
): Promise<void> {
  const wanted = fingerprintIn(options.key)
  if (wanted === undefined) return refuse(KEY_EXPECTED)
  if (options.all && file === undefined) return verifyAllCommand()
  if (options.all || file === undefined) return refuse('Name one file with a receipt, - for standard input, or --all')
  try {
    const receipt = await readText(file, BYTES_MAX)
    if (receipt === null) return refuse(`${displayName(file)} is larger than ${BYTES_MAX} bytes: that is no receipt`)
    const files = readDatasetFiles(DATA)
    answer(file, verifyReceipt(receipt, readMatchLexicon(files), publishedBooks(files)))
    if (process.exitCode === undefined) await answerSeal(receipt, wanted)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    refuse(`"${file}" cannot be read: ${(error as Error).message}`)
  }
}

function answer(file: string, verification: Verification): void {
  switch (verification.outcome) {
    case 'equal':
      warn(verification.receipt)
      return print(describeReceipt(verification.receipt))
    case 'different': {
      const { difference, hashFits } = verification
      print(`different: at ${describeDifference(difference)}`)
      print(hashFits ? 'The hash fits the text: it was made with this content.' : 'The hash does not fit the text.')
      process.exitCode = IS_DIFFERENT
      return
    }
    case 'no-receipt':
      return refuse(`${displayName(file)} is no receipt: ${verification.sentence}`)
  }
}

/** @param receipt that was found to be equal */
async function answerSeal(receipt: string, wanted: string | null): Promise<void> {
  const seal = await verifyReceiptSeal(receipt, wanted)
  if (seal === null) {
    if (wanted === null) return
    print('different: it is not signed')
    process.exitCode = IS_DIFFERENT
    return
  }
  for (const sentence of seal.differences) print(`different: ${sentence}`)
  if (seal.differences.length > 0) process.exitCode = IS_DIFFERENT
  else print(`signed: by the key ${seal.fingerprint}`)
}

function warn({ otherReleases }: VerifiedReceipt): void {
  for (const name of otherReleases) {
    process.stderr.write(
      `cradle: The figures of ${JSON.stringify(name)} are not at hand: nobody says that they are real\n`,
    )
  }
}

function describeReceipt(verified: VerifiedReceipt): string {
  const { customerId, orderId, lines, devices, recorded, hash, comparedReleases, otherReleases } = verified
  const unknown = otherReleases.map((name) => `figures of ${JSON.stringify(name)} only as the receipt has them, `)
  const counted = [
    count(lines, 'line'),
    count(devices, 'device'),
    ...(recorded > 0 ? [`${recorded} charged as recorded`] : []),
    ...comparedReleases.map((name) => `figures as published in ${name}`),
  ]
  const order = `order ${JSON.stringify(orderId)} of ${JSON.stringify(customerId)}`
  return `equal: ${unknown.join('')}${order}, ${counted.join(', ')}, hash ${hash}`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The datasets that are shipped with the program; none if they are being edited and are invalid. */
function publishedBooks(files: DatasetFiles): readonly ReferenceData[] {
  try {
    return [loadReferenceData(files)]
  } catch {
    return []
  }
}

function refuse(sentence: string): void {
  process.stderr.write(`cradle: ${sentence}\n`)
  process.exitCode = IS_NO_RECEIPT
}
