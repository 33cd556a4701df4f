// Explanations of lines: recalculating a line from the printed inputs and factors gives the same result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, orderFor, positiveAmount } from '../../../test/case-arbitraries.ts'
import { readCaseBook } from '../../../test/case-book.ts'
import { rounds } from '../../../test/rounds.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { explainLine, type Calculation } from './calculation.ts'
import { allocateRental, openBalance, refurbish } from '../device-ledger.ts'
import { allocateFirstRental } from '../device-timeline.ts'
import { estimate, rentalTermsOf, type EmissionLine, type RentalAllocator } from '../estimate.ts'
import { formatRational } from './explanation.ts'
import type { ReferenceData } from '../reference/reference-data.ts'
import { toKilograms, toMilligrams } from '../numbers/emission.ts'
import type { Order } from '../order.ts'
import {
  ZERO,
  add,
  compare,
  divide,
  min,
  multiply,
  parseDecimal,
  subtract,
  whole,
  type Rational,
} from '../numbers/rational.ts'

const { referenceData } = shippedReferenceData()
const caseBook = readCaseBook('book.json')
const RUNS = { numRuns: rounds(100, 300) }

function linesOf(order: Order, figures: ReferenceData, runOf?: RentalAllocator): readonly EmissionLine[] {
  const estimated = estimate(order, figures, runOf)
  assert.ok(estimated.ok, 'the order was refused')
  return estimated.footprint.items.flatMap(({ lines }) => lines)
}

/** The only printed value of a symbol. */
function valueOf({ inputs, factors }: Calculation, symbol: string): Rational {
  const found = [...inputs, ...factors].filter((printed) => printed.symbol === symbol)
  assert.equal(found.length, 1, `the symbol ${symbol} is printed ${found.length} times`)
  return found[0]!.value
}

type ValueOf = (symbol: string) => Rational

const yearsOf = ({ inputs }: Calculation) => inputs.flatMap(({ symbol }) => /^months_(\d+)$/.exec(symbol)?.[1] ?? [])

/** The formulas of METHODOLOGY.md, applied to printed values only. */
function recompute(calculation: Calculation, of: ValueOf = (symbol) => valueOf(calculation, symbol)): Rational {
  switch (calculation.method) {
    case 'embodied-linear':
      return multiply(divide(of('E'), of('L')), of('t_alloc'))
    case 'use-by-share':
      return multiply(divide(of('P × u'), of('L')), of('t'))
    case 'use-by-grid': {
      const terms = yearsOf(calculation).map((year) => multiply(of(`months_${year}`), of(`EF_${year}`)))
      return divide(multiply(of('W'), terms.reduce(add, ZERO)), whole(12))
    }
    case 'tonne-kilometres':
      return multiply(multiply(divide(of('m'), whole(1000)), of('d')), of('g'))
    case 'mass':
      return multiply(of('m'), of('f'))
  }
}

for (const [name, figures] of [
  ['shipped', referenceData],
  ['worked examples’', caseBook],
] as const) {
  test(`every line of a random order on the ${name} figures can be recomputed from what is printed`, () => {
    fc.assert(
      fc.property(orderFor(figures), (order) => {
        for (const line of linesOf(order, figures)) {
          const calculation = explainLine(line, figures)
          assert.equal(toMilligrams(recompute(calculation)), line.emission, calculation.formula)
        }
      }),
      RUNS,
    )
  })
}

test('whoever takes the values as the decimals that they are shown as is at most a milligram away', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      for (const line of linesOf(order, referenceData)) {
        const calculation = explainLine(line, referenceData)
        const shown = recompute(calculation, (symbol) => parseDecimal(formatRational(valueOf(calculation, symbol))))
        const off = toMilligrams(shown) - line.emission
        assert.ok(off >= -1n && off <= 1n, calculation.formula)
      }
    }),
  )
})

test('the months that are printed are those of the tenure, given and left over, year by year', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      for (const line of linesOf(order, referenceData)) {
        const calculation = explainLine(line, referenceData)
        const of: ValueOf = (symbol) => valueOf(calculation, symbol)
        if (calculation.method === 'embodied-linear') {
          assert.equal(compare(of('t_alloc'), min(of('t'), subtract(of('L'), of('T')))), 0)
          assert.equal(compare(add(of('t_alloc'), of('t − t_alloc')), of('t')), 0)
        }
        if (calculation.method !== 'use-by-grid') continue
        const months = yearsOf(calculation).map((year) => of(`months_${year}`))
        assert.equal(compare(months.reduce(add, ZERO), of('t')), 0)
      }
    }),
  )
})

test('a formula ends with the line that it explains, and names its section of the methodology', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      for (const line of linesOf(order, referenceData)) {
        const { formula, methodology, method } = explainLine(line, referenceData)
        assert.ok(formula.endsWith(`= ${toKilograms(line.emission)}`), formula)
        assert.match(methodology, /^METHODOLOGY\.md#(embodied|use-by-share|use-by-grid|transport|packaging)$/)
        assert.equal(method, line.working.method)
      }
    }),
  )
})

