// Verifies an order: resolves and estimates it again with its dataset release, and compares the result with its rows.
import { allocate, toIntegerWeights } from '../../engine/allocation.ts'
import { asFirstRental, estimateItem, useMethod } from '../../engine/estimate.ts'
import { decodeMatchMethod } from '../../engine/reference/product-match.ts'
import type { Footprint } from '../../engine/reference/footprint.ts'
import type { Milligrams } from '../../engine/numbers/emission.ts'
import { statusOf, type Order } from '../../engine/order.ts'
import { ZERO } from '../../engine/numbers/rational.ts'
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
import { VerificationFindings, NOT_STORED, orderSubject, type Difference, type VerifyContext } from './context.ts'
import { compareDeviceColumns, compareFirstEntry, verifyDevice } from './device.ts'
import { verifyEvents } from './events.ts'
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

const NO_DIFFERENCES: readonly Difference[] = []

/** The differences between an order, with the devices that only it rented, and its recomputation; none if correct. */
export function verifyOrder(
  { row, order, fault }: ParsedOrderRow,
  posted: readonly OrderEntries[],
  context: VerifyContext,
): readonly Difference[] {
  const findings = new VerificationFindings(row.accountId, orderSubject(row.customerId, row.orderId))
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
  const devices = items.length > 0 && posted[0]?.serialNumber !== ''
  if (devices) verifyWithDevices(row, items, posted, context, findings)
  else verifyAlone(row, items, posted[0]?.entries ?? [], findings)
  const usual = items.length === 0 ? 0 : 1
  const hasHistory = row.events.length > 0 || posted.some(({ entries }) => entries.length > usual)
  if (hasHistory) verifyEvents(row, order, posted, context, findings)
  findings.compare('status', row.status, hasHistory ? standingStatus(row, posted) : 'created')
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

interface SharedLine {
  readonly part: 'packaging' | 'transportation'
  readonly emission: Milligrams
}

const NOBODY = asFirstRental(true)

const sharedLine = (item: Exclude<ResolvedItem, ResolvedProduct>): SharedLine => {
  const [line] = estimateItem(item, NOBODY)
  return { part: item.type, emission: line!.emission }
}

/**
 * The transportation and packaging of an order without devices are posted to the order itself; one without items posts
 * nothing.
 */
function verifyAlone(
  row: OrderRow,
  items: readonly ResolvedItem[],
  entries: readonly StoredEntry[],
  findings: VerificationFindings,
): void {
  const lines = items.flatMap((item) => (item.type === 'product' ? [] : [sharedLine(item)]))
  compareJoined(
    'line_emissions_mg',
    row.lines,
    lines.map(({ emission }) => emission),
    findings,
  )
  const own = entries.filter(({ reason }) => reason === 'order').length
  if (items.length === 0) return findings.compare('entries of its own', own, 0)
  const [first] = entries
  if (!first) return findings.add('entry 1', NOT_STORED, 'an entry of the order alone')
  const of = (part: SharedLine['part']) =>
    lines.reduce((sum, line) => (line.part === part ? sum + line.emission : sum), 0n)
  compareFirstEntry(
    first,
    '',
    { packaging: of('packaging'), transportation: of('transportation') },
    null,
    row,
    findings,
  )
  findings.compare('entry 1 no', first.no, 1)
  findings.compare('entry 1 embodied_mg', first.product_embodied_emission, 0n)
  findings.compare('entry 1 use_mg', first.product_use, 0n)
}

/** Takes embodied and use emissions from the order's first entry, which is verified with the device's ledger. */
function verifyWithDevices(
  row: OrderRow,
  items: readonly ResolvedItem[],
  posted: readonly OrderEntries[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  const bySerial = new Map(posted.map((one) => [one.serialNumber, one]))
  const products = items.filter((item) => item.type === 'product')
  const weights = toIntegerWeights(products.map(({ product }) => product.weightKg))
  const shares = products.map(() => ({ packaging: 0n, transportation: 0n }))
  const lines: Milligrams[] = []
  for (const item of items) {
    if (item.type === 'product') {
      lines.push(...productEmissions(item, bySerial.get(item.product.serialNumber), context))
      continue
    }
    const { part, emission } = sharedLine(item)
    lines.push(emission)
    allocate(emission, weights).forEach((share, at) => (shares[at]![part] += share))
  }
  compareJoined('line_emissions_mg', row.lines, lines, findings)
  products.forEach((item, at) => {
    const { serialNumber } = item.product
    const entries = bySerial.get(serialNumber)!
    const [first] = entries.entries
    if (!first) return findings.add(`device "${serialNumber}"`, NOT_STORED, 'an entry of the order')
    compareFirstEntry(first, serialNumber, shares[at]!, item, row, findings)
    if (first.no === 1) compareDeviceColumns(entries, item, row, findings)
  })
}

function productEmissions(
  item: ResolvedProduct,
  posted: OrderEntries | undefined,
  { figuresOf }: VerifyContext,
): readonly Milligrams[] {
  const [first] = posted?.entries ?? []
  if (!first || !posted!.device) return []
  const emissions = [first.product_embodied_emission]
  if (hasUse(figuresOf(posted!.device).footprint, item)) emissions.push(first.product_use)
  return emissions
}

const uses = new WeakMap<Footprint, Map<boolean, boolean>>()

/** Whether there is a use line: depends on the footprint and on whether there are grid factors. */
function hasUse(footprint: Footprint, { grid, tenureStartDate }: ResolvedProduct): boolean {
  const known = uses.get(footprint) ?? new Map<boolean, boolean>()
  uses.set(footprint, known)
  const hasGrid = grid.length > 0
  const found = known.get(hasGrid) ?? useMethod(footprint, grid, tenureStartDate, ZERO) !== null
  known.set(hasGrid, found)
  return found
}
