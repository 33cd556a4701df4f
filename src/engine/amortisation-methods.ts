// The way of sharing a device out over its years that orders are not charged by, so that it can be compared.
import { toMilligrams, type Milligrams } from './numbers/emission.ts'
import { divide, multiply, whole, type Rational } from './numbers/rational.ts'

/**
 * Shares a device's embodied footprint out by the sum of the years' digits: of n years, year k carries
 * E × 2 (n − k + 1) ÷ (n (n + 1)), so that the first carries most. Each is the difference of the rounded cumulative
 * sums, and they add up to E. METHODOLOGY.md#embodied
 * @param embodied E, kg CO2e, 0 or more
 * @param years n, a whole number, 1 or more
 * @throws RangeError when the years are fewer than 1
 */
export function sumOfYears(embodied: Rational, years: number): readonly Milligrams[] {
  if (years < 1) throw new RangeError('A device lasts 1 year or more')
  const digits = whole((years * (years + 1)) / 2)
  let before = 0
  return Array.from({ length: years }, (_, at) => {
    const after = before + years - at
    const posted = toMilligrams(divide(multiply(embodied, whole(after)), digits))
    const share = posted - toMilligrams(divide(multiply(embodied, whole(before)), digits))
    before = after
    return share
  })
}
