// A device's ledger: what of its embodied footprint has been given to rentals, and what is left to give.
import { toMilligrams, type Milligrams } from './numbers/emission.ts'
import { ZERO, add, compare, divide, max, min, multiply, reduce, subtract, type Rational } from './numbers/rational.ts'

/** What is left of one device. A conserved whole: `allocated` + `pool` + `residual` is what was ever put in. */
export interface EmbodiedBalance {
  /** Embodied emission not yet given to a rental, kg CO2e; below 0 only where the cap is switched off. */
  readonly pool: Rational
  /** What a month of rental takes of the pool, kg CO2e per month. */
  readonly rate: Rational
  /** Reference lifetime with all extensions, months. */
  readonly lifetimeMonths: Rational
  /** Months already given to rentals. */
  readonly monthsAllocated: Rational
  /** Embodied emission given to rentals so far, kg CO2e, before rounding. */
  readonly allocated: Rational
  /** What was left when the device was retired or lost, kg CO2e: it stays with its owner. */
  readonly residual: Rational
  /** False where the account charges every month in full, however many there were before. */
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
  residual: ZERO,
  isCapped,
})

/** Months of the lifetime that no rental was given yet, 0 or more. */
export const remainingMonths = ({ lifetimeMonths, monthsAllocated }: EmbodiedBalance): Rational =>
  max(ZERO, subtract(lifetimeMonths, monthsAllocated))

/** True where the ledger has no month left to give; a refurbishment may still have left a burden to charge. */
export const isLifetimeExhausted = (balance: EmbodiedBalance): boolean => compare(remainingMonths(balance), ZERO) === 0

/** True once all that is embodied in the device was given to rentals. */
export const isFullyAmortised = (balance: EmbodiedBalance): boolean =>
  isLifetimeExhausted(balance) && compare(balance.pool, ZERO) <= 0

/** All that was ever put into the device, kg CO2e: its embodied footprint and its refurbishments. */
export const totalEmbodied = ({ allocated, pool, residual }: EmbodiedBalance): Rational =>
  reduce(add(add(allocated, pool), residual))

/**
 * Gives a rental its share of the device's embodied footprint, linear in months and capped by what is left:
 * e = rate × min(t, L − T), where rate = pool ÷ (L − T) as it stood when the pool last grew. What is posted is the
 * difference of the rounded cumulative sums, so that all rentals of a device add up to its pool exactly.
 * A refurbishment that left the device without months is charged to the next rental whole. METHODOLOGY.md#embodied
 * @param tenure months of this rental, 0 or more
 * @throws RangeError when the tenure is negative
 */
export function allocateRental(balance: EmbodiedBalance, tenure: Rational): RentalShare {
  if (tenure.numerator < 0n) throw new RangeError('A tenure must be 0 months or more')
  const left = remainingMonths(balance)
  const months = balance.isCapped ? min(tenure, left) : tenure
  const takesAll = balance.isCapped && left.numerator === 0n && tenure.numerator > 0n
  const share = takesAll ? balance.pool : multiply(balance.rate, months)
  // Most rentals of a device that has very many: nothing is left to give, and the balance stays as it is.
  if (share.numerator === 0n && months.numerator === 0n) {
    return { emission: 0n, allocatedMonths: months, unallocatedMonths: tenure, balance }
  }
  // In lowest terms: each rental builds on the one before, and the digits would double with every one of them.
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
 * Adds the burden of a refurbishment to what is left of the device, and months to its lifetime:
 * rate = (pool + R) ÷ (L + ΔL − T). Where no month is left, the next rental is charged. Without the cap, a month costs
 * all that was put in ÷ all months: rate = (E + ΣR) ÷ (L + ΣΔL). METHODOLOGY.md#refurbishment
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

/** Takes a device out of use: what is left of it is given to no rental, and stays with its owner. */
export const retire = (balance: EmbodiedBalance): EmbodiedBalance => ({
  ...balance,
  pool: ZERO,
  rate: ZERO,
  residual: reduce(add(balance.residual, balance.pool)),
})

const NUMBERS = ['pool', 'rate', 'lifetimeMonths', 'monthsAllocated', 'allocated', 'residual'] as const

/** True where two balances give the same to whatever comes next. */
export const isSame = (a: EmbodiedBalance, b: EmbodiedBalance): boolean =>
  a === b || NUMBERS.every((name) => compare(a[name], b[name]) === 0)
