// Verifies a device: its entries and balance are recomputed from its events, and its first entry is checked.
import { openBalance, totalEmbodied } from '../../engine/device-ledger.ts'
import { allocateFirstRental } from '../../engine/device-timeline.ts'
import { useMethod } from '../../engine/estimate.ts'
import { emptyLedgerHistory, type LedgerEntry } from '../../engine/ledger-history.ts'
import { toMilligrams } from '../../engine/numbers/emission.ts'
import { add, compare, fromExactText, toFractionText } from '../../engine/numbers/rational.ts'
import type { DeviceFootprint, PostedEntries, RentalChange, StoredBalance } from '../../engine/post-entries.ts'
import type { ResolvedProduct } from '../../engine/resolve-order.ts'
import { RunningLedger } from '../../engine/running-ledger.ts'
import { compareLedgerEntry, describeStated } from '../../engine/stated-entries.ts'
import { decodeEntry } from '../codec.ts'
import { possibleMatchToStore, weightToStore } from '../footprints.ts'
import { footprintOfEvent, type IdentifiedEvent } from '../identify-device.ts'
import type { StoredDevice, StoredEntry, StoredFootprint } from '../records.ts'
import {
  NOT_STORED,
  VerificationFindings,
  compareMatch,
  deviceSubject,
  type RowDifference,
  type VerifyContext,
} from './context.ts'
import type { DeviceRows, OrderEntries, OrderRow } from './records.ts'

const NO_DIFFERENCES: readonly RowDifference[] = []

/** The differences between a stored device and its recomputation; none if it is correct. */
export function verifyDevice(rows: DeviceRows, context: VerifyContext): readonly RowDifference[] {
  const { accountId, serialNumber, device, entries } = rows
  const findings = new VerificationFindings(accountId, deviceSubject(serialNumber))
  if (!device) {
    findings.add('device', NOT_STORED, `a device, since there are ${entries.length} entries`)
    return findings.differences
  }
  findings.attempt(() => {
    if (isRentedOnce(entries)) verifySingle(device, entries[0]!, context.figuresOf(device), findings)
    else verifyLedger(device, entries, context, findings)
  })
  return findings.differences.length === 0 ? NO_DIFFERENCES : findings.differences
}

/** Most devices have one entry: that of the order that rents them. */
const isRentedOnce = (entries: readonly StoredEntry[]): boolean => {
  const [entry] = entries
  return entries.length === 1 && entry!.reason === 'order' && entry!.terms !== null && entry!.orderId !== ''
}

/** The result of postChange for a device without a history, computed directly for speed. */
function verifySingle(
  device: StoredDevice,
  entry: StoredEntry,
  figures: DeviceFootprint,
  findings: VerificationFindings,
): void {
  const { footprint, isCapped, gridOf } = figures
  const terms = { ...entry.terms!, months: fromExactText(entry.terms!.months) }
  const { share } = allocateFirstRental(openBalance(footprint.embodied, footprint.lifetimeMonths, isCapped), terms)
  const use = useMethod(footprint, gridOf(entry), terms.start, terms.months)
  findings.compare(memberOf(entry.no, 'no'), entry.no, 1)
  findings.compare(memberOf(1, 'embodied_mg'), entry.product_embodied_emission, share.emission)
  findings.compare(memberOf(1, 'use_mg'), entry.product_use, use?.emission ?? 0n)
  compareBalance(device, { embodiedTotal: toMilligrams(footprint.embodied), allocated: share.emission }, findings)
}

const memberOf = (no: number, column: string): string => `entry ${no} ${column}`

function compareBalance({ balance }: StoredDevice, run: StoredBalance, findings: VerificationFindings): void {
  findings.compare('embodied_total_mg', balance.embodiedTotal, run.embodiedTotal)
  findings.compare('allocated_mg', balance.allocated, run.allocated)
}

/**
 * Posts the changes again, in order. Each change is computed from what the earlier ones should have posted, so that a
 * wrong entry is reported once and does not affect the entries after it.
 */
