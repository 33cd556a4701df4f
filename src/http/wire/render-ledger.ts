// The answers about devices as JSON text: what every order posted, and the device's life as a story.
import { orderKey, type DeviceTimeline, type AllocatedRental, type TimelineStep } from '../../engine/device-timeline.ts'
import { isFullyAmortised, remainingMonths, totalEmbodied, type EmbodiedBalance } from '../../engine/device-ledger.ts'
import { sumMilligrams, toKilograms, toMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import {
  isActive,
  totalEmissionOf,
  type LedgerHistory,
  type PostedRental,
  type EmissionsByPart,
} from '../../engine/ledger-history.ts'
import { ZERO, compare, toDecimal } from '../../engine/numbers/rational.ts'
import { mapResumable, type Resumable } from '../../engine/numbers/steps.ts'
import type { StoredOrder } from '../../ledger/records.ts'
import { UNIT, lineView, type PartDescription } from './render.ts'
import type { DeviceState } from '../../ledger/codec.ts'

/** One order as a device's ledger shows it. */
export interface DeviceOrder {
  readonly order: Pick<StoredOrder, 'orderId' | 'customerId' | 'orderDate' | 'tenureStartDate'>
  readonly share: EmissionsByPart
  readonly parts: readonly PartDescription[]
}

/** Made in a millisecond or so. */
const PIECE_LENGTH = 64 * 1024

/**
 * The answer in pieces: of a device with very many orders it is too long to be one text.
 * @param additions members that were asked for, each with a comma before it
 */
export function* deviceLedgerView(
  serialNumber: string,
  orders: readonly DeviceOrder[],
  additions = '',
): Generator<string, undefined, undefined> {
  const total = sumMilligrams(orders.map(({ share }) => totalEmissionOf(share)))
  let piece =
    `{"serial_number":${JSON.stringify(serialNumber)},"emission_unit":${UNIT},"number_of_orders":${orders.length},` +
    `"total_emission":${toKilograms(total)},"orders":[`
  for (const [at, order] of orders.entries()) {
    piece += (at === 0 ? '' : ',') + renderLedgerOrder(order)
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}]${additions}}`
}

function renderLedgerOrder({ order, share, parts }: DeviceOrder): string {
  const emission = parts.map((part) => lineView(part, share[part.part], ''))
  return (
    `{"customer_id":${JSON.stringify(order.customerId)},"order_id":${JSON.stringify(order.orderId)},` +
    `"order_date":"${order.orderDate}","tenure_start_date":"${order.tenureStartDate}","emission_unit":${UNIT},` +
    `"total_emission":${toKilograms(totalEmissionOf(share))},"emission":{${emission.join(',')}}}`
  )
}

/**
 * A device's life: what it cost to make, every rental and refurbishment in the sequence in which they took place, and
 * what is left. What was bought and added is what was given to orders, what is left, and what its owner keeps.
 */
export function* deviceHistoryView(
  { device, history, figures, book }: DeviceState,
  run: DeviceTimeline,
): Resumable<string> {
  const { footprint } = figures
  const { balance } = run
  const bought =
    `{"charged_by":${JSON.stringify(device.basis)},"name":${JSON.stringify(footprint.name)},` +
    `"dataset_release":${JSON.stringify(book.release)},"embodied_emission":${toDecimal(footprint.embodied)},` +
    `"lifetime_months":${toDecimal(footprint.lifetimeMonths)},` +
    `"amortisation":"${device.isCapped ? 'capped' : 'uncapped'}"}`
  const chapters = yield* mapResumable(run.steps, (step) => renderStep(step, history))
  return (
    `{"bought":${bought},"chapters":[${chapters.join(',')}],` +
    `"balance":{"emission_unit":${UNIT},"put_in":${toKilograms(toMilligrams(totalEmbodied(balance)))},` +
    `"given_to_orders":${toKilograms(toMilligrams(balance.allocated))},` +
    `"unallocated_residual":${toKilograms(residualOf(balance))},"left":${toKilograms(leftOf(balance))},` +
    `"months_left":${monthsLeftOf(balance)},"fully_amortised":${isFullyAmortised(balance)}}}`
  )
}

function renderStep(step: TimelineStep, history: LedgerHistory): string {
  if ('run' in step) {
    const { run, order } = step
    return (
      `{"type":"rented","customer_id":${JSON.stringify(order.customerId)},` +
      `"order_id":${JSON.stringify(order.orderId)},` +
      `"from":"${run.terms.start}","to":"${run.end}",` +
      renderEnd(run, history.rentals.get(orderKey(order))!) +
      `"months":${toDecimal(run.months)},` +
      `"allocated_months":${toDecimal(run.share.allocatedMonths)},` +
      `"embodied_emission":${toKilograms(run.share.emission)},${renderLeft(run.share.balance)}}`
    )
  }
  const { event, after } = step
  const added =
    event.type === 'refurbished'
      ? `"emission_added":${toDecimal(event.emission)},"months_added":${toDecimal(event.monthsAdded)},`
      : ''
  return `{"type":"${event.type}","date":"${event.date}",${added}${renderLeft(after)}}`
}

/** What was not given to orders: all of it is left, or, once the device is gone, all of it is its owner's. */
const notGiven = (balance: EmbodiedBalance): Milligrams =>
  toMilligrams(totalEmbodied(balance)) - toMilligrams(balance.allocated)
const leftOf = (balance: EmbodiedBalance): Milligrams => (isGone(balance) ? 0n : notGiven(balance))
const residualOf = (balance: EmbodiedBalance): Milligrams => (isGone(balance) ? notGiven(balance) : 0n)
const monthsLeftOf = (balance: EmbodiedBalance): string => (isGone(balance) ? '0' : toDecimal(remainingMonths(balance)))
const isGone = ({ residual }: EmbodiedBalance): boolean => compare(residual, ZERO) !== 0

/** What ended a rental other than the end that was agreed. */
function renderEnd({ endedBy }: AllocatedRental, rental: PostedRental): string {
  if (endedBy) return `"ended_by":"${'event' in endedBy ? endedBy.event.type : 'overlap'}",`
  return isActive(rental) ? '' : `"ended_by":"${rental.reason}",`
}

/** What is left after a chapter, so that each one adds up with the one before. */
const renderLeft = (balance: EmbodiedBalance): string =>
  `"left":${toKilograms(leftOf(balance))},"months_left":${monthsLeftOf(balance)}`
