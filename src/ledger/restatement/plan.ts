// Which orders a restatement changes, in groups that share devices: a device's ledger connects its orders.
import { orderKey, type OrderKey } from '../../engine/device-timeline.ts'
import { productsOf } from '../../engine/resolve-order.ts'
import type { Problem } from '../../engine/order.ts'
import { toEngineOrder } from '../../contract/parse-order.ts'
import { decodeOrder } from '../codec.ts'
import { sentKeyOf } from '../naming-order.ts'
import { serialNumbersEverInOrder } from '../order-state.ts'
import type { StoredEvent, StoredOrder } from '../records.ts'
import { normaliseProductId } from '../../engine/reference/product-match.ts'
import { createPause } from '../../concurrency/cooperative.ts'
import type { ReleaseMixer } from './release-mixer.ts'
import { resolveAgain, type NewFigures } from './resolve-again.ts'

/** The orders that may be restated. An order is in the scope if every member that is stated applies to it. */
export interface RestatementScope {
  /** Orders of these products of the account. */
  readonly product_ids?: readonly string[]
  /** Orders of products that were matched to these models. */
  readonly model_ids?: readonly string[]
  /** Orders of these devices. */
  readonly serial_numbers?: readonly string[]
  /** Orders that this import stored. */
  readonly import_id?: number
  /** Orders whose tenure starts on this day, YYYY-MM-DD, or later. */
  readonly tenure_start_from?: string
}

export interface RefusedOrder {
  readonly key: OrderKey
  readonly problems: readonly Problem[]
}

export interface Plan {
  /** Orders by the ids that clients sent, in the order in which they are restated. No two groups share a device. */
  readonly groups: readonly (readonly OrderKey[])[]
  readonly numberOfOrders: number
  /** Orders that use a name that the release does not have. */
  readonly refused: readonly RefusedOrder[]
}

/** An order with its events, as candidates are read. */
export interface Candidate {
  readonly order: StoredOrder
  readonly events: readonly StoredEvent[]
}

interface ToPlan {
  readonly key: OrderKey
  readonly createdAt: number
  readonly serials: readonly string[]
}

/** @param candidates all orders of the account that count, in any order */
export async function planRestatement(
  candidates: AsyncIterable<readonly Candidate[]>,
  scope: RestatementScope,
  figures: NewFigures,
  mixer: ReleaseMixer,
  onProgress: (done: number, total: number) => void,
): Promise<Plan> {
  const isIn = inScope(scope)
  const pause = createPause()
  // By key: an order that is corrected while all are read is read again as its next revision.
  const planned = new Map<string, ToPlan>()
  const refused: RefusedOrder[] = []
  for await (const page of candidates) {
    // How many there are is not known yet.
    onProgress(0, 0)
    for (const { order, events } of page) {
      const serialsOf = () => serialNumbersEverInOrder(order, events)
      if (!isIn(order, serialsOf)) continue
      const again = await resolveAgain({ order, events }, figures, mixer)
      const key = sentKeyOf(order)
      if (again.outcome === 'refused') refused.push({ key, problems: again.problems })
      if (again.outcome === 'changed')
        planned.set(orderKey(key), { key, createdAt: order.createdAt.getTime(), serials: serialsOf() })
      await pause()
    }
  }
  const inSequence = [...planned.values()].sort(
    (a, b) => a.createdAt - b.createdAt || (orderKey(a.key) < orderKey(b.key) ? -1 : 1),
  )
  const groups = groupBySharedDevices(inSequence).map((group) => group.map(({ key }) => key))
  return { groups: inLargerGroups(groups), numberOfOrders: planned.size, refused }
}

/**
 * Orders that are read and decided together, and posted by one transaction, which locks their devices until it ends.
 * Of orders that share devices, more are previewed together.
 */
export const TOGETHER_MAX = 50

function inLargerGroups(groups: Plan['groups']): Plan['groups'] {
  const larger: OrderKey[][] = []
  for (const group of groups) {
    const last = larger.at(-1)
    if (last && last.length + group.length <= TOGETHER_MAX) last.push(...group)
    else larger.push([...group])
  }
  return larger
}

function inScope(scope: RestatementScope): (order: StoredOrder, serialsOf: () => readonly string[]) => boolean {
  const products = scope.product_ids && new Set(scope.product_ids.map(normaliseProductId))
  const models = scope.model_ids && new Set(scope.model_ids)
  const devices = scope.serial_numbers && new Set(scope.serial_numbers)
  return (order, serialsOf) => {
    if (scope.import_id !== undefined && order.origin?.importId !== scope.import_id) return false
    if (scope.tenure_start_from !== undefined && order.tenureStartDate < scope.tenure_start_from) return false
    if (devices && !serialsOf().some((serial) => devices.has(serial))) return false
    if (models && !order.footprintIds.some((id) => models.has(id))) return false
    return !products || productIdsOf(order).some((id) => products.has(id))
  }
}

const productIdsOf = (order: StoredOrder): readonly string[] =>
  productsOf(toEngineOrder(decodeOrder(order))).map(({ productId }) => normaliseProductId(productId))

/** Groups of elements that share a serial number, also through others; each in the order of the elements. */
function groupBySharedDevices<Element extends { readonly serials: readonly string[] }>(
  elements: readonly Element[],
): readonly (readonly Element[])[] {
  const parents = elements.map((_, at) => at)
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
  const holders = new Map<string, number>()
  for (const [at, { serials }] of elements.entries()) {
    for (const serial of serials) {
      const holder = holders.get(serial)
      if (holder === undefined) holders.set(serial, at)
      else {
        const [one, other] = [rootOf(holder), rootOf(at)]
        parents[Math.max(one, other)] = Math.min(one, other)
      }
    }
  }
  return [...Map.groupBy(elements.entries(), ([at]) => rootOf(at)).values()].map((group) => group.map(([, one]) => one))
}
