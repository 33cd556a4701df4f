// The outcome of one order of a file: stored, already there, or rejected with the errors of its cells.
import { messageOf, type Problem } from '../engine/order.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import type { MappingOf } from '../engine/reference/product-match.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { ResolvedItem } from '../engine/resolve-order.ts'
import { dayLimitsAt } from '../contract/day-limits.ts'
import { parseOrder } from '../contract/parse-order.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { differencesOfOrder } from '../ledger/idempotency.ts'
import type { NewOrder, StoredOrder } from '../ledger/records.ts'
import { ledgerWarningsOf } from '../ledger/stored-warnings.ts'
import type { FileOrder, FileOrderError } from '../spreadsheets/file-order.ts'
import { readNumber } from '../spreadsheets/cells.ts'
import { shownValue } from '../spreadsheets/messages.ts'
import { locateErrors } from '../spreadsheets/locate-errors.ts'
import type { ImportContext } from './context.ts'
import type { Account } from '../postgres/accounts.ts'
import type { WarningGroup } from '../postgres/import-record.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { groupWarnings } from './warning-groups.ts'
import { ROW_MESSAGES } from './messages.ts'
import { rentalEndProblems, rentalEndsOf, takeRentalEnds, type RentalEnd } from './rental-ends.ts'

interface Leg {
  readonly type?: unknown
  readonly config: { readonly transportation_id?: unknown; readonly transportation_mode?: unknown }
}

/** The mode of an unknown transportation; an order with one is rejected for that. */
const UNKNOWN = 'unknown'

/** Adds the mode of each leg to the body of an order. Orders in JSON have the form of POST and are left unchanged. */
function inferTransportModes({ body, table }: FileOrder, { transports }: ReferenceData): unknown {
  if (body === null || (table.format === 'jsonl' && table.layout === 'orders')) return body
  const { items } = body as { readonly items: readonly Leg[] }
  if (!items.some(lacksMode)) return body
  const modeOf = ({ config: { transportation_id: id } }: Leg) => transports.get(String(id))?.mode ?? UNKNOWN
  const filled = items.map((item) =>
    lacksMode(item) ? { ...item, config: { ...item.config, transportation_mode: modeOf(item) } } : item,
  )
  return { ...body, items: filled }
}

const lacksMode = ({ type, config }: Leg): boolean =>
  type === 'transportation' && config.transportation_mode === undefined

export type Outcome = Pick<ParsedNotes, 'ignored' | 'warnings'> &
  (
    | { readonly kind: 'stored'; readonly emission: bigint }
    | { readonly kind: 'replayed' }
    | { readonly kind: 'refused'; readonly errors: readonly FileOrderError[] }
  )

/** What is reported of an order that was parsed. */
interface ParsedNotes {
  /** JSON pointers of unknown members. */
  readonly ignored?: readonly string[]
  readonly warnings?: readonly WarningGroup[]
}

export interface SoundFileOrder {
  readonly ok: true
  readonly wire: WireOrder
  readonly items: readonly ResolvedItem[]
  readonly notes: ParsedNotes
  readonly keyAsSent: OrderKey | null
  readonly ends: readonly RentalEnd[]
}

export type ParsedFileOrder = SoundFileOrder | { readonly ok: false; readonly outcome: Outcome }

/**
 * Parses the order as POST would, after adding what a file may leave out.
 */
export function parseFileOrder(
  order: FileOrder,
  { validateOrder, referenceData }: ImportContext,
  mappingOf: MappingOf,
  { isStrict, daysAheadMax }: Pick<Account, 'isStrict' | 'daysAheadMax'>,
): ParsedFileOrder {
  // The errors of POST are included, so that all errors are reported together.
  const { body, stated } = takeRentalEnds(inferTransportModes(order, referenceData) ?? {})
  const limits = dayLimitsAt(new Date(), daysAheadMax)
  const read = parseOrder(body, validateOrder, referenceData, mappingOf, limits)
  const problems = [...(read.ok ? [] : read.problems), ...rentalEndProblems(stated, body, limits)]
  const isRefused = problems.length > 0 || order.errors.length > 0
  if (!read.ok || isRefused) return { ok: false, outcome: refusedFor(order, problems) }
  const { wire, items, keyAsSent, ignored } = read
  const warnings = [...read.warnings, ...uncountedDevices(order)]
  if (isStrict && warnings.length > 0) {
    return { ok: false, outcome: rejectedForWarnings(order, warnings) }
  }
  const notes = { ignored, warnings: groupWarnings(order, warnings) }
  return { ok: true, wire, items, keyAsSent, ends: rentalEndsOf(stated, wire), notes }
}

