// What the feed of an account tells: the types of its events, and the ids that each is rendered from.
import type { OrderKey } from './device-timeline.ts'
import { sentIdOf } from './order-revision.ts'

export const FEED_TYPES = [
  'order.created',
  'order.corrected',
  'order.restated',
  'order.changed',
  'device.closed',
  'statement.issued',
  'statement.superseded',
  'import.finished',
  'release.available',
  'release.applied',
] as const
export type FeedType = (typeof FEED_TYPES)[number]

/** Why something changed; members that do not apply are null. */
export interface FeedCause {
  readonly eventId: string | null
  /** Another order than the one that changed. */
  readonly order: OrderKey | null
  readonly serialNumber: string | null
}

export type FeedSubject =
  /** `storedId` is the id of the revision. */
  | { readonly type: 'order.created'; readonly customerId: string; readonly storedId: string }
  | ({ readonly type: 'order.corrected' | 'order.restated' | 'order.changed' } & OrderKey & {
        readonly cause: FeedCause
      })
  | {
      readonly type: 'device.closed'
      readonly serialNumber: string
      readonly eventId: string
      readonly reason: string
    }
  | { readonly type: 'statement.issued'; readonly year: number }
  | {
      readonly type: 'statement.superseded'
      readonly customerId: string
      readonly year: number
      readonly restatementId: number
    }
  | { readonly type: 'import.finished'; readonly importId: number; readonly state: string }
  | { readonly type: 'release.available' | 'release.applied'; readonly name: string }

/** What is written to the outbox: a type, and a subject as text. */
export interface FeedNotice {
  readonly type: FeedType
  readonly subject: string
}

/** Between parts. No id that a client sends has a control character, and U+001F is in the ids of revisions. */
export const SUBJECT_SEPARATOR = '\u001d'

/** The notice about one order that was created, corrected, restated or changed. */
export const orderNotice = (
  type: Exclude<FeedType & `order.${string}`, 'order.created'>,
  { customerId, orderId }: OrderKey,
  cause: Partial<FeedCause>,
): FeedNotice =>
  noticeOf(type, [
    customerId,
    sentIdOf(orderId),
    cause.eventId ?? '',
    cause.order?.customerId ?? '',
    cause.order ? sentIdOf(cause.order.orderId) : '',
    cause.serialNumber ?? '',
  ])

export const createdNotice = ({ customerId, orderId }: OrderKey): FeedNotice =>
  noticeOf('order.created', [customerId, orderId])

export const deviceNotice = (serialNumber: string, eventId: string, reason: string): FeedNotice =>
  noticeOf('device.closed', [serialNumber, eventId, reason])

export const noticeOf = (type: FeedType, parts: readonly string[]): FeedNotice => ({
  type,
  subject: parts.join(SUBJECT_SEPARATOR),
})

export function readSubject(type: FeedType, subject: string): FeedSubject {
  const parts = subject.split(SUBJECT_SEPARATOR)
  const [first, second, third] = parts as [string, string, string]
  switch (type) {
    case 'order.created':
      return { type, customerId: first, storedId: second }
    case 'order.corrected':
    case 'order.restated':
    case 'order.changed':
      return { type, customerId: first, orderId: second, cause: causeOf(parts.slice(2)) }
    case 'device.closed':
      return { type, serialNumber: first, eventId: second, reason: third }
    case 'statement.issued':
      return { type, year: Number(first) }
    case 'statement.superseded':
      return { type, customerId: first, year: Number(second), restatementId: Number(third) }
    case 'import.finished':
      return { type, importId: Number(first), state: second }
    case 'release.available':
    case 'release.applied':
      return { type, name: first }
  }
}

function causeOf(parts: readonly string[]): FeedCause {
  const [eventId, customerId, orderId, serialNumber] = parts as [string, string, string, string]
  return {
    eventId: eventId || null,
    order: orderId ? { customerId, orderId } : null,
    serialNumber: serialNumber || null,
  }
}

/** What is replaced by an erasure, old to new; orders by the ids as they were sent. */
interface RenamedIds {
  readonly customers: ReadonlyMap<string, string>
  readonly orders: ReadonlyMap<string, string>
  readonly serials: ReadonlyMap<string, string>
}

/** A subject with the names of a customer replaced. */
export function renameSubject(type: FeedType, subject: string, { customers, orders, serials }: RenamedIds): string {
  const parts = subject.split(SUBJECT_SEPARATOR)
  const renameSerial = (at: number) => (parts[at] = serials.get(parts[at]!) ?? parts[at]!)
  const renameCustomer = (at: number, orderAt: number | null) => {
    const renamed = customers.get(parts[at]!)
    if (renamed === undefined) return
    parts[at] = renamed
    if (orderAt === null) return
    const [stored, sent] = [parts[orderAt]!, sentIdOf(parts[orderAt]!)]
    parts[orderAt] = `${orders.get(sent) ?? sent}${stored.slice(sent.length)}`
  }
  if (type.startsWith('order.')) renameCustomer(0, 1)
  if (parts.length > 3 && type.startsWith('order.')) {
    renameCustomer(3, 4)
    renameSerial(5)
  }
  if (type === 'statement.superseded') renameCustomer(0, null)
  if (type === 'device.closed') renameSerial(0)
  return parts.join(SUBJECT_SEPARATOR)
}
