// A device's ledger: rentals add up to its embodied emission, exact to the milligram, and never to more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, positiveAmount } from '../../test/case-arbitraries.ts'
import {
  allocateRental,
  isFullyAmortised,
  isLifetimeExhausted,
  remainingMonths,
  openBalance,
  refurbish,
  retire,
  totalEmbodied,
  type RentalShare,
} from './device-ledger.ts'
import { sumMilligrams, toMilligrams } from './numbers/emission.ts'
import {
  ZERO,
  add,
  compare,
  divide,
  min,
  multiply,
  rational,
  subtract,
  whole,
  type Rational,
} from './numbers/rational.ts'

const embodied = () => amount(5000)
const lifetime = () => fc.integer({ min: 1, max: 180 }).map((months) => whole(months))
/** Whole months as in orders, and parts of months as in early returns. */
const tenure = () =>
  fc.oneof(
    fc.nat(60).map((months) => whole(months)),
    fc.tuple(fc.nat(900), fc.constantFrom(28n, 29n, 30n, 31n)).map(([days, month]) => rational(BigInt(days), month)),
  )
const tenures = () => fc.array(tenure(), { minLength: 1, maxLength: 12 })

function rent(pool: Rational, months: Rational, inTurn: readonly Rational[]): readonly RentalShare[] {
  let balance = openBalance(pool, months)
  return inTurn.map((one) => {
    const share = allocateRental(balance, one)
    balance = share.balance
    return share
  })
}

const posted = (shares: readonly RentalShare[]) => sumMilligrams(shares.map(({ emission }) => emission))

test('what is posted adds up to the rounded sum of what was given, whatever the rentals', () => {
  fc.assert(
    fc.property(embodied(), lifetime(), tenures(), (pool, months, inTurn) => {
      const shares = rent(pool, months, inTurn)
      const total = inTurn.reduce(add, ZERO)
      const given = divide(multiply(pool, min(total, months)), months)
      assert.equal(posted(shares), toMilligrams(given))
      assert.equal(compare(shares.at(-1)!.balance.allocated, given), 0)
    }),
  )
})

test('what was given and what is left are always the whole device', () => {
  fc.assert(
    fc.property(embodied(), lifetime(), tenures(), (pool, months, inTurn) => {
      for (const { balance } of rent(pool, months, inTurn)) {
        assert.equal(compare(add(balance.allocated, balance.pool), pool), 0)
        assert.ok(compare(balance.pool, ZERO) >= 0)
        assert.ok(compare(balance.monthsAllocated, months) <= 0)
      }
    }),
  )
})

test('a device that is rented for its lifetime has given everything, and nothing after that', () => {
  fc.assert(
    fc.property(embodied(), lifetime(), tenures(), positiveAmount(60), (pool, months, inTurn, more) => {
      const shares = rent(pool, months, [...inTurn, months, more])
      assert.equal(posted(shares), toMilligrams(pool))
      assert.equal(shares.at(-1)!.emission, 0n)
      assert.equal(compare(shares.at(-1)!.unallocatedMonths, more), 0)
    }),
  )
})

test('a rental never posts less than nothing, and its months are given or left over', () => {
  fc.assert(
    fc.property(embodied(), lifetime(), tenures(), (pool, months, inTurn) => {
      for (const [at, { emission, allocatedMonths, unallocatedMonths }] of rent(pool, months, inTurn).entries()) {
        assert.ok(emission >= 0n)
        assert.equal(compare(add(allocatedMonths, unallocatedMonths), inTurn[at]!), 0)
      }
    }),
  )
})

test('a longer tenure never costs less', () => {
  fc.assert(
    fc.property(embodied(), lifetime(), tenures(), tenure(), tenure(), (pool, months, before, short, more) => {
      const { balance } = rent(pool, months, before).at(-1)!
      assert.ok(allocateRental(balance, short).emission <= allocateRental(balance, add(short, more)).emission)
    }),
  )
})

test('a rental in two parts costs what it costs in one', () => {
  fc.assert(
    fc.property(embodied(), lifetime(), tenures(), tenure(), tenure(), (pool, months, before, first, second) => {
      const whole = posted(rent(pool, months, [...before, add(first, second)]))
      assert.equal(posted(rent(pool, months, [...before, first, second])), whole)
    }),
  )
})

