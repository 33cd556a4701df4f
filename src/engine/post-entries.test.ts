// Entries posted for a new fact: always the difference to earlier postings, so that a ledger matches the facts exactly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  FIGURES,
  anyEvents,
  anyRentals,
  anyTerms,
  figuresWith,
  happened,
  heldUntil,
  entriesOf,
  knownFrom,
  ordered,
  postTo,
  refurbished,
  runOver,
  tenureOf,
} from '../../test/device-facts.ts'
import { ENTRY_REASONS, replayEntries, type LedgerEntry } from './ledger-history.ts'
import { totalEmbodied } from './device-ledger.ts'
import { orderKey } from './device-timeline.ts'
import { PARTS, sumMilligrams, toMilligrams } from './numbers/emission.ts'
import { toStoredBalance, type RentalChange, type DeviceFootprint } from './post-entries.ts'
import { useMethod } from './estimate.ts'
import { add, compare } from './numbers/rational.ts'

/** Facts in the order in which they become known: orders, new terms of some of them, and events. */
const anyChanges = (): fc.Arbitrary<readonly RentalChange[]> =>
  fc.tuple(anyRentals(), anyEvents(), fc.array(anyTerms(), { maxLength: 6 })).chain(([rentals, events, newTerms]) => {
    const orders = rentals.map(({ orderId, terms, customerId }) =>
      ordered(orderId, terms, { packaging: 3n, transportation: 5n }, customerId),
    )
    const changed = rentals.slice(0, newTerms.length).map(({ orderId, customerId }, at) => ({
      ...ordered(orderId, newTerms[at]!, {}, customerId),
      reason: 'extension' as const,
      eventId: `change ${at}`,
    }))
    const first: readonly RentalChange[] = [...orders, ...events.map(happened)]
    return fc
      .shuffledSubarray([...first], { minLength: first.length })
      .map((shuffled): readonly RentalChange[] => [...shuffled, ...changed])
  })

/** Checks each change together with the ledger before it. */
function eachStep(
  changes: readonly RentalChange[],
  figures: DeviceFootprint,
  check: (before: readonly LedgerEntry[], change: RentalChange) => void,
): void {
  for (const [at, change] of changes.entries()) check(entriesOf(changes.slice(0, at), figures), change)
}

test('after every fact each order has been posted exactly what the run over all facts gives it', () => {
  fc.assert(
    fc.property(anyChanges(), fc.boolean(), (changes, isCapped) => {
      const figures = figuresWith({ isCapped })
      eachStep(changes, figures, (before, change) => {
        const posting = postTo(before, change, figures)
        const after = replayEntries([...before, ...posting.entries])
        const run = runOver(after, figures)
        for (const rental of after.rentals.values()) {
          const { terms, months, share } = run.rentals.get(orderKey(rental))!
          const use = useMethod(figures.footprint, figures.gridOf(rental), terms.start, months)?.emission ?? 0n
          assert.deepEqual([rental.posted.product_embodied_emission, rental.posted.product_use], [share.emission, use])
        }
        assert.deepEqual(posting.balance, toStoredBalance(run.balance))
      })
    }),
    { numRuns: 100 },
  )
})

test('after every fact what was put in is what was posted, what is left and what stayed behind', () => {
  fc.assert(
    fc.property(anyChanges(), fc.boolean(), (changes, isCapped) => {
      const figures = figuresWith({ isCapped })
      eachStep(changes, figures, (before, change) => {
        const { entries, balance } = postTo(before, change, figures)
        const after = replayEntries([...before, ...entries])
        const burdens = [...after.events.values()].flatMap((event) =>
          event.type === 'refurbished' ? [event.emission] : [],
        )
        const putIn = burdens.reduce(add, figures.footprint.embodied)
        assert.equal(compare(totalEmbodied(runOver(after, figures).balance), putIn), 0)
        const posted = sumMilligrams(
          [...after.rentals.values()].map((rental) => rental.posted.product_embodied_emission),
        )
        assert.deepEqual(balance, { embodiedTotal: toMilligrams(putIn), allocated: posted })
        const again = runOver(after, figures).balance
        assert.deepEqual(
          [toMilligrams(totalEmbodied(again)), toMilligrams(again.allocated)],
          [balance.embodiedTotal, balance.allocated],
        )
        if (isCapped) assert.ok(balance.allocated <= balance.embodiedTotal)
      })
    }),
    { numRuns: 100 },
  )
})

