// Compares two contents with the same id, and describes the differences to a client that reuses an id.
import type { Message } from '../engine/message.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { ApiError } from '../contract/errors.ts'
import { LEDGER_MESSAGES } from './messages.ts'

/** A conflict error that names the first differences. */
export function conflictError(
  what: typeof LEDGER_MESSAGES.order_differs | typeof LEDGER_MESSAGES.event_differs,
  differences: readonly Problem[],
): ApiError {
  const first = differences.slice(0, 3).map(({ path }) => path)
  return new ApiError('conflict', what({ paths: differences.length > 3 ? [...first, '…'] : first }), differences)
}

/** The members in which two values differ, as JSON pointers. */
export function diffContent(stored: unknown, sent: unknown, path = ''): readonly Problem[] {
  if (!isContainer(stored) || !isContainer(sent) || Array.isArray(stored) !== Array.isArray(sent)) {
    return stored === sent ? [] : [{ path, ...difference(stored, sent) }]
  }
  const names = new Set([...Object.keys(stored), ...Object.keys(sent)])
  return [...names]
    .flatMap((name) => diffContent(own(stored, name), own(sent, name), `${path}/${escapePointer(name)}`))
    .slice(0, PROBLEMS_MAX)
}

/** Own properties only: a label may have the name of an inherited property. */
const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function difference(stored: unknown, sent: unknown): Message {
  if (sent === undefined) return LEDGER_MESSAGES.differs_not_sent({ stored: shown(stored) })
  if (stored === undefined) return LEDGER_MESSAGES.differs_not_stored({ sent: shown(sent) })
  return LEDGER_MESSAGES.differs({ sent: shown(sent), stored: shown(stored) })
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
