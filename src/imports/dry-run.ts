// A dry run: the outcome of every order of a file against what is stored and the file's own earlier rows.
import { hash } from 'node:crypto'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { MappingOf } from '../engine/reference/product-match.ts'
import { serialNumbersOf, type ResolvedItem } from '../engine/resolve-order.ts'
import { ledgerWarnings, similarityWarnings } from '../ledger/ledger-warnings.ts'
import { asNextRevision, revisionToCompare, revisionsSinceSent } from '../ledger/revisions.ts'
import { underStoredKey } from '../ledger/stored-ids.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { orderKeyOf } from '../ledger/codec.ts'
import type { StoredOrder } from '../ledger/records.ts'
import type { Account } from '../postgres/accounts.ts'
import type { StagedOrder, StagedOrders, StagedRow, StoredOrders } from '../postgres/import-lookups.ts'
import type { StoredImport } from '../postgres/import-record.ts'
import type { FileOrder } from '../spreadsheets/file-order.ts'
import type { ImportContext } from './context.ts'
import { endsOfRevision, rentalEndConflicts, type RentalEnd } from './rental-ends.ts'
import { TrialLedgers } from './trial-ledgers.ts'
import { groupWarnings } from './warning-groups.ts'
import { createYielder } from './throttle.ts'
import { toProcessedOrder, type BeginBatch } from './import-file.ts'
import {
  compareWithEarlierRow,
  compareWithStored,
  parseFileOrder,
  refusedFor,
  rejectedForWarnings,
  rowOf,
  storedOutcome,
  withNotes,
  type Outcome,
} from './import-order.ts'

interface SoundOrder {
  readonly order: FileOrder
  readonly wire: WireOrder
  readonly items: readonly ResolvedItem[]
  readonly notes: Pick<Outcome, 'ignored' | 'warnings'>
  readonly ends: readonly RentalEnd[]
  /** A hash of the order's content. */
  readonly content: string
}

/**
 * Posts a batch of orders to copies of the ledgers, in the sequence of the file, and stores nothing.
 * @param earlier the orders of the file up to this batch
 */
export const dryRunBatch =
  (context: ImportContext, job: StoredImport, earlier: StagedOrders): BeginBatch =>
  (account) => {
    const orders: FileOrder[] = []
    return Promise.resolve({
      add: (order) => void orders.push(order),
      end: async () => {
        const outcomes = await tryAll(context, job, earlier, orders, account)
        return orders.map((order, at) => toProcessedOrder(order, outcomes[at]!))
      },
    })
  }

async function tryAll(
  context: ImportContext,
  { importId }: StoredImport,
  earlier: StagedOrders,
  orders: readonly FileOrder[],
  account: Account,
): Promise<readonly Outcome[]> {
  const mappingOf = await context.mappings.of(account)
  const maybeYield = createYielder(context)
  const read = await readAll(context, account, orders, mappingOf, maybeYield)
  const sound = read.flatMap((one) => ('wire' in one ? [one] : []))
  const before = await context.imports.before(
    account.accountId,
    sound.map(({ wire, items, ends }) => ({
      key: orderKeyOf(wire),
      serialNumbers: serialNumbersOf(items),
      eventIdsOf: (revisions: readonly StoredOrder[]) =>
        placeOf(wire, revisions, ends).ends.map(({ event }) => event.event_id),
    })),
  )
  const rows = await earlier.add(
    sound.map(({ order, wire, content }) => ({ key: orderKeyOf(wire), row: rowOf(order), content })),
  )
  const serials = sound.flatMap(({ items }) => serialNumbersOf(items))
  const similar = new Map([...(await earlier.addSerials(serials)), ...before.similar])
  const facts = await earlier.factsOf(serials)
  const ledgers = new TrialLedgers(context, before.ledgers, facts)
  const { isCapped, isStrict } = account
  const refused = new Map<number, OrderKey>()
  const trial = { importId, releaseId: context.releaseId, isCapped, isStrict, before, similar, ledgers, refused }
  const outcomes = new Map<FileOrder, Outcome>()
  const taken = new Map<string, StagedOrder>()
  for (const [at, one] of sound.entries()) {
    await maybeYield()
    const [key, row] = [orderKeyOf(one.wire), rowOf(one.order)]
    const first = taken.get(orderKey(key))
    const again = first ? { row: first.row, isSame: first.content === one.content } : null
    const outcome = await outcomeOf(trial, one, rows[at] && !refused.has(rows[at].row) ? rows[at] : again)
    if (outcome.kind === 'stored' && !first) taken.set(orderKey(key), { key, row, content: one.content })
    outcomes.set(one.order, withNotes(outcome, one.notes))
  }
  await earlier.remove([...refused.values()])
  // A later row may have the order of a refused one in a form that is not refused.
  const instead = [...refused.values()].flatMap((key) => taken.get(orderKey(key)) ?? [])
  if (instead.length > 0) await earlier.add(instead)
  await earlier.addFacts(ledgers.added)
  return read.map((one) => ('wire' in one ? outcomes.get(one.order)! : one))
}

