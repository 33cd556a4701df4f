// Compares two contents with the same id, and describes the differences to a client that reuses an id.
import type { Message } from '../engine/message.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { ApiError } from '../contract/errors.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { normaliseOrder } from '../contract/parse-order.ts'
import { decodeSentOrder, haveSameText } from './codec.ts'
import { LEDGER_MESSAGES } from './messages.ts'
import { withoutEmissionDefault } from './refurbishment-default.ts'
import type { AccountPosting, NewEvent, StoredEvent, StoredOrder } from './records.ts'

/** @throws ApiError if the order stored under the same identity has other content */
export function assertSameOrder(
  stored: StoredOrder,
  { order, posting }: AccountPosting & { readonly order: { readonly wire: WireOrder } },
): void {
  if (haveSameText(stored, posting.order)) return
  const differences = differencesOfOrder(stored, order.wire)
  if (differences.length > 0) throw conflictError(LEDGER_MESSAGES.order_differs, differences)
}

/** The members in which an order that was sent differs from a stored one; none if both have the same content. */
export const differencesOfOrder = (stored: StoredOrder, sent: WireOrder): readonly Problem[] =>
  diffContent(normaliseOrder(decodeSentOrder(stored)), normaliseOrder(sent))

/** @throws ApiError if the event stored under the same id has other content, or is of another order or device */
export function assertSameEvent(stored: StoredEvent, sent: SentEvent): void {
  const differences = differencesOfEvent(stored, sent)
  if (differences.length > 0) throw conflictError(LEDGER_MESSAGES.event_differs, differences)
}

/** By whichever key it is sent again, it stays recorded by the first. */
type SentEvent = Omit<NewEvent, 'recordedBy'>

export const differencesOfEvent = (stored: StoredEvent, sent: SentEvent): readonly Problem[] =>
  diffContent(contentOf(stored, 'emission_kg' in (JSON.parse(sent.content) as object)), contentOf(sent, true))

/**
 * What identifies an event: its content, and the order or device that it concerns.
 * @param isEmissionSent false if a default that stood in for an emission is left out
 */
const contentOf = ({ content, order, serialNumber }: SentEvent, isEmissionSent: boolean) => ({
  ...withoutEmissionDefault(JSON.parse(content) as object, isEmissionSent),
  ...(order ? { customer_id: order.customerId, order_id: sentIdOf(order.orderId) } : { serial_number: serialNumber }),
})

/** A conflict error that names the first differences. */
function conflictError(
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
