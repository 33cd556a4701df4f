// Compares two contents with the same id, and describes the differences to a client that reuses an id.
import { escapePointer, type Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { ApiError } from '../contract/errors.ts'

/** A conflict error that names the first differences. */
export function conflictError(sentence: string, differences: readonly Problem[]): ApiError {
  const places = differences
    .slice(0, 3)
    .map(({ path }) => path)
    .join(', ')
  return new ApiError(
    'conflict',
    `${sentence}: it differs at ${places}${differences.length > 3 ? ', …' : ''}`,
    differences,
  )
}

/** The error for an order that is sent again after its import was reversed: a replay would silently store nothing. */
export const ORDER_REVERTED =
  'This customer_id and order_id were stored by an import that was undone and cannot be used again: send the order ' +
  'under another order_id or, if the whole first file was wrong, import it into a new account'

/** The members in which two values differ, as JSON pointers. */
export function diffContent(stored: unknown, sent: unknown, path = ''): readonly Problem[] {
  if (!isContainer(stored) || !isContainer(sent) || Array.isArray(stored) !== Array.isArray(sent)) {
    return stored === sent ? [] : [{ path, message: `Is ${shown(sent)} here, and ${shown(stored)} in what is stored` }]
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

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
