// Random ids in place of names. Rentals of one device that begin on the same day follow each other by their ids, so an
// id that takes part in such a tie is replaced by one that sorts in the same place: otherwise figures would move.
import { randomBytes } from 'node:crypto'
import { revisionSuffixOf, sentIdOf } from '../../engine/order-revision.ts'

/** As for ids that clients send. */
const LENGTH_MAX = 200

/** Ids that the new one must sort between; null for no bound. */
interface Bounds {
  readonly lower: string | null
  readonly upper: string | null
}

/** An order of the customer and another order with a rental of the same device from the same day. */
export interface Tie {
  readonly orderId: string
  readonly otherCustomerId: string
  readonly otherOrderId: string
}

/** By code point, as the database and the engine sort. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** 128 random bits. */
export const randomId = (prefix: string): string => `${prefix}_${randomBytes(16).toString('hex')}`

/** Null if no such id was found between the bounds. */
function randomIdBetween(prefix: string, { lower, upper }: Bounds): string | null {
  if (lower === null && upper === null) return randomId(prefix)
  // The exclamation mark sorts before all letters and digits: the id stands next to the lower bound.
  const id = `${lower ?? ''}!${randomId(prefix)}`
  return id.length <= LENGTH_MAX && (upper === null || compare(id, upper) < 0) ? id : null
}

const boundsOf = (lower: readonly string[], upper: readonly string[]): Bounds => ({
  lower: lower.toSorted(compare).at(-1) ?? null,
  upper: upper.toSorted(compare)[0] ?? null,
})

/** Ids of customers decide only between orders with the same id. */
const rivalsIn = (ties: readonly Tie[]): readonly string[] =>
  ties.filter(({ orderId, otherOrderId }) => orderId === otherOrderId).map(({ otherCustomerId }) => otherCustomerId)

/** The new id of a customer whose orders keep theirs. */
export function newCustomerId(customerId: string, ties: readonly Tie[]): string | null {
  const rivals = rivalsIn(ties)
  return randomIdBetween(
    'customer',
    boundsOf(
      rivals.filter((other) => compare(other, customerId) < 0),
      rivals.filter((other) => compare(other, customerId) > 0),
    ),
  )
}

/** Whether a new id that was decided before sorts like the old one among other customers. */
export const keepsSequence = (customerId: string, newId: string, ties: readonly Tie[]): boolean =>
  rivalsIn(ties).every((other) => compare(other, customerId) < 0 === compare(other, newId) < 0)

/** The new id of an order, or of a revision of it. */
export const renamedOrderId = (renamed: ReadonlyMap<string, string>, orderId: string): string => {
  const sent = sentIdOf(orderId)
  return `${renamed.get(sent) ?? sent}${revisionSuffixOf(orderId)}`
}

/**
 * The new ids of a customer's orders, old to new.
 * @param sentIds without the numbers of revisions, each once
 * @returns null if there is no id for one of them
 */
export function newOrderIds(
  customerId: string,
  sentIds: readonly string[],
  ties: readonly Tie[],
): ReadonlyMap<string, string> | null {
  const isForeign = ties.some(({ otherCustomerId }) => otherCustomerId !== customerId)
  if (isForeign) return orderIdsBetweenOthers(customerId, sentIds, ties)
  const wanted = new Set(sentIds)
  const tied = new Set(ties.map(({ orderId }) => sentIdOf(orderId)).filter((sent) => wanted.has(sent)))
  const ids = [...tied].map(() => randomId('order')).toSorted(compare)
  const inSequence = [...tied].toSorted(compare).map((sent, at) => [sent, ids[at]!] as const)
  const others = sentIds.filter((sent) => !tied.has(sent)).map((sent) => [sent, randomId('order')] as const)
  return new Map([...inSequence, ...others])
}

/**
 * Each order is placed after the new ids of those that it is tied with and follows, and between other customers' ids.
 */
function orderIdsBetweenOthers(
  customerId: string,
  sentIds: readonly string[],
  ties: readonly Tie[],
): ReadonlyMap<string, string> | null {
  const tiesOf = Map.groupBy(ties, ({ orderId }) => sentIdOf(orderId))
  const renamed = new Map<string, string>()
  for (const sent of sentIds.toSorted(compare)) {
    const lower: string[] = []
    const upper: string[] = []
    for (const { orderId, otherCustomerId, otherOrderId } of tiesOf.get(sent) ?? []) {
      const isOwn = otherCustomerId === customerId
      const other = sentIdOf(otherOrderId)
      if (isOwn && other === sent) continue
      const place = compare(otherOrderId, orderId) || compare(otherCustomerId, customerId)
      if (place < 0) lower.push(isOwn ? (renamed.get(other) ?? other) : other)
      else if (!isOwn) upper.push(other)
    }
    const id = randomIdBetween('order', boundsOf(lower, upper))
    if (id === null) return null
    renamed.set(sent, id)
  }
  return renamed
}