test('a long history of rentals keeps its numbers short', () => {
  const { balance } = rent(
    rational(109_350_001n, 1_000_000n),
    whole(180),
    Array<Rational>(1000).fill(rational(7n, 62n)),
  ).at(-1)!
  for (const value of [balance.pool, balance.allocated, balance.monthsAllocated]) {
    assert.ok(value.denominator.toString().length < 30)
  }
  assert.equal(compare(balance.monthsAllocated, rational(7000n, 62n)), 0)
})

test('a negative tenure is refused', () => {
  const balance = openBalance(whole(100), whole(48))
  assert.throws(() => allocateRental(balance, subtract(ZERO, whole(1))), RangeError)
})

test('uncapped, every month is charged in full, however many there were before, and the whole stays the whole', () => {
  fc.assert(
    fc.property(embodied(), lifetime(), tenures(), (pool, months, inTurn) => {
      let balance = openBalance(pool, months, false)
      for (const tenureMonths of inTurn) {
        const share = allocateRental(balance, tenureMonths)
        assert.equal(compare(share.allocatedMonths, tenureMonths), 0)
        assert.equal(compare(share.unallocatedMonths, ZERO), 0)
        balance = share.balance
        assert.equal(compare(totalEmbodied(balance), pool), 0)
      }
      const given = divide(multiply(pool, inTurn.reduce(add, ZERO)), months)
      assert.equal(compare(balance.allocated, given), 0)
    }),
  )
})

test('a refurbishment spreads its burden and what was left over the months that are left then', () => {
  const { balance } = allocateRental(openBalance(whole(48), whole(48)), whole(36))
  const refurbished = refurbish(balance, whole(12), whole(12))
  assert.equal(compare(refurbished.rate, whole(1)), 0)
  assert.equal(compare(remainingMonths(refurbished), whole(24)), 0)
  assert.equal(allocateRental(refurbished, whole(24)).emission, 24_000_000n)
  const heavier = refurbish(balance, whole(24), whole(6))
  assert.equal(compare(heavier.rate, whole(2)), 0)
})

test('where a refurbishment leaves no month, the next rental that has a month is charged with it whole', () => {
  const { balance } = allocateRental(openBalance(whole(48), whole(48)), whole(60))
  const refurbished = refurbish(balance, whole(7), ZERO)
  assert.deepEqual([isLifetimeExhausted(refurbished), isFullyAmortised(refurbished)], [true, false])
  assert.equal(allocateRental(refurbished, ZERO).emission, 0n)
  const share = allocateRental(refurbished, rational(1n, 31n))
  assert.equal(share.emission, 7_000_000n)
  assert.equal(allocateRental(share.balance, whole(12)).emission, 0n)
})

test('what was put in is what was given, what is left and what stayed behind, whatever happens to a device', () => {
  const steps = fc.array(
    fc.oneof(
      tenure().map((months) => ({ rent: months })),
      fc.tuple(amount(200), amount(24)).map(([emission, months]) => ({ emission, months })),
      fc.constant('retire' as const),
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(embodied(), lifetime(), fc.boolean(), steps, (pool, months, isCapped, inTurn) => {
      let [balance, putIn, charged] = [openBalance(pool, months, isCapped), pool, 0n]
      for (const step of inTurn) {
        if (step === 'retire') balance = retire(balance)
        else if ('emission' in step) {
          balance = refurbish(balance, step.emission, step.months)
          putIn = add(putIn, step.emission)
        } else {
          const share = allocateRental(balance, step.rent)
          balance = share.balance
          charged += share.emission
        }
        assert.equal(compare(totalEmbodied(balance), putIn), 0)
        assert.equal(charged, toMilligrams(balance.allocated))
        if (isCapped) assert.ok(compare(balance.pool, ZERO) >= 0)
      }
    }),
  )
})

test('a device that is gone leaves what was left of it to its owner, and charges nobody', () => {
  const { balance } = allocateRental(openBalance(whole(48), whole(48)), whole(12))
  const gone = retire(balance)
  assert.equal(compare(gone.unallocated, whole(36)), 0)
  assert.equal(compare(gone.pool, ZERO), 0)
  assert.equal(allocateRental(gone, whole(12)).emission, 0n)
  assert.equal(allocateRental(retire({ ...balance, isCapped: false }), whole(12)).emission, 0n)
})
