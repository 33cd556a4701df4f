// What a period contains of what was posted for a rental: one rule for ledgers, statements and reports.
import { monthText, positionOf } from './calendar.ts'
import type { Terms } from './device-run.ts'
import type { Milligrams } from './line.ts'
import { ZERO, compare, divide, multiply, roundHalfAway, subtract, whole, type Ratio } from './ratio.ts'

/** What emission is spread over: all months that were agreed when it was posted, also those that the cap left out. */
export type AgreedMonths = Pick<Terms, 'start' | 'months'>

/**
 * Of milligrams that were posted for a rental, those that lie before a position: E × min(1, (G − G(start)) ÷ months),
 * rounded half away from zero. What lies between two positions is the difference, so that periods add up however time
 * is cut. A rental of no months has all of it on its first day. METHODOLOGY.md#reporting-periods
 * @param position G of METHODOLOGY.md#months: of the first day that does not count
 * @throws RangeError when the start is not a real calendar day
 */
export function emissionBefore(position: Ratio, emission: Milligrams, { start, months }: AgreedMonths): Milligrams {
  const past = subtract(position, positionOf(start))
  if (compare(past, ZERO) <= 0) return 0n
  if (compare(past, months) >= 0) return emission
  return roundHalfAway(divide(multiply(whole(emission), past), months))
}

export interface EmissionOfMonth {
  /** YYYY-MM */
  readonly month: string
  readonly emission: Milligrams
}

/** All of it by calendar month, from that of the start until nothing is left. */
export function splitByMonth(emission: Milligrams, rental: AgreedMonths): readonly EmissionOfMonth[] {
  const all: EmissionOfMonth[] = []
  const { numerator, denominator } = positionOf(rental.start)
  let [month, before] = [Number(numerator / denominator), 0n]
  do {
    const upTo = emissionBefore(whole(month + 1), emission, rental)
    all.push({ month: monthText(month), emission: upTo - before })
    ;[month, before] = [month + 1, upTo]
  } while (before !== emission)
  return all
}