test('in whatever sequence orders and events became known, each order ends with the same sums', () => {
  const facts = fc.tuple(anyRentals(), anyEvents()).chain(([rentals, events]) => {
    const changes: RentalChange[] = [
      ...rentals.map(({ orderId, terms, customerId }) => ordered(orderId, terms, {}, customerId)),
      ...events.map(happened),
    ]
    return fc.tuple(fc.constant(changes), fc.shuffledSubarray(changes, { minLength: changes.length }))
  })
  const postedBy = (changes: readonly RentalChange[]) =>
    [...knownFrom(changes).rentals]
      .map(([key, { posted }]) => [key, posted] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  fc.assert(fc.property(facts, ([changes, shuffled]) => assert.deepEqual(postedBy(shuffled), postedBy(changes))))
})

test('entries are numbered without a gap, the own one first; corrections have a cause and move something', () => {
  fc.assert(
    fc.property(anyChanges(), (changes) => {
      eachStep(changes, FIGURES, (before, change) => {
        const { entries } = postTo(before, change)
        assert.deepEqual(
          entries.map(({ no }) => no),
          entries.map((_, at) => before.length + 1 + at),
        )
        const [own, ...corrections] = entries
        const changed = 'event' in change ? null : { customerId: change.customerId, orderId: change.orderId }
        assert.equal(orderKey(own!), changed ? orderKey(changed) : orderKey({ customerId: '', orderId: '' }))
        for (const entry of corrections) {
          assert.deepEqual([entry.terms, entry.cause, entry.eventId], [null, changed, change.eventId])
          assert.notEqual(orderKey(entry), orderKey(own!))
          assert.ok(entry.product_embodied_emission !== 0n || entry.product_use !== 0n)
          assert.deepEqual([entry.packaging, entry.transportation], [0n, 0n])
        }
        for (const { reason } of entries) assert.ok(ENTRY_REASONS.includes(reason))
      })
    }),
    { numRuns: 100 },
  )
})

test('transport and packaging are posted as they are handed over, once, and no correction touches them', () => {
  fc.assert(
    fc.property(anyChanges(), (changes) => {
      for (const { posted } of knownFrom(changes).rentals.values()) {
        assert.deepEqual([posted.packaging, posted.transportation], [3n, 5n])
      }
    }),
  )
})

/** The entries posted for the last fact: order, reason, embodied milligrams, milligrams of use. */
function lastPosted(changes: readonly RentalChange[]) {
  const before = entriesOf(changes.slice(0, -1))
  return postTo(before, changes.at(-1)!).entries.map(
    ({ orderId, reason, product_embodied_emission, product_use }) =>
      [orderId, reason, product_embodied_emission, product_use] as const,
  )
}

test('an order that overlaps an earlier one shortens it, and gives back its months', () => {
  const [long, next] = [ordered('long', tenureOf('2025-01-01', 12)), ordered('next', tenureOf('2025-04-01', 6))]
  assert.deepEqual(lastPosted([long, next]), [
    ['next', 'order', 6_000_000n, 1_500_000n],
    ['long', 'overlap', -9_000_000n, -2_250_000n],
  ])
  assert.deepEqual(lastPosted([next, long]), [['long', 'order', 3_000_000n, 750_000n]])
})

test('an order that becomes known late takes precedence under the cap over those that start later', () => {
  const later = ordered('later', tenureOf('2025-01-01', 48))
  assert.deepEqual(lastPosted([later, ordered('earlier', tenureOf('2020-01-01', 12))]), [
    ['earlier', 'order', 12_000_000n, 3_000_000n],
    ['later', 'resequenced', -12_000_000n, 0n],
  ])
})

test('an early return gives back its months, and a cancelled order all', () => {
  const order = ordered('a', tenureOf('2025-01-01', 12))
  const returned = { ...ordered('a', heldUntil('2025-01-01', '2025-07-01')), reason: 'early_return' as const }
  assert.deepEqual(lastPosted([order, returned]), [['a', 'early_return', -6_000_000n, -1_500_000n]])
  const cancelled = { ...ordered('a', tenureOf('2025-01-01', 0)), reason: 'cancelled' as const }
  assert.deepEqual(lastPosted([order, cancelled]), [['a', 'cancelled', -12_000_000n, -3_000_000n]])
})

test('when a rental that shortened another is cancelled, the other gets its months again', () => {
  const [long, next] = [ordered('long', tenureOf('2025-01-01', 12)), ordered('next', tenureOf('2025-04-01', 6))]
  const cancelled = { ...ordered('next', tenureOf('2025-04-01', 0)), reason: 'cancelled' as const }
  const [own, other] = lastPosted([long, next, cancelled])
  assert.deepEqual(own, ['next', 'cancelled', -6_000_000n, -1_500_000n])
  assert.deepEqual(other, ['long', 'overlap', 9_000_000n, 2_250_000n])
})

test('a refurbishment posts nothing of its own, and changes what later rentals are charged', () => {
  const [first, second] = [ordered('a', tenureOf('2025-01-01', 12)), ordered('b', tenureOf('2027-01-01', 12))]
  assert.deepEqual(lastPosted([first, second, happened(refurbished('2026-06-01', '36', 0))]), [
    ['', 'refurbishment', 0n, 0n],
    ['b', 'resequenced', 12_000_000n, 0n],
  ])
})

test('a loss ends the rental that it falls into, and names it as the reason', () => {
  const posted = lastPosted([ordered('a', tenureOf('2025-01-01', 12)), happened({ type: 'lost', date: '2025-07-01' })])
  assert.deepEqual(posted, [
    ['', 'loss', 0n, 0n],
    ['a', 'loss', -6_000_000n, -1_500_000n],
  ])
})

test('a fact that changes nothing is posted all the same, with zeros', () => {
  const order = ordered('a', tenureOf('2025-01-01', 12))
  const returned = { ...ordered('a', tenureOf('2025-01-01', 12)), reason: 'return' as const }
  assert.deepEqual(lastPosted([order, returned]), [['a', 'return', 0n, 0n]])
})

test('a ledger that corrects an order before it was posted is refused', () => {
  const [entry] = entriesOf([ordered('a', tenureOf('2025-01-01', 12))])
  assert.throws(() => replayEntries([{ ...entry!, terms: null, event: null }]), RangeError)
  assert.equal(
    sumMilligrams(PARTS.map((part) => replayEntries([entry!]).rentals.get(orderKey(entry!))!.posted[part])),
    15_000_000n,
  )
})
