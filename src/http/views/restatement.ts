// A restatement as JSON.
import { API_ERRORS } from '../../contract/errors.ts'
import type { Message } from '../../engine/message.ts'
import { EMISSION_UNIT, PARTS, sumMilligrams } from '../../engine/numbers/emission.ts'
import { CAUSES } from '../../ledger/restatement/causes.ts'
import {
  isFinalYear,
  type ChangesOf,
  type PreviewSummary,
  type StoredPreview,
} from '../../ledger/restatement/change-rows.ts'
import type { PlacedEmission, StoredRestatement } from '../../postgres/restatements.ts'
import { kilogramsView } from './emission.ts'
import { referenceView } from './message.ts'

export function restatementView(stored: StoredRestatement, largest: readonly PlacedEmission[] | null) {
  const summary = previewOf(stored)
  return {
    restatement_id: stored.restatementId,
    state: stored.state,
    scope: JSON.parse(stored.scope) as object,
    figures: JSON.parse(stored.figures) as object,
    reason: stored.reason,
    created_at: stored.createdAt,
    finished_at: stored.finishedAt,
    key: stored.keyHint,
    orders_done: stored.ordersDone,
    orders_total: stored.ordersTotal,
    orders_refused: stored.ordersRefused,
    interruptions: stored.interruptions,
    last_error: lastErrorView(stored),
    emission_unit: EMISSION_UNIT,
    preview: summary && {
      digest: stored.digest,
      ...summary,
      basis: undefined,
      final_before: undefined,
      ...amountsView(summary),
      before: kilogramsOf(summary.before),
      years: summary.years.map(({ year, ...amounts }) => ({ year, ...amountsView(amounts) })),
      ...(largest && { largest_changes: largest.map(orderView) }),
    },
  }
}

const lastErrorView = ({ lastError: code, lastErrorAt: at }: StoredRestatement) =>
  code === null ? null : { code, message: API_ERRORS[code][1], at }

/** A preview of an earlier version says nothing of final statements. */
const previewOf = ({ document }: StoredRestatement): StoredPreview | null =>
  document === null
    ? null
    : { final_before: null, number_of_superseded_statements: 0, ...(JSON.parse(document) as PreviewSummary) }

export function changesView(of: ChangesOf, stored: StoredRestatement, changes: readonly PlacedEmission[]) {
  const finalBefore = previewOf(stored)?.final_before ?? null
  return { emission_unit: EMISSION_UNIT, [of]: changes.map((change) => VIEWS[of](change, finalBefore)) }
}

const kilogramsOf = (milligrams: string): number => kilogramsView(BigInt(milligrams))

interface Amounts {
  readonly difference: string
  /** Milligrams by cause; of an order, by cause and part. */
  readonly bridge: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

const amountsView = ({ difference, bridge }: Amounts) => ({
  difference: kilogramsOf(difference),
  bridge: Object.fromEntries(
    CAUSES.flatMap((cause) => {
      const amount = bridge[cause]
      if (amount === undefined) return []
      const sum =
        typeof amount === 'string' ? BigInt(amount) : sumMilligrams(PARTS.map((part) => BigInt(amount[part]!)))
      return [[cause, kilogramsView(sum)]]
    }),
  ),
})

const amountsOf = ({ difference, bridge }: PlacedEmission) =>
  amountsView({ difference: String(difference), bridge: JSON.parse(bridge) as Amounts['bridge'] })

const orderView = (change: PlacedEmission) => ({
  customer_id: change.customerId,
  order_id: change.orderId,
  before: kilogramsView(change.before ?? 0n),
  ...amountsOf(change),
})

function problemView({ customerId, orderId, problem, problemMessage }: PlacedEmission) {
  const message = problemMessage === null ? null : referenceView(JSON.parse(problemMessage) as Message)
  return { customer_id: customerId, order_id: orderId, problem, problem_message: message }
}

const VIEWS: Readonly<Record<ChangesOf, (change: PlacedEmission, finalBefore: string | null) => object>> = {
  orders: orderView,
  years: (change, finalBefore) => ({
    customer_id: change.customerId,
    year: change.year,
    supersedes_final_statement: isFinalYear(change.year!, finalBefore),
    ...amountsOf(change),
  }),
  problems: problemView,
  refused: problemView,
}
