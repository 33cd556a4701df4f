// Device ledgers as JSON: entries with their reasons and corrections, and the history of a device.
import { sentIdOf } from '../../engine/order-revision.ts'
import { isFullyAmortised, remainingMonths, totalEmbodied, type EmbodiedBalance } from '../../engine/device-ledger.ts'
import {
  orderKey,
  type AllocatedRental,
  type DeviceTimeline,
  type EmissionDefault,
  type TimelineStep,
} from '../../engine/device-timeline.ts'
import {
  isActive,
  isInOrder,
  totalEmissionOf,
  type EntryReason,
  type LedgerHistory,
  type PostedRental,
} from '../../engine/ledger-history.ts'
import { EMISSION_UNIT, PARTS, sumMilligrams, toMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import { ZERO, compare, fromExactText, toDecimal } from '../../engine/numbers/rational.ts'
import { mapResumable, type Resumable } from '../../engine/numbers/steps.ts'
import { deviceId, type DeviceState } from '../../ledger/codec.ts'
import type { DeviceOrder } from '../../ledger/device-state.ts'
import type { StoredEntry } from '../../ledger/records.ts'
import { appendSerialised, exactNumber, withSerialised } from '../../strict-json/json-number.ts'
import { breakdownView, kilogramsView, lineView } from './emission.ts'
import { footprintNameView } from './message.ts'

/** A piece of this size is built in about a millisecond. */
const PIECE_LENGTH = 64 * 1024

/**
 * The response in pieces: for a device with very many orders, it is too long for one string.
 * @param additions requested members, serialised
 */
export function* deviceLedgerView(
  serialNumber: string,
  orders: readonly DeviceOrder[],
  additions: Readonly<Record<string, string>> = {},
): Generator<string, undefined, undefined> {
  const total = sumMilligrams(orders.map(({ share }) => totalEmissionOf(share)))
  const head = {
    serial_number: serialNumber,
    emission_unit: EMISSION_UNIT,
    number_of_orders: orders.length,
    total_emission: kilogramsView(total),
  }
  let piece = `${JSON.stringify(head).slice(0, -1)},"orders":[`
  for (const [at, order] of orders.entries()) {
    piece += (at === 0 ? '' : ',') + JSON.stringify(ledgerOrderView(order))
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield appendSerialised(`${piece}]}`, additions)
}

const ledgerOrderView = ({ order, share, parts }: DeviceOrder) => ({
  customer_id: order.customerId,
  order_id: sentIdOf(order.orderId),
  order_date: order.orderDate,
  tenure_start_date: order.tenureStartDate,
  emission_unit: EMISSION_UNIT,
  total_emission: kilogramsView(totalEmissionOf(share)),
  emission: breakdownView(parts.map((part) => [part.part, lineView(part, share[part.part])])),
})

/**
 * The history of a device: its initial footprint, every rental and refurbishment in order, and the balance:
 * embodied_total = allocated + remaining + unallocated.
 */
export function* deviceHistoryView(
  { device, history, figures, referenceData, identifiedBy }: DeviceState,
  run: DeviceTimeline,
): Resumable<string> {
  const { footprint } = figures
  const { balance } = run
  const initial = {
    footprint_id: device.footprintId,
    ...(identifiedBy !== null && { identified_by: sentIdOf(identifiedBy) }),
    ...footprintNameView(footprint),
    dataset_release: referenceData.release,
    embodied_emission: exactNumber(toDecimal(footprint.embodied)),
    lifetime_months: exactNumber(toDecimal(footprint.lifetimeMonths)),
    amortisation: device.isCapped ? 'capped' : 'uncapped',
  }
  const steps = run.steps.filter((step) => !('run' in step) || isInOrder(history.rentals.get(orderKey(step.order))!))
  const events = yield* mapResumable(steps, (step) => JSON.stringify(stepView(step, history)))
  const balanceView = {
    emission_unit: EMISSION_UNIT,
    embodied_total: kilogramsView(toMilligrams(totalEmbodied(balance))),
    allocated: kilogramsView(toMilligrams(balance.allocated)),
    unallocated: kilogramsView(unallocatedOf(balance)),
    ...remainingView(balance),
    fully_amortised: isFullyAmortised(balance),
  }
  return withSerialised({ initial }, { events: `[${events.join(',')}]`, balance: JSON.stringify(balanceView) })
}

function stepView(step: TimelineStep, history: LedgerHistory) {
  if ('run' in step) {
    const { run, order } = step
    return {
      type: 'rented',
      customer_id: order.customerId,
      order_id: sentIdOf(order.orderId),
      from: run.terms.start,
      to: run.end,
      ...endView(run, history.rentals.get(orderKey(order))!),
      months: exactNumber(toDecimal(run.months)),
      allocated_months: exactNumber(toDecimal(run.share.allocatedMonths)),
      embodied_emission: kilogramsView(run.share.emission),
      ...remainingView(run.share.balance),
    }
  }
  const { event, after } = step
  return {
    type: event.type,
    date: event.date,
    ...(event.type === 'refurbished' && {
      emission_added: exactNumber(toDecimal(event.emission)),
      months_added: exactNumber(toDecimal(event.monthsAdded)),
      ...(event.byDefault && { emission_default: defaultView(event.byDefault) }),
    }),
    ...remainingView(after),
  }
}

const defaultView = ({ deviceType, low, high, release }: EmissionDefault) => ({
  device_type: deviceType,
  low_kg: exactNumber(toDecimal(low)),
  high_kg: exactNumber(toDecimal(high)),
  dataset_release: release,
})

/** The emission that is not allocated to rentals: remaining, or, once the device is decommissioned, unallocated. */
const notAllocated = (balance: EmbodiedBalance): Milligrams =>
  toMilligrams(totalEmbodied(balance)) - toMilligrams(balance.allocated)
const remainingOf = (balance: EmbodiedBalance): Milligrams => (isDecommissioned(balance) ? 0n : notAllocated(balance))
const unallocatedOf = (balance: EmbodiedBalance): Milligrams => (isDecommissioned(balance) ? notAllocated(balance) : 0n)
const remainingMonthsOf = (balance: EmbodiedBalance): string =>
  isDecommissioned(balance) ? '0' : toDecimal(remainingMonths(balance))
const isDecommissioned = ({ unallocated }: EmbodiedBalance): boolean => compare(unallocated, ZERO) !== 0

/** What ended a rental, if not the agreed end. */
function endView({ endedBy }: AllocatedRental, rental: PostedRental) {
  if (endedBy) return { ended_by: 'event' in endedBy ? endedBy.event.type : 'overlap' }
  return isActive(rental) ? {} : { ended_by: rental.reason }
}

/** The remaining balance after an event, so that consecutive events reconcile. */
const remainingView = (balance: EmbodiedBalance) => ({
  remaining: kilogramsView(remainingOf(balance)),
  remaining_months: exactNumber(remainingMonthsOf(balance)),
})

type Kind = 'allocation' | 'correction' | 'refurbishment' | 'retirement'

/** The kind of each reason: an allocation, a correction, or an event of the device. */
const KINDS: Readonly<Record<EntryReason, Kind>> = {
  order: 'allocation',
  extension: 'allocation',
  late_return: 'allocation',
  swapped_in: 'allocation',
  early_return: 'correction',
  return: 'correction',
  cancelled: 'correction',
  reversal: 'correction',
  swapped_out: 'correction',
  withdrawal: 'correction',
  correction: 'correction',
  overlap: 'correction',
  resequenced: 'correction',
  identification: 'correction',
  refurbishment: 'refurbishment',
  retirement: 'retirement',
  loss: 'retirement',
}

/** @param all the ledgers' entries in order: an entry may correct one that is not shown */
export function* entryViews(
  accountId: number,
  shown: readonly StoredEntry[],
  all: readonly StoredEntry[],
): Resumable<string> {
  const wanted = new Set(shown)
  const texts = new Map<StoredEntry, string>()
  /** The last entry so far of each order and device. */
  const last = new Map<string, StoredEntry>()
  for (const entry of all) {
    const key = [entry.serialNumber, entry.customerId, entry.orderId].join('\0')
    if (wanted.has(entry)) texts.set(entry, JSON.stringify(entryView(accountId, entry, last.get(key))))
    last.set(key, entry)
    yield
  }
  return `[${shown.map((entry) => texts.get(entry)!).join(',')}]`
}

function entryView(accountId: number, entry: StoredEntry, corrected: StoredEntry | undefined) {
  const { serialNumber, customerId, orderId, reason, terms, postedAt } = entry
  // An entry that shortens a rental because of a refurbishment or retirement belongs to an order, and corrects it.
  const kind = orderId !== '' && KINDS[reason] !== 'allocation' ? 'correction' : KINDS[reason]
  return {
    entry_no: entry.no,
    kind,
    reason,
    posted_at: postedAt,
    ...(entry.countsFrom !== null && { counts_from: entry.countsFrom }),
    ...(serialNumber !== '' && { device_id: deviceId(accountId, serialNumber), serial_number: serialNumber }),
    ...(orderId !== '' && { customer_id: customerId, order_id: sentIdOf(orderId) }),
    ...causeOf(entry),
    ...(entry.inForce && { in_force: { reason: entry.inForce.reason, ...eventIdOf(entry.inForce) } }),
    ...(kind === 'correction' && corrected && { corrects: corrected.no }),
    ...(terms && {
      tenure_start_date: terms.start,
      tenure_end_date: terms.end,
      tenure_months: exactNumber(toDecimal(fromExactText(terms.months))),
    }),
    total_emission: kilogramsView(totalEmissionOf(entry)),
    emission: breakdownView(PARTS.map((part) => [part, kilogramsView(entry[part])])),
  }
}

const eventIdOf = ({ eventId }: Pick<StoredEntry, 'eventId'>) =>
  eventId === null ? {} : { event_id: sentIdOf(eventId) }

/** What caused the entry: the id of an event, and the order of that event if it is another order. */
function causeOf({ eventId, cause }: StoredEntry) {
  if (eventId === null && cause === null) return {}
  return {
    cause: {
      ...eventIdOf({ eventId }),
      ...(cause && { customer_id: cause.customerId, order_id: sentIdOf(cause.orderId) }),
    },
  }
}
