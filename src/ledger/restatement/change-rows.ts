// What a restatement changes, as it is stored: rows of orders and years, and the sums of a preview.
import type { OrderKey } from '../../engine/device-timeline.ts'
import { totalEmissionOf } from '../../engine/ledger-history.ts'
import type { Message } from '../../engine/message.ts'
import { sumMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import { messageOf, type Problem } from '../../engine/order.ts'
import { REQUEST_MESSAGES } from '../../contract/messages.ts'
import { RESTATEMENT_MESSAGES } from '../messages.ts'
import type { GroupPreview } from './preview-group.ts'
import type { NotRestated } from './restate-order.ts'

/** `refused`: orders that the preview changes and that could not be posted. */
export const CHANGES_OF = ['orders', 'years', 'problems', 'refused'] as const
export type ChangesOf = (typeof CHANGES_OF)[number]

/** A row of what a restatement changes: of an order, or of a customer's year. */
export interface ChangeRow {
  readonly customerId: string
  /** Empty for a year. */
  readonly orderId: string
  readonly year: number | null
  readonly before: Milligrams | null
  readonly difference: Milligrams
  /** JSON: milligrams by cause and, of an order, by part. */
  readonly bridge: string
  /** Why an order in the scope stays as it is; null for a change. */
  readonly problem: Message | null
}

export type SaveRows = (rows: readonly ChangeRow[]) => Promise<void>

/** The sums of a preview; everything that names a customer is in its rows. */
export interface PreviewSummary {
  readonly counts_from: string | null
  readonly number_of_orders: number
  readonly number_of_devices: number
  readonly number_of_customers: number
  readonly number_of_problems: number
  /** Milligrams as decimal text. */
  readonly before: string
  readonly difference: string
  readonly bridge: Readonly<Record<string, string>>
  readonly years: readonly {
    readonly year: number
    readonly difference: string
    readonly bridge: Record<string, string>
  }[]
}

/** A preview as it is stored. */
export interface StoredPreview extends PreviewSummary {
  /** The release, the mappings and the amortisation of the account that it rests on, as text; absent in early ones. */
  readonly basis?: string
  /**
   * The latest day before which the books were ever closed, null if never; statements of years before it may have been
   * final.
   */
  readonly final_before: string | null
  readonly number_of_superseded_statements: number
}

/** True if a statement of the year may have been issued as final. @param finalBefore of the stored preview */
export const isFinalYear = (year: number, finalBefore: string | null): boolean =>
  finalBefore !== null && `${year + 1}-01-01` <= finalBefore

export const problemRow = (key: OrderKey, why: NotRestated): ChangeRow => ({
  ...key,
  year: null,
  before: null,
  difference: 0n,
  bridge: '{}',
  problem: messageOfReason(why),
})

export const rowsOf = ({ orders, refused }: GroupPreview): readonly ChangeRow[] => [
  ...orders.map(({ key, before, bridge }) => ({
    ...key,
    year: null,
    before,
    difference: sumMilligrams(Object.values(bridge).map(totalEmissionOf)),
    bridge: JSON.stringify(bridge, milligramsAsText),
    problem: null,
  })),
  ...refused.map(({ key, why }) => problemRow(key, why)),
]

/** Names that a release does not have, each with its place in the order. */
export const unresolvedMessage = (problems: readonly Problem[]): Message =>
  RESTATEMENT_MESSAGES.order_unresolved({
    problems: problems.map((problem) =>
      REQUEST_MESSAGES.problem_at({ path: problem.path, problem: messageOf(problem) }),
    ),
  })

const messageOfReason = (why: NotRestated): Message =>
  typeof why === 'object' ? why : RESTATEMENT_MESSAGES[`order_${why}`]()

const milligramsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
