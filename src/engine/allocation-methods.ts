// A device's embodied emission, shared among its rentals by eleven methods to compare them. The ledger posts only one.
import { allocateRental, openBalance, refurbish, type EmbodiedBalance } from './device-ledger.ts'
import type { AllocatedRental, DeviceTimeline, OrderKey } from './device-timeline.ts'
import { toMilligrams, type Milligrams } from './numbers/emission.ts'
import {
  ZERO,
  add,
  divide,
  max,
  min,
  multiply,
  rational,
  reduce,
  subtract,
  whole,
  type Rational,
} from './numbers/rational.ts'

/** What was done to a device since its previous rental began; several refurbishments are added up. */
interface Refurbishment {
  /** R, kg CO2e. */
  readonly emission: Rational
  /** ΔL, months. */
  readonly monthsAdded: Rational
}

/** A life of a device: a rental that had it for some time, before it was retired or lost. */
export interface Life {
  readonly order: OrderKey
  readonly run: AllocatedRental
  /** The refurbishment before this life; null if there was none. */
  readonly refurbishment: Refurbishment | null
}

export interface DeviceLives {
  /** E, kg CO2e. */
  readonly embodied: Rational
  /** L, months, without those that refurbishments add. */
  readonly lifetimeMonths: Rational
  /** In chronological order. */
  readonly lives: readonly Life[]
  /** E and all refurbishments, kg CO2e, also those that no life followed. */
  readonly total: Rational
  /** True if the device was retired or lost, so that there will be no further life. */
  readonly isRetired: boolean
}

export interface AllocatedLives {
  readonly method: AllocationMethod
  /** True if a further life, or the end of the device, changes shares of lives that there are already. */
  readonly isProvisional: boolean
  /** Of each life; null if the method needs a resale value for each life and they were not given. */
  readonly shares: readonly Milligrams[] | null
  /** What no life bears: it stays with the owner, and later lives may take it unless the device is retired. */
  readonly residual: Milligrams
}

/**
 * Each life's share before rounding, kg CO2e. Without lives, all is left. METHODOLOGY.md#second-lives
 * @param resaleValues V, of the new device and at the start of each further life, in any currency
 */
type Method = (device: DeviceLives, resaleValues: readonly Rational[]) => readonly Rational[] | null

const METHODS = {
  capped_linear: (device) => replay(device, allocateRental),
  first_life: (device) => withOwnRefurbishment(device, (_, at) => (at === 0 ? device.embodied : ZERO)),
  last_life: (device) => device.lives.map((_, at) => (at === device.lives.length - 1 ? borne(device) : ZERO)),
  equal: (device) => withOwnRefurbishment(device, () => divide(device.embodied, whole(device.lives.length))),
  actual_months: (device) => {
    const perMonth = divide(device.embodied, monthsOf(device))
    return withOwnRefurbishment(device, ({ run }) => multiply(perMonth, run.months))
  },
  actual_months_pooled: (device) => {
    const perMonth = divide(borne(device), monthsOf(device))
    return device.lives.map(({ run }) => multiply(perMonth, run.months))
  },
  economic: (device, values) => (values.length === device.lives.length ? byLossOfValue(device, values) : null),
  years_digits: (device) => byYearsDigits(device),
  'factor_a_0.2': (device) => handedOn(device, rational(2n, 10n)),
  'factor_a_0.5': (device) => handedOn(device, rational(5n, 10n)),
  'factor_a_0.8': (device) => handedOn(device, rational(8n, 10n)),
} as const satisfies Readonly<Record<string, Method>>

export type AllocationMethod = keyof typeof METHODS

export const ALLOCATION_METHODS = Object.keys(METHODS) as readonly AllocationMethod[]

/** By these, no share changes because of what comes later. */
const FINAL: ReadonlySet<AllocationMethod> = new Set<AllocationMethod>(['capped_linear', 'first_life', 'years_digits'])

/** The lives of a device, with the refurbishments before each. */
export function livesOf(
  { steps }: DeviceTimeline,
  { embodied, lifetimeMonths }: Pick<DeviceLives, 'embodied' | 'lifetimeMonths'>,
): DeviceLives {
  const lives: Life[] = []
  let [total, isRetired] = [embodied, false]
  let refurbishment: Refurbishment | null = null
  for (const step of steps) {
    if ('run' in step) {
      if (isRetired || !isLife(step.run)) continue
      lives.push({ ...step, refurbishment })
      refurbishment = null
    } else if (step.event.type === 'refurbished') {
      const { emission, monthsAdded }: Refurbishment = refurbishment ?? NONE
      total = reduce(add(total, step.event.emission))
      refurbishment = {
        emission: add(emission, step.event.emission),
        monthsAdded: add(monthsAdded, step.event.monthsAdded),
      }
    } else isRetired = true
  }
  return { embodied, lifetimeMonths, lives, total, isRetired }
}

const NONE: Refurbishment = { emission: ZERO, monthsAdded: ZERO }

/** The last days of a tenure may count as no month: METHODOLOGY.md#months */
const isLife = ({ terms, end, months }: AllocatedRental): boolean => end > terms.start && months.numerator > 0n

