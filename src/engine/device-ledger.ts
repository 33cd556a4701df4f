// A device's ledger: what of its embodied footprint has been given to rentals, and what is left to give.
import { toMilligrams, type Milligrams } from './line.ts'
import { ZERO, add, compare, divide, max, min, multiply, reduce, subtract, type Ratio } from './ratio.ts'

/** What is left of one device. A conserved whole: `allocated` + `pool` is what was ever put in. */
export interface Balance {
  /** Embodied emission not yet given to a rental, kg CO2e. */
  readonly pool: Ratio
  /** Reference lifetime with all extensions, months. */
  readonly lifetimeMonths: Ratio
  /** Months already given to rentals. */
  readonly monthsAllocated: Ratio
  /** Embodied emission given to rentals so far, kg CO2e, before rounding. */
  readonly allocated: Ratio
}

export interface RentalShare {
  readonly emission: Milligrams
  readonly allocatedMonths: Ratio
  readonly unallocatedMonths: Ratio
  readonly balance: Balance
}

/**
 * The balance of a device that was never rented.
 * @param embodied kg CO2e per device, 0 or more
 * @param lifetimeMonths reference lifetime, greater than 0
 */
export const openBalance = (embodied: Ratio, lifetimeMonths: Ratio): Balance => ({
  pool: embodied,
  lifetimeMonths,
  monthsAllocated: ZERO,
  allocated: ZERO,
})

/**
 * Gives a rental its share of the device's embodied footprint, linear in months and capped by what is left:
 * e = pool ÷ (L − T) × min(t, L − T). What is posted is the difference of the rounded cumulative sums, so that
 * all rentals of a device add up to its pool exactly. METHODOLOGY.md#embodied
 * @param tenure months of this rental, 0 or more
 * @throws RangeError when the tenure is negative
 */
export function allocateRental(balance: Balance, tenure: Ratio): RentalShare {
  if (tenure.numerator < 0n) throw new RangeError('A tenure must be 0 months or more')
  const monthsLeft = max(ZERO, subtract(balance.lifetimeMonths, balance.monthsAllocated))
  const months = min(tenure, monthsLeft)
  const share = compare(months, ZERO) > 0 ? divide(multiply(balance.pool, months), monthsLeft) : ZERO
  const allocated = add(balance.allocated, share)
  return {
    emission: toMilligrams(allocated) - toMilligrams(balance.allocated),
    allocatedMonths: months,
    unallocatedMonths: subtract(tenure, months),
    // In lowest terms: each rental builds on the one before, and the digits would double with every one of them.
    balance: {
      pool: reduce(subtract(balance.pool, share)),
      lifetimeMonths: balance.lifetimeMonths,
      monthsAllocated: reduce(add(balance.monthsAllocated, months)),
      allocated: reduce(allocated),
    },
  }
}