/** What the rows of an order state in a column of quantities, which is not read. */
function uncountedDevices({ rows, table }: FileOrder): readonly Problem[] {
  return table.quantities.flatMap((at): readonly Problem[] => {
    let more = 0
    for (const { cells } of rows) {
      const quantity = readNumber(cells[at] ?? '', table.decimal)
      if (typeof quantity === 'number' && quantity > 1) more += quantity - 1
    }
    const column = shownValue(table.header[at]!)
    return more > 0 ? [{ path: '', ...ROW_MESSAGES.quantity_not_counted({ column, more }) }] : []
  })
}

export const refusedFor = (order: FileOrder, problems: readonly Problem[]): Outcome => ({
  kind: 'refused',
  errors: locateErrors(order, problems),
})

/** What is stored of an order, or would be, with what the ledgers of its devices said. */
export const storedOutcome = (order: FileOrder, stored: NewOrder): Outcome => ({
  kind: 'stored',
  emission: stored.lineEmissions.reduce((sum, line) => sum + line, 0n),
  warnings: groupWarnings(order, ledgerWarningsOf(stored)),
})

/** The outcome of an order that has warnings, for a strict account. */
export const rejectedForWarnings = (order: FileOrder, warnings: readonly Problem[]): Outcome =>
  refusedFor(order, warnings.slice(0, PROBLEMS_MAX))

/** Adds the warnings about the content of an order, and what was ignored in it. */
export function withNotes(outcome: Outcome, notes: ParsedNotes): Outcome {
  const { warnings = [] } = outcome
  return { ...outcome, ...notes, ...(warnings.length > 0 && { warnings: [...(notes.warnings ?? []), ...warnings] }) }
}

/** The first row of an order: the same each time the file is read. */
export const rowOf = (order: FileOrder): number => order.rows[0]!.number

/** The outcome of an order whose identity is already stored, possibly from this very row. */
export function compareWithStored(order: FileOrder, wire: WireOrder, stored: StoredOrder, importId: number): Outcome {
  const ownRow = stored.origin?.importId === importId ? stored.origin.row : null
  if (ownRow === rowOf(order)) return storedOutcome(order, stored)
  const differences = differencesOfOrder(stored, wire)
  // What the ledgers said counts once for the rows of an order.
  if (differences.length === 0)
    return { kind: 'replayed', warnings: ownRow === null ? groupWarnings(order, ledgerWarningsOf(stored)) : [] }
  if (ownRow !== null) return compareWithEarlierRow(order, ownRow)
  return refusedFor(order, differences.map(conflictAt))
}

/** Usually the rows of one order are not adjacent. */
export function compareWithEarlierRow(order: FileOrder, row: number): Outcome {
  return refusedFor(order, [{ path: '/order_id', ...ROW_MESSAGES.order_rows_apart({ row }) }])
}

const conflictAt = (problem: Problem): Problem => ({
  path: problem.path,
  ...ROW_MESSAGES.order_stored_differently({ difference: messageOf(problem) }),
})

/** As many as POST reports. */
const IGNORED_MAX = 20

/** Adds an order's ignored members to those so far; pointers into items are merged over all items. */
export function mergeIgnored(before: readonly string[], pointers: readonly string[]): readonly string[] {
  if (pointers.length === 0 || before.length >= IGNORED_MAX) return before
  const anywhere = pointers.map((pointer) => pointer.slice(0, 200).replace(/^\/items\/\d+\//, '/items/*/'))
  return [...new Set([...before, ...anywhere])].slice(0, IGNORED_MAX)
}