/** Shares E and the refurbishments by every method, exact to the milligram. METHODOLOGY.md#second-lives */
export const allocateLives = (device: DeviceLives, resaleValues: readonly Rational[]): readonly AllocatedLives[] =>
  ALLOCATION_METHODS.map((method) => {
    const shares = device.lives.length === 0 ? [] : METHODS[method](device, resaleValues)
    return { method, isProvisional: !device.isRetired && !FINAL.has(method), ...rounded(shares, device.total) }
  })

/**
 * Rounds like the ledger: a share is the difference of the rounded cumulative sums, so that the shares and the residual
 * add up to the total. METHODOLOGY.md#ledger
 */
function rounded(exact: readonly Rational[] | null, total: Rational): Pick<AllocatedLives, 'shares' | 'residual'> {
  if (exact === null) return { shares: null, residual: toMilligrams(total) }
  let sum = ZERO
  const shares = exact.map((share) => {
    const before = toMilligrams(sum)
    sum = reduce(add(sum, share))
    return toMilligrams(sum) - before
  })
  return { shares, residual: toMilligrams(total) - toMilligrams(sum) }
}

const emissionOf = ({ refurbishment }: Life): Rational => refurbishment?.emission ?? ZERO

/** E and the refurbishments that a life followed, kg CO2e. */
const borne = ({ embodied, lives }: DeviceLives): Rational => reduce(lives.map(emissionOf).reduce(add, embodied))

const monthsOf = ({ lives }: DeviceLives): Rational =>
  lives.reduce((sum, { run }) => reduce(add(sum, run.months)), ZERO)

/** Each life bears a part of E and the refurbishment before it. */
const withOwnRefurbishment = (
  { lives }: DeviceLives,
  partOf: (life: Life, at: number) => Rational,
): readonly Rational[] => lives.map((life, at) => add(partOf(life, at), emissionOf(life)))

/** Allocates months to a rental; `isRefurbished` says whether the device was refurbished before it. */
type Allocate = (
  balance: EmbodiedBalance,
  months: Rational,
  isRefurbished: boolean,
) => { readonly balance: EmbodiedBalance }

/** Runs the lives with the cap, whatever the account's own method is, each from the balance that earlier ones left. */
function replay({ embodied, lifetimeMonths, lives }: DeviceLives, allocate: Allocate): readonly Rational[] {
  let balance = openBalance(embodied, lifetimeMonths)
  let isRefurbished = false
  return lives.map(({ run, refurbishment }) => {
    if (refurbishment) {
      balance = refurbish(balance, refurbishment.emission, refurbishment.monthsAdded)
      isRefurbished = true
    }
    const before = balance.allocated
    balance = allocate(balance, run.months, isRefurbished).balance
    return subtract(balance.allocated, before)
  })
}

/** E × (V before − V after) ÷ V new + R; after the last life the device is worth nothing. */
function byLossOfValue(device: DeviceLives, values: readonly Rational[]): readonly Rational[] {
  const perValue = divide(device.embodied, values[0]!)
  return withOwnRefurbishment(device, (_, at) => multiply(perValue, subtract(values[at]!, values[at + 1] ?? ZERO)))
}

/** Each life keeps A of what it received, with its refurbishment; the last one of a retired device keeps all. */
function handedOn({ embodied, lives, isRetired }: DeviceLives, a: Rational): readonly Rational[] {
  let received = embodied
  return lives.map((life, at) => {
    received = reduce(add(received, emissionOf(life)))
    const kept = isRetired && at === lives.length - 1 ? received : reduce(multiply(received, a))
    received = subtract(received, kept)
    return kept
  })
}

const MONTHS_PER_YEAR = whole(12)

/**
 * By the sum of the years' digits, until a refurbishment; then what is left is linear, as in the ledger. Over n years,
 * year i gets E × 2 (n − i + 1) ÷ (n (n + 1)).
 */
const byYearsDigits = (device: DeviceLives): readonly Rational[] =>
  replay(device, (balance, months, isRefurbished) => {
    if (isRefurbished) return allocateRental(balance, months)
    const { embodied, lifetimeMonths } = device
    const monthsAllocated = min(reduce(add(balance.monthsAllocated, months)), lifetimeMonths)
    const allocated = reduce(multiply(embodied, digitsUntil(monthsAllocated, lifetimeMonths)))
    const pool = reduce(subtract(embodied, allocated))
    return { balance: { ...balance, monthsAllocated, allocated, pool } }
  })

/** The share of a lifetime's first months in the sum of the years' digits; a last year may have fewer months. */
function digitsUntil(months: Rational, lifetimeMonths: Rational): Rational {
  const years = yearsOf(lifetimeMonths)
  let [until, all] = [ZERO, ZERO]
  for (let year = 0; year < years; year += 1) {
    const start = multiply(whole(year), MONTHS_PER_YEAR)
    const digit = whole(years - year)
    until = add(until, multiply(digit, monthsOfYear(months, start)))
    all = add(all, multiply(digit, monthsOfYear(lifetimeMonths, start)))
  }
  return divide(until, all)
}

/** How many of the first months are in the year that begins at `start`. */
const monthsOfYear = (months: Rational, start: Rational): Rational =>
  min(MONTHS_PER_YEAR, max(ZERO, subtract(months, start)))

/** Years begun in a number of months. */
function yearsOf(months: Rational): number {
  const { numerator, denominator } = divide(months, MONTHS_PER_YEAR)
  return Number((numerator + denominator - 1n) / denominator)
}
