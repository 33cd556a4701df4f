// The warnings that are stored with an order: a repetition of the order gets them again, whatever happened since.
import { inSentence, type MessageParams } from '../engine/message.ts'
import { messageOf, type Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { ApiError } from '../contract/errors.ts'
import { LEDGER_MESSAGES, LEDGER_WARNINGS } from './messages.ts'
import type { NewOrder } from './records.ts'

/** Sentences are not stored, so that all responses have those of today. */
type StoredWarning = readonly [path: string, code: keyof typeof LEDGER_WARNINGS, params: MessageParams]

/** Null if there are none, as for nearly all orders. */
export const encodeWarnings = (warnings: readonly Problem[]): string | null =>
  warnings.length === 0 ? null : JSON.stringify(warnings.map(({ path, code, params }) => [path, code, params]))

/** What the ledgers of its devices said against an order when it was stored. */
export function ledgerWarningsOf({ warnings }: Pick<NewOrder, 'warnings'>): readonly Problem[] {
  if (warnings === null || warnings === undefined) return []
  return (JSON.parse(warnings) as readonly StoredWarning[]).map(([path, code, params]) => ({
    path,
    ...LEDGER_WARNINGS[code](params as never),
  }))
}

/** Warnings about the content of an order, and those that are stored with it. */
export function withLedgerWarnings(ofContent: readonly Problem[], order: NewOrder): readonly Problem[] {
  const ofLedgers = ledgerWarningsOf(order)
  return ofLedgers.length === 0 ? ofContent : [...ofContent, ...ofLedgers]
}

/**
 * The error for an order of a strict account.
 * @param warnings at least one, of the ledgers of the devices
 */
export function refusalByWarnings(warnings: readonly Problem[]): ApiError {
  const first = warnings[0]!
  const why = LEDGER_MESSAGES.order_refused({ path: first.path, problem: inSentence(messageOf(first)) })
  return new ApiError('conflict', why, warnings.slice(0, PROBLEMS_MAX))
}
