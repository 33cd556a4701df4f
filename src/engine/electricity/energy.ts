// Electricity of rentals by calendar month in whole milliwatt-hours, kept apart from any factor.
import { decimalOf, divide, multiply, roundHalfAway, whole, type Rational } from '../numbers/rational.ts'
import { cumulativeEmission, type ContractMonths } from '../reporting-periods.ts'

/** A millionth of a kilowatt-hour, as a milligram is of a kilogram: sums of integers are exact. */
export type MilliwattHours = bigint

export const ENERGY_UNIT = 'kWh'
const DECIMALS = 6
const PER_KILOWATT_HOUR = whole(1_000_000)
const MONTHS_PER_YEAR = whole(12)

/** Rounds kilowatt-hours half away from zero. */
export const toMilliwattHours = (kilowattHours: Rational): MilliwattHours =>
  roundHalfAway(multiply(kilowattHours, PER_KILOWATT_HOUR))

/** Milliwatt-hours as kilowatt-hours, in the shortest decimal form. */
export const toKilowattHours = (energy: MilliwattHours): string => decimalOf(energy, DECIMALS)

/**
 * Electricity of a rental in each month of a year: kWh_m = W × months in m ÷ 12. The electricity of the whole rental is
 * rounded once to milliwatt-hours and divided by the rule of reporting periods, so that months add up to the rental
 * and to each year, exactly. METHODOLOGY.md#electricity-by-month
 * @param yearlyEnergy W, kWh per year, 0 or more
 * @returns twelve amounts, January first
 * @throws RangeError when the start is not a real calendar day
 */
export function energyByMonth(yearlyEnergy: Rational, rental: ContractMonths, year: number): readonly MilliwattHours[] {
  const all = toMilliwattHours(divide(multiply(yearlyEnergy, rental.months), MONTHS_PER_YEAR))
  const limits = Array.from({ length: 13 }, (_, at) => cumulativeEmission(whole(12 * year + at), all, rental))
  return limits.slice(1).map((upTo, at) => upTo - limits[at]!)
}

/** Emission of electricity: mWh × EF in kg CO2e per kWh is milligrams of CO2e, rounded half away from zero. */
export const emissionOfEnergy = (energy: MilliwattHours, factor: Rational): bigint =>
  roundHalfAway(multiply(whole(energy), factor))

export const sumEnergy = (all: Iterable<MilliwattHours>): MilliwattHours => {
  let total = 0n
  for (const one of all) total += one
  return total
}
