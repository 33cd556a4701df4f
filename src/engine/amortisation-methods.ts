// Sum-of-years amortisation of a device's embodied footprint. Not used for orders; it is provided for comparison.
import { toMilligrams, type Milligrams } from './numbers/emission.ts'
import { divide, multiply, whole, type Rational } from './numbers/rational.ts'

/**
 * Amortises a device's embodied footprint by the sum of the years' digits: over n years, year k gets E × 2 (n − k + 1)
 * ÷ (n (n + 1)), so that the first year gets the largest share. Each share is the difference of the rounded cumulative
 * sums, so the shares add up to E. METHODOLOGY.md#embodied
 * @param embodied E, kg CO2e, 0 or more
 * @param years n, a whole number, 1 or more
 * @throws RangeError when there are fewer than 1 years
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
