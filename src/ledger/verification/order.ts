// Verifies an order: resolves and estimates it again with its dataset release, and compares the result with its rows.
import { allocateLines } from '../../engine/allocation.ts'
import { asFirstRental, estimateItem, hasUseLine, type EmissionLine } from '../../engine/estimate.ts'
import { decodeMatchMethod } from '../../engine/reference/product-match.ts'
import type { Milligrams } from '../../engine/numbers/emission.ts'
import { statusOf, type Order, type Product } from '../../engine/order.ts'
import type { Shared } from '../../engine/order-events.ts'
import { orderSubject } from '../../engine/stated-entries.ts'
import {
  matchesOf,
  resolveForRecompute,
  type ProductMatches,
  type ResolvedItem,
  type ResolvedProduct,
} from '../../engine/resolve-order.ts'
import type { NewOrder, StoredEntry } from '../records.ts'
import { serialNumbersEverInOrder } from '../order-state.ts'
import { toEngineOrder } from '../../contract/parse-order.ts'
import { decodeOrder } from '../codec.ts'
import { VerificationFindings, type RowDifference, type VerifyContext } from './context.ts'
import { compareDeviceColumns, verifyDevice } from './device.ts'
import { verifyStated } from './events.ts'
import type { OrderEntries, OrderRow } from './records.ts'

/** Separates the elements of `bases`, `found` and `lines` of a row. */
const JOINT = '\u001f'

/** A parsed order, or the reason why it could not be parsed. */
export interface ParsedOrderRow {
  readonly row: OrderRow
  readonly order: Order | null
  readonly fault: string | null
  /** The devices that it posts to; '' for the order itself. */
  readonly serials: readonly string[]
}

const ALONE: readonly string[] = ['']

export function parseOrderRow(row: OrderRow): ParsedOrderRow {
  try {
    const order = toEngineOrder(decodeOrder(storedOrder(row)))
    const sent = order.items.flatMap((item) => (item.type === 'product' ? [item.serialNumber] : []))
    const serials = row.events.length === 0 ? sent : serialNumbersEverInOrder(storedOrder(row), row.events)
    return { row, order, fault: null, serials: serials.length === 0 ? ALONE : [...new Set(serials)] }
  } catch (error) {
    return { row, order: null, fault: (error as Error).message, serials: [] }
  }
}

/** The parts of a stored order that determine its content. */
const storedOrder = (row: OrderRow): NewOrder => ({
  ...row,
  metadata: null,
  footprintIds: [],
  matchMethods: [],
  lineEmissions: [],
})

const NO_DIFFERENCES: readonly RowDifference[] = []

/** The differences between an order, with the devices that only it rented, and its recomputation; none if correct. */
export function verifyOrder(
  { row, order, fault }: ParsedOrderRow,
  posted: readonly OrderEntries[],
  context: VerifyContext,
): readonly RowDifference[] {
  const findings = new VerificationFindings(row.accountId, orderSubject(row))
  if (!order) findings.add('items', 'as they stand', `nothing: ${fault}`)
  else findings.attempt(() => verifyRead(row, order, posted, context, findings))
  const whole = posted.flatMap((one) =>
    one.isWhole ? verifyDevice({ accountId: row.accountId, ...one }, context) : [],
  )
  return findings.differences.length + whole.length === 0 ? NO_DIFFERENCES : [...findings.differences, ...whole]
}

