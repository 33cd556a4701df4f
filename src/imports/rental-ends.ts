// Ends of rentals that a file states with its orders: events that are recorded after the order of their row.
import { hash } from 'node:crypto'
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import { EVENT_MESSAGES, ORDER_MESSAGES } from '../engine/messages.ts'
import { messageOf, type Problem } from '../engine/order.ts'
import { revisionOf } from '../engine/order-revision.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import { factDayProblems, type DayLimits } from '../contract/day-limits.ts'
import { ApiError } from '../contract/errors.ts'
import type { WireOrderEvent } from '../contract/event-schema.ts'
import { EXPECTED, REQUEST_MESSAGES, wrongValue } from '../contract/messages.ts'
import { FIRST_DAY, LAST_DAY, type WireOrder } from '../contract/order-schema.ts'
import { orderKeyOf } from '../ledger/codec.ts'
import { assertSameEvent } from '../ledger/idempotency.ts'
import { recordOrderEvent, type EventAccount } from '../ledger/record-event.ts'
import type { StoredEvent } from '../ledger/records.ts'
import type { ImportContext } from './context.ts'
import { ROW_MESSAGES } from './messages.ts'

type Members = Readonly<Record<string, unknown>>

const END_TYPES = ['returned', 'cancelled'] as const
type EndType = (typeof END_TYPES)[number]

/** What an item states, as written. */
interface StatedEnd {
  /** The position of the item in its order. */
  readonly at: number
  readonly isOfDevice: boolean
  readonly returnedOn: unknown
  readonly endedBy: unknown
}

