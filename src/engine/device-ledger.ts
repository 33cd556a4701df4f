// A device's ledger balance: how much of its embodied footprint is allocated to rentals, and how much remains.
import { toMilligrams, type Milligrams } from './numbers/emission.ts'
import { ZERO, add, compare, divide, max, min, multiply, reduce, subtract, type Rational } from './numbers/rational.ts'

/** The balance of one device. `allocated` + `pool` + `unallocated` is all embodied emission that was added so far. */
export interface EmbodiedBalance {
  /** Embodied emission not yet allocated to a rental, kg CO2e; below 0 only if the cap is switched off. */
  readonly pool: Rational
  /** Embodied emission allocated per month of rental, kg CO2e per month. */
  readonly rate: Rational
  /** Reference lifetime including all extensions, months. */
  readonly lifetimeMonths: Rational
  /** Months already allocated to rentals. */
  readonly monthsAllocated: Rational
  /** Embodied emission allocated to rentals so far, kg CO2e, before rounding. */
  readonly allocated: Rational
  /** Emission left in the pool when the device was retired or lost, kg CO2e; it stays unallocated, with the owner. */
  readonly unallocated: Rational
  /** False if the account allocates every month of rental in full, even beyond the reference lifetime. */
  readonly isCapped: boolean
}

export interface RentalShare {
  readonly emission: Milligrams
  readonly allocatedMonths: Rational
  readonly unallocatedMonths: Rational
  readonly balance: EmbodiedBalance
}

/**
 * The balance of a device that was never rented.
 * @param embodied kg CO2e per device, 0 or more
 * @param lifetimeMonths reference lifetime, greater than 0
 */
export const openBalance = (embodied: Rational, lifetimeMonths: Rational, isCapped = true): EmbodiedBalance => ({
  pool: embodied,
  rate: divide(embodied, lifetimeMonths),
  lifetimeMonths,
  monthsAllocated: ZERO,
  allocated: ZERO,
  unallocated: ZERO,
  isCapped,
})

/** Months of the lifetime that are not yet allocated to a rental, 0 or more. */
export const remainingMonths = ({ lifetimeMonths, monthsAllocated }: EmbodiedBalance): Rational =>
  max(ZERO, subtract(lifetimeMonths, monthsAllocated))

/** True if no months of the lifetime remain. The pool may still hold a refurbishment's emission to be allocated. */
export const isLifetimeExhausted = (balance: EmbodiedBalance): boolean => compare(remainingMonths(balance), ZERO) === 0

/** True once the device's complete embodied emission is allocated to rentals. */
export const isFullyAmortised = (balance: EmbodiedBalance): boolean =>
  isLifetimeExhausted(balance) && compare(balance.pool, ZERO) <= 0

/** Total embodied emission of the device, kg CO2e: its embodied footprint plus its refurbishments. */
export const totalEmbodied = ({ allocated, pool, unallocated }: EmbodiedBalance): Rational =>
  reduce(add(add(allocated, pool), unallocated))

/**
 * Allocates to a rental its share of the device's embodied footprint, linear in months and capped by what remains:
 * e = rate × min(t, L − T), where rate = pool ÷ (L − T) as of the last time the pool grew.
 * The posted emission is the difference of the rounded cumulative sums, so that all rentals of a device add up to its
 * pool exactly. If a refurbishment left the device without remaining months, the next rental gets its complete
 * emission. METHODOLOGY.md#embodied
 * @param tenure months of this rental, 0 or more
 * @throws RangeError when the tenure is negative
 */
export function allocateRental(balance: EmbodiedBalance, tenure: Rational): RentalShare {
  if (tenure.numerator < 0n) throw new RangeError('A tenure must be 0 months or more')
  const left = remainingMonths(balance)
  const months = balance.isCapped ? min(tenure, left) : tenure
  const takesAll = balance.isCapped && left.numerator === 0n && tenure.numerator > 0n
  const share = takesAll ? balance.pool : multiply(balance.rate, months)
  // The usual case for a device with very many rentals: nothing remains, and the balance does not change.
  if (share.numerator === 0n && months.numerator === 0n) {
    return { emission: 0n, allocatedMonths: months, unallocatedMonths: tenure, balance }
  }
  // Kept in lowest terms: each rental builds on the previous one, and the digits would double with each rental.
  const allocated = reduce(add(balance.allocated, share))
  return {
    emission: toMilligrams(allocated) - toMilligrams(balance.allocated),
    allocatedMonths: months,
    unallocatedMonths: subtract(tenure, months),
    balance: {
      ...balance,
      pool: reduce(subtract(balance.pool, share)),
      monthsAllocated: reduce(add(balance.monthsAllocated, months)),
      allocated,
    },
  }
}

/**
 * Adds a refurbishment's emission to the pool, and months to the lifetime: rate = (pool + R) ÷ (L + ΔL − T). If no
 * months remain, the next rental is allocated the complete pool. Without the cap, the rate is the total embodied
 * emission ÷ all months: rate = (E + ΣR) ÷ (L + ΣΔL). METHODOLOGY.md#refurbishment
 * @param emission R, kg CO2e, 0 or more
 * @param monthsAdded ΔL, months, 0 or more
 */
export function refurbish(balance: EmbodiedBalance, emission: Rational, monthsAdded: Rational): EmbodiedBalance {
  const refurbished = {
    ...balance,
    pool: reduce(add(balance.pool, emission)),
    lifetimeMonths: reduce(add(balance.lifetimeMonths, monthsAdded)),
  }
  if (!balance.isCapped)
    return { ...refurbished, rate: reduce(divide(totalEmbodied(refurbished), refurbished.lifetimeMonths)) }
  const left = remainingMonths(refurbished)
  return compare(left, ZERO) === 0 ? refurbished : { ...refurbished, rate: reduce(divide(refurbished.pool, left)) }
}

/** Takes a device out of use: the rest of its pool becomes unallocated and stays with its owner. */
export const retire = (balance: EmbodiedBalance): EmbodiedBalance => ({
  ...balance,
  pool: ZERO,
  rate: ZERO,
  unallocated: reduce(add(balance.unallocated, balance.pool)),
})

const NUMBERS = ['pool', 'rate', 'lifetimeMonths', 'monthsAllocated', 'allocated', 'unallocated'] as const

/** True if two balances are equal in every number, and so allocate the same to any later rental. */
export const isSame = (a: EmbodiedBalance, b: EmbodiedBalance): boolean =>
  a === b || NUMBERS.every((name) => compare(a[name], b[name]) === 0)