function verifyRead(
  row: OrderRow,
  order: Order,
  posted: readonly OrderEntries[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  const resolved = resolveForRecompute(order, keptOf(row), context.referenceDataOf(row.releaseId))
  if (!resolved.ok) {
    for (const { path, message } of resolved.problems) findings.add(path, 'as it stands', `nothing: ${message}`)
    return
  }
  const { items } = resolved
  const { footprintIds, matchMethods } = matchesOf(items)
  compareJoined('footprint_ids', row.bases, footprintIds, findings)
  compareJoined('match_methods', row.matchMethods, matchMethods, findings)
  const bySerial = new Map(posted.map((one) => [one.serialNumber, one]))
  const { lines, sharedOf } = linesOf(items, bySerial, context)
  compareJoined('line_emissions_mg', row.lines, lines, findings)
  verifyStated(row, order, sharedOf, posted, context, findings)
  for (const item of items) if (item.type === 'product') verifyFirst(item, bySerial, row, findings)
  verifyAlone(bySerial.get('')?.entries ?? [], findings)
  findings.compare('status', row.status, standingStatus(row, posted))
}

const keptOf = ({ bases, matchMethods }: OrderRow): ProductMatches => ({
  footprintIds: bases.split(JOINT),
  matchMethods: matchMethods.split(JOINT).map(decodeMatchMethod),
})

function compareJoined(
  member: string,
  stored: string,
  recomputed: readonly (string | Milligrams)[],
  findings: VerificationFindings,
): void {
  const joined = recomputed.join(JOINT)
  if (joined !== stored) findings.compare(member, show(stored), show(joined))
}

const show = (joined: string): string => joined.replaceAll(JOINT, ',')

/** The status depends only on the order's own entries and events. */
const standingStatus = ({ events }: OrderRow, posted: readonly OrderEntries[]): string =>
  statusOf(
    posted.map(({ entries }) => entries),
    events.length,
  )

const NOBODY = asFirstRental(true)

/**
 * The lines of an order as it was sent, and what each device gets of packaging and transportation; '' for an order
 * without devices. The lines of a product are those of its first entry, which is verified with the device's ledger.
 */
function linesOf(
  items: readonly ResolvedItem[],
  posted: ReadonlyMap<string, OrderEntries>,
  context: VerifyContext,
): { readonly lines: readonly Milligrams[]; readonly sharedOf: (serialNumber: string) => Shared } {
  const lines: Milligrams[] = []
  const shared: EmissionLine[] = []
  const products: Product[] = []
  for (const item of items) {
    if (item.type === 'product') {
      products.push(item.product)
      lines.push(...productEmissions(item, posted.get(item.product.serialNumber), context))
      continue
    }
    const [line] = estimateItem(item, NOBODY)
    shared.push(line!)
    lines.push(line!.emission)
  }
  const shares = allocateLines(shared, products.length === 0 ? [null] : products.map(({ weightKg }) => weightKg))
  const bySerial = new Map(shares.map((share, at) => [products[at]?.serialNumber ?? '', share]))
  return { lines, sharedOf: (serialNumber) => bySerial.get(serialNumber)! }
}

/** Compares what a product's device is charged by with what its words come to, if this order was its first one. */
function verifyFirst(
  item: ResolvedProduct,
  posted: ReadonlyMap<string, OrderEntries>,
  row: OrderRow,
  findings: VerificationFindings,
): void {
  const one = posted.get(item.product.serialNumber)
  if (one?.entries[0]?.no === 1) compareDeviceColumns(one, item, row, findings)
}

/** The entries of an order itself are numbered, and have no embodied emissions and no use. */
function verifyAlone(entries: readonly StoredEntry[], findings: VerificationFindings): void {
  for (const [at, { no, product_embodied_emission: embodied, product_use: use }] of entries.entries()) {
    findings.compare(`entry ${no} no`, no, at + 1)
    findings.compare(`entry ${no} embodied_mg`, embodied, 0n)
    findings.compare(`entry ${no} use_mg`, use, 0n)
  }
}

function productEmissions(
  item: ResolvedProduct,
  posted: OrderEntries | undefined,
  { figuresOf }: VerifyContext,
): readonly Milligrams[] {
  const [first] = posted?.entries ?? []
  if (!first || !posted!.device) return []
  const emissions = [first.product_embodied_emission]
  if (hasUseLine(figuresOf(posted!.device).footprint, item.grid)) emissions.push(first.product_use)
  return emissions
}
