// Makes the statement of a customer's year from what is stored.
import { runCooperatively } from '../concurrency/cooperative.ts'
import type { ConsolidationApproach } from '../engine/inventory-boundary.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { loadReferenceDataOf } from '../ledger/codec.ts'
import { serialNumbersEverInOrder } from '../ledger/order-state.ts'
import type { CustomerRecords } from '../ledger/records.ts'
import type { ReadCustomerRecords } from '../postgres/customer-records.ts'
import { buildStatement } from './build-statement.ts'
import { collectStatementData } from './collect-data.ts'
import { EmissionOutOfRange } from './periods.ts'
import type { StatementContent } from './statement.ts'

/** What a statement is made from. */
export interface StatementSources {
  readonly version: string
  readonly readCustomer: ReadCustomerRecords
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly now: () => Date
}

export interface StatementQuery {
  readonly accountId: number
  /** Name of the account. */
  readonly account: string
  readonly customerId: string
  readonly year: number
  /** Null for what is known now. */
  readonly knownAt: Date | null
  readonly approach: ConsolidationApproach
}

/** Limit on devices, and on orders, of one customer: a larger statement would need too much memory. */
export const STATEMENT_DEVICES_MAX = 20_000

/** Why there is none: the customer is unknown, has more devices or orders than the limit, or emits too much. */
export type NoStatement = 'unknown_customer' | 'too_many_devices' | 'too_heavy'

/** A statement, and what it was made from. */
export interface StatementWithRecords {
  readonly content: StatementContent
  readonly records: CustomerRecords
  readonly referenceDataOf: ReferenceDataOf
}

export async function makeStatement(
  { version, readCustomer, referenceDataOf, now }: StatementSources,
  { knownAt, ...wanted }: StatementQuery,
): Promise<StatementWithRecords | NoStatement> {
  const { accountId, customerId, year } = wanted
  const limits = { devicesMax: STATEMENT_DEVICES_MAX, serialsOf: serialNumbersEverInOrder }
  const records = await readCustomer({ accountId, customerId, knownAt, before: `${year + 1}-01-01`, ...limits })
  if (records === null) return 'unknown_customer'
  if (records === 'too-large') return 'too_many_devices'
  const referenceDataById = await loadReferenceDataOf(
    records.ledgers,
    records.orders.map(({ releaseId }) => releaseId),
    referenceDataOf,
  )
  const request = { ...wanted, version, at: now(), knownAt: knownUntil(knownAt, records) }
  try {
    const facts = await runCooperatively(collectStatementData(records, referenceDataById, request))
    const content = await runCooperatively(buildStatement(facts))
    return { content, records, referenceDataOf: referenceDataById }
  } catch (error) {
    if (!(error instanceof EmissionOutOfRange)) throw error
    return 'too_heavy'
  }
}

/**
 * The requested time or, if earlier, the time of reading, which is not before the last posting that was read. The time
 * of reading is by the database clock, as posting times are. By the clock of a process, some postings that were read
 * could be after it, or postings before it could be missing.
 */
function knownUntil(asked: Date | null, { readAt, orders, ledgers, entries }: CustomerRecords): Date {
  let last = readAt
  for (const { createdAt } of orders) if (createdAt > last) last = createdAt
  for (const list of [entries, ...ledgers.values().map((ledger) => ledger.entries)])
    for (const { postedAt } of list) if (postedAt > last) last = postedAt
  return asked !== null && asked < last ? asked : last
}