async function readAll(
  context: ImportContext,
  account: Account,
  orders: readonly FileOrder[],
  mappingOf: MappingOf,
  maybeYield: ReturnType<typeof createYielder>,
): Promise<readonly (SoundOrder | Outcome)[]> {
  const all: (SoundOrder | Outcome)[] = []
  for (const order of orders) {
    await maybeYield()
    const read = parseFileOrder(order, context, mappingOf, account)
    if (!read.ok) {
      all.push(read.outcome)
      continue
    }
    const wire = await underStoredKey(context.storedIds, account.accountId, read)
    all.push({ order, ...read, wire, content: contentOf({ ...read, wire }) })
  }
  return all
}

const contentOf = ({ wire, ends }: Pick<SoundOrder, 'wire' | 'ends'>): string =>
  hash('sha256', JSON.stringify(ends.length === 0 ? wire : [wire, ends]))

interface Trial {
  readonly importId: number
  readonly releaseId: number
  readonly isCapped: boolean
  readonly isStrict: boolean
  readonly before: StoredOrders
  /** For some serial numbers, one stored or of an earlier row that differs in case or white space alone. */
  readonly similar: ReadonlyMap<string, string>
  readonly ledgers: TrialLedgers
  /** By their first rows, the orders of the batch that are refused for what the ledgers of their devices say. */
  readonly refused: Map<number, OrderKey>
}

/** An order as it is, or would be, in the ledgers of its devices. */
interface Place {
  /** The revision that it is compared with; undefined if it would be stored. */
  readonly stored: StoredOrder | undefined
  /** Under the id of the current revision, or of the next one if the current one was reversed. */
  readonly wire: WireOrder
  /** Under the ids that the import would give them. */
  readonly ends: readonly RentalEnd[]
}

function placeOf(sent: WireOrder, revisions: readonly StoredOrder[], ends: readonly RentalEnd[]): Place {
  const [stored, current] = [revisionToCompare(revisions, sent), revisions.at(-1)]
  if (!current) return { stored, wire: sent, ends }
  if (stored) {
    const wire = { ...sent, order_id: current.orderId, tenure_start_date: current.tenureStartDate }
    return { stored, wire, ends: endsOfRevision(ends, revisionsSinceSent(revisions)[0]!.orderId) }
  }
  const wire = asNextRevision(sent, current.orderId)
  return { stored, wire, ends: endsOfRevision(ends, wire.order_id) }
}

async function outcomeOf(trial: Trial, one: SoundOrder, earlier: StagedRow | null): Promise<Outcome> {
  const { order } = one
  const { stored, wire, ends } = placeOf(one.wire, trial.before.revisionsOf(orderKeyOf(one.wire)), one.ends)
  // The order of the checks matters: an earlier row that conflicts with a stored order was rejected and does not count.
  const compared = stored && compareWithStored(order, one.wire, stored, trial.importId)
  if (compared && (compared.kind === 'refused' || ends.length === 0)) return compared
  if (!stored && earlier) return earlier.isSame ? { kind: 'replayed' } : compareWithEarlierRow(order, earlier.row)
  const outcome = compared ?? (await post(trial, { ...one, wire }))
  if (outcome.kind === 'refused') {
    trial.refused.set(rowOf(order), orderKeyOf(one.wire))
    return outcome
  }
  const conflicts = await rentalEndConflicts(wire, ends, trial.ledgers, trial.before.eventOf)
  return conflicts.length > 0 ? refusedFor(order, conflicts) : outcome
}

async function post({ ledgers, releaseId, isCapped, isStrict, similar }: Trial, one: SoundOrder): Promise<Outcome> {
  const order = { wire: one.wire, items: one.items, releaseId, isCapped }
  const known = await ledgers.devicesOf(order)
  const refusing = isStrict ? await ledgerWarnings(order, known) : []
  if (refusing.length > 0) return rejectedForWarnings(one.order, refusing)
  const warnings = groupWarnings(one.order, similarityWarnings(one.items, similar, known))
  return withNotes(storedOutcome(one.order, await ledgers.post(order)), { warnings })
}
