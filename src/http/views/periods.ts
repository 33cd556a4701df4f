// Closed periods in responses: what closing the books would make final, and the years corrected after closing.
import { sentIdOf } from '../../engine/order-revision.ts'
import { EMISSION_UNIT, type Milligrams } from '../../engine/numbers/emission.ts'
import type { OverdueRental, OverdueRentals } from '../../postgres/overdue-rentals.ts'
import type { CorrectedYear, CorrectedYearsQuery } from '../../reporting/corrected-years.ts'
import type { GroupedResult } from '../../reporting/group-by.ts'
import { kilogramsView } from './emission.ts'

/** A closing or reopening of the books that was not recorded. */
export interface ClosingAhead {
  readonly kind: 'closed' | 'reopened' | 'unchanged'
  /** The first open day before it, and after it; null if the books are open for all days. */
  readonly before: string | null
  readonly after: string | null
  /** Null if they could not be found in time. */
  readonly overdue: OverdueRentals | null
}

/** @param report by customer and year, of the years that the closing concerns, up to the later first open day */
export function renderClosing(report: GroupedResult, { kind, before, after, overdue }: ClosingAhead): string {
  const { groups, others, total } = report
  const closedUntil = (kind === 'reopened' ? before : after) ?? ''
  return JSON.stringify({
    is_preview: true,
    kind,
    books_closed_until: before,
    closed_until: after,
    emission_unit: EMISSION_UNIT,
    total_emission: kilogramsView(total.emission),
    number_of_customer_years: groups.length + (others?.groups ?? 0),
    customer_years: groups.map(({ labels: [customer, year], emission }) => ({
      customer_id: customer,
      year: Number(year),
      total_emission: kilogramsView(emission),
      is_complete: `${Number(year) + 1}-01-01` <= closedUntil,
    })),
    overdue_rentals: overdue && overdue.first.map(rentalView),
    has_more_overdue_rentals: overdue?.hasMore ?? null,
  })
}

const rentalView = ({ customerId, orderId, serialNumber, agreedEnd }: OverdueRental) => ({
  customer_id: customerId,
  order_id: sentIdOf(orderId),
  serial_number: serialNumber,
  agreed_end: agreedEnd,
})

/** @param limit how many are listed: those that propose a restatement, and then the largest corrections */
export function renderCorrectedYears(
  years: readonly CorrectedYear[],
  { thresholdPercent }: CorrectedYearsQuery,
  limit: number,
): string {
  return JSON.stringify({
    emission_unit: EMISSION_UNIT,
    restatement_threshold_percent: thresholdPercent,
    number_of_corrected_years: years.length,
    number_of_proposed_restatements: years.filter((one) => one.proposesRestatement).length,
    corrected_years: years.slice(0, limit).map(({ customerId, year, stated, corrections, proposesRestatement }) => ({
      customer_id: customerId,
      year,
      statement_emission: kilogramsView(stated),
      corrections_emission: kilogramsView(corrections),
      corrected_emission: kilogramsView(stated + corrections),
      corrections_percent: percentOf(corrections, stated),
      proposes_restatement: proposesRestatement,
    })),
  })
}

/** Percent, to four decimals, with the sign of the part; null of nothing. */
const percentOf = (part: Milligrams, whole: Milligrams): number | null =>
  whole === 0n ? null : Number(((100 * Number(part)) / Math.abs(Number(whole))).toFixed(4))