function verifyLedger(
  device: StoredDevice,
  stored: readonly StoredEntry[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  const entries = stored.map(decodeEntry)
  const footprints = createFootprints(device, stored, context, findings)
  const ledger = RunningLedger.open(emptyLedgerHistory(), footprints.first)
  let last: PostedEntries | null = null
  let at = 0
  while (at < entries.length) {
    const fact = entries[at]!
    const change = changeOf(fact, entries[at + 1], footprints.after(fact))
    if (!change) {
      findings.add(`entry ${fact.no}`, `${fact.reason} without a cause`, NOT_STORED)
      at += 1
      continue
    }
    findings.compare(memberOf(fact.no, 'no'), fact.no, ledger.history.lastNo + 1)
    // If an entry is missing, the existing one is still compared under its own number.
    ledger.history.lastNo = fact.no - 1
    last = ledger.post(change)
    for (const expected of last.entries) {
      const entry = entries[at]?.no === expected.no ? entries[at] : undefined
      if (entry) at += 1
      compareEntry(entry, expected, findings)
    }
  }
  if (last) verifyBalance(device, last, ledger, findings)
}

/**
 * What the device is charged by from its first entry on, and after an entry that identifies it or withdraws that: what
 * the event says, by the release that the entry names, and compared with what is stored.
 */
function createFootprints(
  device: StoredDevice,
  stored: readonly StoredEntry[],
  context: VerifyContext,
  findings: VerificationFindings,
) {
  const [first] = stored
  const charged: StoredFootprint = first?.footprint ?? device
  const byNo = new Map(stored.map((entry) => [entry.no, entry]))
  let counted: { readonly eventId: string | null; readonly footprint: StoredFootprint }[] = [
    { eventId: null, footprint: charged },
  ]
  const after = ({ no, event, eventId }: LedgerEntry): DeviceFootprint | undefined => {
    const { eventContent, releaseId, footprint } = byNo.get(no)!
    if (event?.type === 'identified') {
      const release = { releaseId, referenceData: context.referenceDataOf(releaseId) }
      const identified = footprintOfEvent(JSON.parse(eventContent!) as IdentifiedEvent, charged.isCapped, release)
      if (identified.ok) counted.push({ eventId, footprint: identified.footprint })
      else findings.add(memberOf(no, 'footprint_id'), footprint?.footprintId ?? NOT_STORED, identified.problem.message)
    } else if (event?.type === 'withdrawn' && counted.some((one) => one.eventId === event.withdraws)) {
      counted = counted.filter((one) => one.eventId !== event.withdraws)
    } else return undefined
    const expected = counted.at(-1)!.footprint
    findings.compare(memberOf(no, 'footprint_id'), footprint?.footprintId ?? null, expected.footprintId)
    findings.compare(memberOf(no, 'device_release_id'), footprint?.releaseId ?? null, expected.releaseId)
    findings.compare(memberOf(no, 'weight_kg'), footprint?.weightKg ?? null, expected.weightKg)
    return context.figuresOf({ ...device, ...expected })
  }
  return { first: context.figuresOf({ ...device, ...charged }), after }
}

/**
 * The change that an entry was posted for, or null for an entry that only corrects.
 * @param next the entry after it: if an order is corrected, the next revision posts what both change of others
 */
function changeOf(
  entry: LedgerEntry,
  next: LedgerEntry | undefined,
  figures: DeviceFootprint | undefined,
): RentalChange | null {
  const { event, eventId, releaseId, terms, inForce = null, packaging, transportation } = entry
  if (event) return { event, eventId: eventId ?? '', releaseId, inForce, ...(figures && { figures }) }
  if (entry.orderId === '') throw new Error(`the event "${eventId ?? ''}" of entry ${entry.no} is not there`)
  if (!terms) return null
  const { customerId, orderId, reason, country } = entry
  // Shared packaging and transportation, and their reversal by events, are verified with the order.
  const shared = { packaging, transportation }
  const isInterim = reason === 'correction' && next !== undefined && (next.terms !== null || next.event !== null)
  return { customerId, orderId, terms, reason, country, releaseId, eventId, inForce, shared, isInterim }
}

function compareEntry(stored: LedgerEntry | undefined, expected: LedgerEntry, findings: VerificationFindings): void {
  if (!stored) {
    findings.add(`entry ${expected.no}`, NOT_STORED, describeStated(expected))
    return
  }
  for (const { column, stored: found, recomputed } of compareLedgerEntry(stored, expected))
    findings.compare(memberOf(expected.no, column), found, recomputed)
}

/** Checks that allocated, remaining and unallocated emissions add up to the total that was ever embodied or added. */
function verifyBalance(
  device: StoredDevice,
  { balance }: PostedEntries,
  { balance: left, figures, history }: RunningLedger,
  findings: VerificationFindings,
): void {
  compareBalance(device, balance, findings)
  const putIn = [...history.events.values()].reduce(
    (total, event) => (event.type === 'refurbished' ? add(total, event.emission) : total),
    figures.footprint.embodied,
  )
  const whole = totalEmbodied(left)
  if (compare(whole, putIn) !== 0) findings.add('whole', toFractionText(whole), toFractionText(putIn))
}

/** Compares a device's footprint with what the words of its first order resolve to. */
export function compareDeviceColumns(
  { device }: OrderEntries,
  item: ResolvedProduct,
  row: OrderRow,
  findings: VerificationFindings,
): void {
  if (!device) return
  const { serialNumber, weightKg } = item.product
  const weight = weightToStore(item.ownFootprintId, weightKg)
  findings.compare(`device "${serialNumber}" footprint_id`, device.footprintId, item.ownFootprintId)
  findings.compare(`device "${serialNumber}" release_id`, device.releaseId, row.releaseId)
  compareMatch(serialNumber, device, possibleMatchToStore(item.product, item.matchMethod), findings)
  findings.compare(`device "${serialNumber}" weight_kg`, device.weightKg, weight)
}