/** The end of the rental of a device. */
export interface RentalEnd {
  /** The position of its item in the order. */
  readonly at: number
  readonly event: Extract<WireOrderEvent, { readonly type: EndType }>
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const statesEnd = (item: unknown): item is { readonly type?: unknown; readonly config: Members } =>
  isObject(item) && isObject(item['config']) && ('returned_on' in item['config'] || 'ended_by' in item['config'])

/** The body of an order as POST takes it, and the ends that its items state in addition. */
export function takeRentalEnds(body: unknown): { readonly body: unknown; readonly stated: readonly StatedEnd[] } {
  const items = isObject(body) ? body['items'] : undefined
  if (!Array.isArray(items) || !items.some(statesEnd)) return { body, stated: [] }
  const stated: StatedEnd[] = []
  const rest = (items as readonly unknown[]).map((item, at) => {
    if (!statesEnd(item)) return item
    const { returned_on: returnedOn, ended_by: endedBy, ...config } = item.config
    stated.push({ at, isOfDevice: item.type === 'product', returnedOn, endedBy })
    return { ...item, config }
  })
  return { body: { ...(body as Members), items: rest }, stated }
}

const pathOf = (at: number, name: string): string => `/items/${at}/config/${name}`

/** Errors in the ends themselves. @param body the body of their order, which may be invalid */
export const rentalEndProblems = (
  stated: readonly StatedEnd[],
  body: unknown,
  limits: DayLimits | null,
): readonly Problem[] =>
  stated.flatMap((end) => {
    const fault = faultOf(end, isObject(body) ? body['tenure_start_date'] : undefined)
    if (fault) return [fault]
    const late = factDayProblems('returned', end.returnedOn as string, limits)
    return late.map((problem) => ({ ...problem, path: pathOf(end.at, 'returned_on') }))
  })

function faultOf({ at, isOfDevice, returnedOn, endedBy }: StatedEnd, start: unknown): Problem | null {
  const [onDay, onType] = [pathOf(at, 'returned_on'), pathOf(at, 'ended_by')]
  if (!isOfDevice) return { path: returnedOn === undefined ? onType : onDay, ...ROW_MESSAGES.return_without_device() }
  if (endedBy !== undefined && !END_TYPES.some((type) => type === endedBy)) return wrongType(onType, endedBy)
  if (returnedOn === undefined) return { path: onDay, ...REQUEST_MESSAGES.required() }
  if (typeof returnedOn !== 'string' || !isCalendarDay(returnedOn))
    return { path: onDay, ...wrongValue(EXPECTED.expected_day(), returnedOn) }
  if (returnedOn < FIRST_DAY || returnedOn > LAST_DAY)
    return {
      path: onDay,
      ...ORDER_MESSAGES.day_out_of_range({ first: FIRST_DAY, last: LAST_DAY, sent: returnedOn }),
    }
  if (typeof start !== 'string' || !isCalendarDay(start)) return null
  if (endedBy === 'cancelled')
    return returnedOn < start ? null : { path: onDay, ...EVENT_MESSAGES.cancellation_too_late({ start }) }
  return returnedOn >= start ? null : { path: onDay, ...ROW_MESSAGES.return_before_start({ start, date: returnedOn }) }
}

/** The usual words in German. */
const WORDS: Readonly<Record<string, EndType>> = {
  zurückgegeben: 'returned',
  rückgabe: 'returned',
  retoure: 'returned',
  return: 'returned',
  storniert: 'cancelled',
  storno: 'cancelled',
  canceled: 'cancelled',
}

function wrongType(path: string, sent: unknown): Problem {
  const problem = { path, ...wrongValue(EXPECTED.expected_choice({ choices: [...END_TYPES] }), sent) }
  if (typeof sent !== 'string') return problem
  const word = sent.slice(0, 40).toLowerCase()
  const meant = Object.hasOwn(WORDS, word) ? [WORDS[word]!] : closestMatches(word, END_TYPES)
  return withSuggestions(problem, meant)
}

const EVENT_ID_PREFIX = 'import-return-'

/** True for the id of an event that a file stated with its order. */
export const isRentalEndId = (eventId: string): boolean => eventId.startsWith(EVENT_ID_PREFIX)

/** The events of valid ends. Importing a file again gives them the same ids. */
export const rentalEndsOf = (stated: readonly StatedEnd[], { items = [], ...order }: WireOrder): readonly RentalEnd[] =>
  stated.map(({ at, returnedOn, endedBy }) => {
    const { serial_number } = items[at]!.config as { readonly serial_number: string }
    const identity = JSON.stringify([order.customer_id, order.order_id, serial_number])
    const what = { event_id: `${EVENT_ID_PREFIX}${hash('sha256', identity).slice(0, 32)}` }
    const date = returnedOn as string
    const event =
      endedBy === 'cancelled'
        ? ({ ...what, type: 'cancelled', serial_number, date, dispatched: false } as const)
        : ({ ...what, type: 'returned', serial_number, date } as const)
    return { at, event }
  })

/** The ends of an order that was sent again after its import was undone: they are events of their own. */
export const endsOfRevision = (ends: readonly RentalEnd[], orderId: string): readonly RentalEnd[] =>
  revisionOf(orderId) === 1
    ? ends
    : ends.map(({ at, event }) => ({ at, event: { ...event, event_id: `${event.event_id}-${revisionOf(orderId)}` } }))

const contradiction = (at: number, problem: Problem): Problem => ({
  path: pathOf(at, 'returned_on'),
  ...ROW_MESSAGES.return_not_recorded({ problem: messageOf(problem) }),
})

/** Records the ends of a stored order. @returns the problems of those that contradict what is recorded */
export async function recordRentalEnds(
  { events, referenceDataOf }: ImportContext,
  account: EventAccount,
  order: OrderKey,
  ends: readonly RentalEnd[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const { at, event } of ends) {
    try {
      const recorded = await recordOrderEvent(events, account, order, event, { referenceDataOf, matching: null })
      if (recorded.outcome === 'replayed') assertSameEvent(recorded.stored, recorded.event)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problems.push(contradiction(at, error.details[0]!))
    }
  }
  return problems
}

/**
 * Records the ends in the ledgers of a dry run.
 * @param stored the event that is stored under an id; undefined if there is none
 * @returns the problems of those that contradict what is recorded
 */
export async function rentalEndConflicts(
  wire: WireOrder,
  ends: readonly RentalEnd[],
  ledgers: { readonly end: (wire: WireOrder, event: RentalEnd['event']) => Promise<Problem | null> },
  stored: (eventId: string) => StoredEvent | undefined,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const { at, event } of ends) {
    const before = stored(event.event_id)
    const problem = before ? differenceTo(before, orderKeyOf(wire), event) : await ledgers.end(wire, event)
    if (problem) problems.push(contradiction(at, problem))
  }
  return problems
}

function differenceTo(before: StoredEvent, order: OrderKey, event: RentalEnd['event']): Problem | null {
  const sent = { eventId: event.event_id, order, serialNumber: null, content: JSON.stringify(event) }
  try {
    assertSameEvent(before, sent)
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.details[0]!
    throw error
  }
}
