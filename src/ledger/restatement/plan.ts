// Which orders a restatement changes, in groups that share devices: a device's ledger connects its orders.
import type { OrderKey } from '../../engine/device-timeline.ts'
import { productsOf } from '../../engine/resolve-order.ts'
import type { Problem } from '../../engine/order.ts'
import { toEngineOrder } from '../../contract/parse-order.ts'
import { decodeOrder } from '../codec.ts'
import { sentKeyOf } from '../naming-order.ts'
import { serialNumbersEverInOrder } from '../order-state.ts'
import type { StoredEvent, StoredOrder } from '../records.ts'
import { normaliseProductId } from '../../engine/reference/product-match.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { createPlannedOrders, type Groups, type Pace } from './planned-orders.ts'
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
  readonly groups: Groups
  readonly numberOfOrders: number
}

/** An order with its events, as candidates are read. */
export interface Candidate {
  readonly order: StoredOrder
  readonly events: readonly StoredEvent[]
  /** For an undo, the revision that the restatement replaced; null if it replaced none. */
  readonly replaced: StoredOrder | null
}

interface Planning {
  readonly mixer: ReleaseMixer
  readonly pace: Pick<Pace, 'pause' | 'rest'>
  readonly onProgress: (done: number, total: number) => void
  /** Is told each order that uses a name which the release does not have. */
  readonly onRefused: (refused: RefusedOrder) => Promise<void>
}

/** @param candidates all orders of the account that count, in any order */
export async function planRestatement(
  candidates: AsyncIterable<readonly Candidate[]>,
  scope: RestatementScope,
  figures: NewFigures,
  { mixer, pace, onProgress, onRefused }: Planning,
): Promise<Plan> {
  const isIn = inScope(scope)
  const planned = createPlannedOrders()
  for await (const page of candidates) {
    // How many there are is not known yet.
    onProgress(0, 0)
    const startedAt = performance.now()
    for (const candidate of page) {
      const { order, events } = candidate
      const serialsOf = () => serialNumbersEverInOrder(order, events)
      if (!isIn(order, serialsOf)) continue
      const again = await resolveAgain(candidate, figures, mixer)
      const key = sentKeyOf(order)
      if (again.outcome === 'refused') await onRefused({ key, problems: again.problems })
      if (again.outcome === 'changed') planned.add(key, order.createdAt.getTime(), serialsOf())
      await pace.pause()
    }
    await pace.rest(performance.now() - startedAt)
  }
  return { groups: await runCooperatively(planned.group()), numberOfOrders: planned.count() }
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
