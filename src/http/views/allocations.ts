// The shares of a device's rentals in its embodied emission by every allocation method, as JSON.
import { ApiError } from '../../contract/errors.ts'
import {
  allocateLives,
  livesOf,
  type AllocatedLives,
  type DeviceLives,
  type Life,
} from '../../engine/allocation-methods.ts'
import type { DeviceTimeline } from '../../engine/device-timeline.ts'
import { toMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import { toDecimal, type Rational } from '../../engine/numbers/rational.ts'
import { sentIdOf } from '../../engine/order-revision.ts'
import type { DeviceState } from '../../ledger/codec.ts'
import { exactNumber } from '../../strict-json/json-number.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { kilogramsView } from './emission.ts'

export interface AllocationsRequest {
  /** Of the new device and at the start of each later rental, falling; empty if not known. */
  readonly resaleValues: readonly Rational[]
}

/** Each rental is listed by each method: more would make an answer of megabytes. */
const RENTALS_MAX = 500

/** @throws ApiError for a device with too many rentals */
export function allocationsView(
  { device, figures }: DeviceState,
  run: DeviceTimeline,
  { resaleValues }: AllocationsRequest,
): string {
  const lives = livesOf(run, figures.footprint)
  if (lives.lives.length > RENTALS_MAX)
    throw new ApiError('too_large', ROUTE_MESSAGES.lives_exceeded({ max: RENTALS_MAX }))
  const allocated = allocateLives(lives, resaleValues)
  return JSON.stringify(allocated.map((one) => methodView(one, lives, device.isCapped)))
}

const methodView = (
  { method, isProvisional, shares, residual }: AllocatedLives,
  { lives, total }: DeviceLives,
  isCapped: boolean,
) => ({
  method,
  provisional: isProvisional,
  posted: method === 'capped_linear' && isCapped,
  ...(shares === null
    ? { resale_values_needed: lives.length }
    : { lives: shares.map((share, at) => lifeView(lives[at]!, share)), residual: kilogramsView(residual) }),
  total: kilogramsView(toMilligrams(total)),
})

const lifeView = ({ order, run }: Life, share: Milligrams) => ({
  customer_id: order.customerId,
  order_id: sentIdOf(order.orderId),
  from: run.terms.start,
  to: run.end,
  months: exactNumber(toDecimal(run.months)),
  embodied_emission: kilogramsView(share),
})