test('every factor says who published it, under what licence, and in which release it stands', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      for (const { factors } of linesOf(order, referenceData).map((line) => explainLine(line, referenceData))) {
        for (const { source, dataset_release: release, unit, id } of factors) {
          assert.ok(source.title && source.publisher && source.url && source.licence && unit && id)
          assert.equal(release, referenceData.release)
        }
      }
    }),
  )
})

test('an adjusted distance is printed as it was stated and as it was taken', () => {
  fc.assert(
    fc.property(orderFor(caseBook), (order) => {
      for (const line of linesOf(order, caseBook)) {
        if (line.working.method !== 'tonne-kilometres') continue
        const { transportation, distanceKm } = line.working.item
        const calculation = explainLine(line, caseBook)
        assert.equal(compare(valueOf(calculation, 'd'), distanceKm), 0)
        if (compare(distanceKm, transportation.distanceKm) === 0) continue
        assert.equal(compare(valueOf(calculation, 'd_stated'), transportation.distanceKm), 0)
      }
    }),
  )
})

test('a stand-in, a default and a factor of another year are told in a note', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      for (const line of linesOf(order, referenceData)) {
        const { notes } = explainLine(line, referenceData)
        const { working } = line
        if (working.method === 'embodied-linear') {
          const { level, lifetimeFrom } = working.item.footprint
          assert.match(notes[0]!.code, level === 'model' ? /^note_model_(found|by)/ : /^note_no_model$/)
          assert.equal(
            notes.some(({ code }) => code === 'note_lifetime_of_type'),
            lifetimeFrom === 'type',
          )
        }
        if (working.method !== 'use-by-grid') continue
        const { use, item } = working
        const inexact = use.years.filter(
          ({ year, lastYear, factor }) => new Set([year, lastYear, factor.year, factor.latestYear]).size > 1,
        )
        const { energyFrom, lifetimeFrom } = item.footprint
        const ofLifetime = energyFrom === 'use' && lifetimeFrom === 'type' ? 1 : 0
        assert.equal(notes.length, inexact.length + (energyFrom === 'sheet' ? 0 : 1) + ofLifetime)
        assert.equal(
          notes.some(({ code }) => code === 'note_electricity_from_use'),
          energyFrom === 'use',
        )
      }
    }),
  )
})

test('on a device that was rented before, the months before it are printed and the line can be recomputed', () => {
  fc.assert(
    fc.property(orderFor(referenceData), fc.nat(80), fc.boolean(), (order, monthsBefore, isCapped) => {
      const runOf: RentalAllocator = (item) => {
        const opened = openBalance(item.footprint.embodied, item.footprint.lifetimeMonths, isCapped)
        return allocateFirstRental(allocateRental(opened, whole(monthsBefore)).balance, rentalTermsOf(item))
      }
      for (const line of linesOf(order, referenceData, runOf)) {
        if (line.working.method !== 'embodied-linear') continue
        const calculation = explainLine(line, referenceData)
        const { lifetimeMonths } = line.working.item.footprint
        const given = isCapped ? min(whole(monthsBefore), lifetimeMonths) : whole(monthsBefore)
        assert.equal(compare(valueOf(calculation, 'T'), given), 0)
        const off = toMilligrams(recompute(calculation)) - line.emission
        assert.ok(off >= -1n && off <= 1n, 'more than the rounding of two cumulative sums away')
      }
    }),
  )
})

test('on a refurbished device the line can be recomputed from the rate, or from what is left, of its ledger', () => {
  fc.assert(
    fc.property(
      orderFor(referenceData),
      fc.nat(80),
      positiveAmount(50),
      amount(24),
      (order, before, burden, monthsAdded) => {
        const runOf: RentalAllocator = (item) => {
          const opened = openBalance(item.footprint.embodied, item.footprint.lifetimeMonths)
          const { balance } = allocateRental(opened, whole(before))
          return allocateFirstRental(refurbish(balance, burden, monthsAdded), rentalTermsOf(item))
        }
        for (const line of linesOf(order, referenceData, runOf)) {
          if (line.working.method !== 'embodied-linear') continue
          const calculation = explainLine(line, referenceData)
          // With no remaining lifetime, a rental of no months is allocated nothing, and its rate does not apply.
          const [isSpent, hasRate] = ['left', 'r'].map((start) => calculation.formula.startsWith(start))
          const { remaining_before: left } = calculation.ledger!
          const tenure = valueOf(calculation, 't')
          const byRate = () => multiply(valueOf(calculation, 'r'), valueOf(calculation, 't_alloc'))
          const exact = isSpent ? left : hasRate ? byRate() : ZERO
          const off = toMilligrams(compare(tenure, ZERO) === 0 ? ZERO : exact) - line.emission
          assert.ok(off >= -1n && off <= 1n, calculation.formula)
        }
      },
    ),
  )
})
