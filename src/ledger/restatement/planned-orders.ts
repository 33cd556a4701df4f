// The orders that a restatement changes, at about 150 bytes each: an account may have millions of them.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import type { Resumable } from '../../engine/numbers/steps.ts'

/**
 * Orders that are read and decided together, and posted by one transaction, which locks their devices until it ends.
 * Of orders that share devices, more are previewed together.
 */
export const TOGETHER_MAX = 50

/** Lets requests go first. */
export interface Pace {
  /** Orders posted by one transaction, at most TOGETHER_MAX. */
  readonly together: () => number
  /** Is called often during a piece of work. */
  readonly pause: () => Promise<void>
  /** Rests after each piece of work. */
  readonly rest: (workedMs: number) => Promise<void>
}

const ROOM_AT_FIRST = 1_024
/** Orders between two yields. */
const PER_STEP = 1_000

/** Orders by the ids that clients sent. No two groups share a device. */
export type Groups = Iterable<readonly OrderKey[]>

export interface PlannedOrders {
  /** An order that is added again, since it was corrected meanwhile, counts once. */
  readonly add: (key: OrderKey, createdAt: number, serialNumbers: readonly string[]) => void
  readonly count: () => number
  /** The groups, each in the order of recording, by the order that was added first; small ones are put together. */
  readonly group: () => Resumable<Groups>
}

export function createPlannedOrders(): PlannedOrders {
  const customers: string[] = []
  const orders: string[] = []
  /** Customers have many orders, and each is one text here. */
  const knownCustomers = new Map<string, string>()
  const times: number[] = []
  const numberOf = createNumbers()
  const holderOf = createNumbers()
  const { add, rootOf, unite } = createSets()
  const keyOf = (at: number): OrderKey => ({ customerId: customers[at]!, orderId: orders[at]! })
  const customerOf = (id: string): string => {
    const known = knownCustomers.get(id) ?? id
    knownCustomers.set(known, known)
    return known
  }
  const inSequence = (a: number, b: number): number =>
    times[a]! - times[b]! || (orderKey(keyOf(a)) < orderKey(keyOf(b)) ? -1 : 1)

  function* group(): Resumable<Groups> {
    // Sorts by root, which is the first order of each group.
    const starts = new Int32Array(orders.length + 1)
    for (let at = 0; at < orders.length; at += 1) {
      starts[rootOf(at) + 1]! += 1
      if (at % PER_STEP === 0) yield
    }
    for (let at = 0; at < orders.length; at += 1) starts[at + 1]! += starts[at]!
    const members = new Int32Array(orders.length)
    const next = starts.slice()
    for (let at = 0; at < orders.length; at += 1) {
      members[next[rootOf(at)]!++] = at
      if (at % PER_STEP === 0) yield
    }
    return { [Symbol.iterator]: () => groupsIn(starts, members) }
  }

  function* groupsIn(starts: Int32Array, members: Int32Array): Generator<readonly OrderKey[]> {
    let together: OrderKey[] = []
    for (let root = 0; root < orders.length; root += 1) {
      const own = [...members.subarray(starts[root], starts[root + 1])].sort(inSequence).map(keyOf)
      if (together.length > 0 && together.length + own.length > TOGETHER_MAX) {
        yield together
        together = []
      }
      for (const key of own) together.push(key)
    }
    if (together.length > 0) yield together
  }

  return {
    add: (key, createdAt, serialNumbers) => {
      const isSame = (at: number) => orders[at] === key.orderId && customers[at] === key.customerId
      const at = numberOf(orderKey(key), orders.length, isSame)
      if (at === orders.length) {
        customers.push(customerOf(key.customerId))
        orders.push(key.orderId)
        add()
      }
      times[at] = createdAt
      // Two serial numbers of the same hash only make a group larger.
      for (const serial of serialNumbers) unite(at, holderOf(serial, at))
    },
    count: () => orders.length,
    group,
  }
}

/**
 * Numbers by the hashes of texts, in open addressing: 16 bytes each, whatever their length.
 * @returns a function that returns the number of a text, and stores one for a new text. Where nothing tells two texts
 *   of the same hash apart, they count as one.
 */
function createNumbers() {
  let [hashes, numbers, used] = [new Uint32Array(ROOM_AT_FIRST), new Int32Array(ROOM_AT_FIRST).fill(-1), 0]
  const placeOf = (hash: number, isSame: (number: number) => boolean): number => {
    const mask = numbers.length - 1
    let place = hash & mask
    while (numbers[place] !== -1 && !(hashes[place] === hash && isSame(numbers[place]!))) place = (place + 1) & mask
    return place
  }
  const grow = (): void => {
    const [oldHashes, oldNumbers] = [hashes, numbers]
    hashes = new Uint32Array(oldHashes.length * 2)
    numbers = new Int32Array(oldNumbers.length * 2).fill(-1)
    for (let at = 0; at < oldNumbers.length; at += 1) {
      if (oldNumbers[at] === -1) continue
      const place = placeOf(oldHashes[at]!, never)
      hashes[place] = oldHashes[at]!
      numbers[place] = oldNumbers[at]!
    }
  }
  return (text: string, next: number, isSame: (number: number) => boolean = always): number => {
    if (used * 2 > numbers.length) grow()
    const hash = hashOf(text)
    const place = placeOf(hash, isSame)
    if (numbers[place] === -1) {
      hashes[place] = hash
      numbers[place] = next
      used += 1
    }
    return numbers[place]!
  }
}

const never = (): boolean => false
const always = (): boolean => true

/** FNV-1a over the code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Sets of the numbers from 0, each with its smallest one as root. */
function createSets() {
  let parents = new Int32Array(ROOM_AT_FIRST)
  let count = 0
  const rootOf = (at: number): number => {
    let root = at
    while (parents[root] !== root) root = parents[root]!
    // Every element on the way is attached to the root, so that it is found in one step from now on.
    for (let next = at; next !== root;) {
      const above = parents[next]!
      parents[next] = root
      next = above
    }
    return root
  }
  return {
    add: (): void => {
      if (count === parents.length) {
        const larger = new Int32Array(count * 2)
        larger.set(parents)
        parents = larger
      }
      parents[count] = count
      count += 1
    },
    rootOf,
    unite: (one: number, other: number): void => {
      const [a, b] = [rootOf(one), rootOf(other)]
      parents[Math.max(a, b)] = Math.min(a, b)
    },
  }
}
