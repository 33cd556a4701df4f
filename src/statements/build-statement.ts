// Builds a statement from its data: every sum, share and balance. Issuing and verifying use the same computation.
import { EMISSION_UNIT } from '../engine/numbers/emission.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { correctionsOfEarlierYears, summarise, sharesOf } from './summary.ts'
import {
  addPeriods,
  amountsOf,
  closingBalance,
  addPosted,
  kilogramsOf,
  createPeriodAmounts,
  emptyPeriods,
  partsOf,
  type PeriodAmounts,
  type PostedAmount,
} from './periods.ts'
import {
  referenceKey,
  type DeviceData,
  type CalculationBasisData,
  type StatementContent,
  type StatementDevice,
  type StatementEntry,
  type StatementData,
  type StatementOrder,
  type StatementRental,
} from './statement.ts'

/** @throws RangeError if the data is inconsistent */
export function* buildStatement(facts: StatementData): Resumable<StatementContent> {
  const { year } = facts
  const tally = createPeriodAmounts(year)
  const known = knownOf(facts)
  const devices = yield* mapResumable(facts.devices, (device) => composeDevice(device, known, tally))
  const orders = yield* mapResumable(facts.orders, (order) => composeOrder(order, known, tally))
  const bases = facts.calculation_bases.map((basis) => ({
    ...basis,
    emission: kilogramsOf(tally.byBasis.get(basis.no) ?? 0n),
  }))
  return {
    media_type: facts.media_type,
    issued: facts.issued,
    issuer: facts.issuer,
    customer_id: facts.customer_id,
    year,
    is_preliminary: isPreliminary(facts),
    inventory_boundary: facts.inventory_boundary,
    emission_unit: EMISSION_UNIT,
    summary: summarise(facts, devices, tally),
    ...(facts.lists_earlier_years && { corrections_of_earlier_years: correctionsOfEarlierYears(tally) }),
    ...sharesOf(facts, tally),
    by_month: [...tally.byMonth].map(([month, parts]) => ({ month, ...amountsOf(parts) })),
    devices,
    orders,
    calculation_bases: bases,
    factors: facts.factors,
    sources: facts.sources,
    releases: facts.releases,
    ...facts.texts,
  }
}

/** Statements without `books_closed_until` were preliminary only until the year was over. */
function isPreliminary({ year, issued }: StatementData): boolean {
  const { books_closed_until: closedUntil, known_at: knownAt } = issued
  if (knownAt < `${year + 1}`) return true
  return closedUntil !== undefined && (closedUntil ?? '') < `${year + 1}-01-01`
}

export interface Known {
  readonly year: number
  readonly bases: ReadonlyMap<number, CalculationBasisData>
  /** By order id. */
  readonly dispatched: ReadonlyMap<string, string>
}

/** What the periods of rentals depend on. */
export const knownOf = ({
  year,
  calculation_bases: bases,
  orders,
}: Pick<StatementData, 'year' | 'calculation_bases' | 'orders'>): Known => ({
  year,
  bases: new Map(bases.map((basis) => [basis.no, basis])),
  dispatched: new Map(orders.map((order) => [referenceKey(order), order.dispatch_date])),
})

function composeDevice(device: DeviceData, known: Known, tally: PeriodAmounts): StatementDevice {
  const periods = device.rentals
    .map((rental) => addPosted(postedUnder(rental, known), known.bases, tally))
    .reduce(addPeriods, emptyPeriods())
  return {
    device_id: device.device_id,
    serial_number: device.serial_number,
    model: device.model,
    is_held_at_opening: device.rentals.some((rental) => isHeldUntil(rental, `${known.year}-01-01`)),
    is_held_at_closing: device.rentals.some((rental) => isHeldUntil(rental, `${known.year + 1}-01-01`)),
    opening: amountsOf(periods.opening),
    year: amountsOf(periods.year),
    closing: amountsOf(closingBalance(periods)),
    posted_later: amountsOf(periods.later),
    rentals: device.rentals.map((rental) => ({ ...rental, entries: rental.entries.map(withTotal) })),
  }
}

export const postedUnder = (rental: StatementRental, known: Known): PostedAmount => ({
  orderId: rental.order_id,
  dispatchDate: dispatchOf(rental, known),
  rental,
  shares: rental.shares,
  entries: rental.entries,
})

function dispatchOf(rental: StatementRental, { dispatched }: Known): string {
  const day = dispatched.get(referenceKey(rental))
  if (day === undefined) throw new RangeError(`The order "${rental.order_id}" of a rental is not listed`)
  return day
}

/** True if the device was still rented on the day before `day`. */
const isHeldUntil = ({ from, until }: StatementRental, day: string): boolean => from < day && until >= day

function composeOrder(order: StatementOrder, known: Known, tally: PeriodAmounts): StatementOrder {
  const { order_id: orderId, dispatch_date: dispatchDate, lines, entries } = order
  addPosted({ orderId, dispatchDate, rental: null, shares: lines, entries }, known.bases, tally)
  return { ...order, entries: entries.map(withTotal) }
}

function withTotal(entry: StatementEntry): StatementEntry {
  const { posted_at, counts_from, reason, event_id, recorded_by, caused_by, months, from, use_basis } = entry
  return {
    posted_at,
    ...(counts_from !== undefined && { counts_from }),
    reason,
    ...(event_id !== undefined && { event_id }),
    ...(recorded_by !== undefined && { recorded_by }),
    ...(caused_by !== undefined && { caused_by }),
    months,
    ...(from !== undefined && { from }),
    use_basis,
    ...amountsOf(partsOf(entry)),
  }
}
