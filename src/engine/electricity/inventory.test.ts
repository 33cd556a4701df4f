// The inventory of electricity: months add up to years and rentals, nothing is covered twice, totals are sums of lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day } from '../../../test/case-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { toMilligrams } from '../numbers/emission.ts'
import { divide, whole, type Rational } from '../numbers/rational.ts'
import { gridFactors } from '../resolve-order.ts'
import { useEmissionByGrid } from '../use-phase.ts'
import { emissionOfEnergy, energyByMonth, sumEnergy, toMilliwattHours } from './energy.ts'
import { INSTRUMENT_KINDS, coverEnergy } from './instruments.ts'
import { readInventoryFigures, type InventoryFigures, type StoredBody } from './inventory-figures.ts'
import { inventoryLines, inventoryTotal, type InventoryLine } from './inventory.ts'

const { referenceData } = shippedReferenceData()
const TOLD = { source_title: 'A test', source_publisher: 'Cradle' }
const YEAR = 2025

const tenure = (): fc.Arbitrary<Rational> =>
  fc.tuple(fc.nat(2400), fc.integer({ min: 1, max: 62 })).map(([months, parts]) => divide(whole(months), whole(parts)))
const yearlyEnergy = () => fc.nat(2_000_000).map((energy) => divide(whole(energy), whole(1000)))

const yearsOf = (start: string, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => Number(start.slice(0, 4)) + at)

test('months add up to the rental, and to each year whatever else is asked', () => {
  fc.assert(
    fc.property(yearlyEnergy(), day(), tenure(), (energy, start, months) => {
      const rental = { start, months }
      const years = yearsOf(start, 203).map((year) => energyByMonth(energy, rental, year))
      const all = years.map(sumEnergy)
      const whole12 = {
        numerator: energy.numerator * months.numerator,
        denominator: energy.denominator * months.denominator * 12n,
      }
      assert.equal(sumEnergy(all), toMilliwattHours(whole12))
      assert.ok(years.flat().every((one) => one >= 0n))
    }),
    { numRuns: 50 },
  )
})

const month = () => fc.integer({ min: -6, max: 17 })
const monthName = (at: number): string =>
  `${YEAR + Math.floor(at / 12)}-${String((((at % 12) + 12) % 12) + 1).padStart(2, '0')}`

const instruments = (): fc.Arbitrary<readonly StoredBody[]> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom(...INSTRUMENT_KINDS),
        months: fc.tuple(month(), month()),
        covers: fc.oneof(
          fc.integer({ min: 1, max: 5000 }).map((kwh) => ({ kwh: kwh / 10 })),
          fc.integer({ min: 1, max: 1000 }).map((share) => ({ share: share / 1000 })),
        ),
        factor: fc.nat(2000),
      }),
      { maxLength: 6 },
    )
    .map((all) =>
      all.map(({ kind, months: [a, b], covers, factor }, at) => ({
        id: `i-${at}`,
        version: 1,
        body: {
          ...TOLD,
          kind,
          customer_id: 'c',
          country: 'DE',
          from: monthName(Math.min(a, b)),
          to: monthName(Math.max(a, b)),
          ...covers,
          factor_kg_co2e_per_kwh: factor / 1000,
        },
      })),
    )

const energyOfYear = () => fc.array(fc.nat(200_000_000).map(BigInt), { minLength: 12, maxLength: 12 })

const figuresWith = (more: Partial<Record<keyof InventoryFigures, readonly StoredBody[]>>): InventoryFigures =>
  readInventoryFigures({ months: [], residualMixes: [], losses: [], instruments: [], ...more })

test('instruments never cover more than there is in a month, nor more than they say', () => {
  fc.assert(
    fc.property(energyOfYear(), instruments(), (energy, stored) => {
      const own = figuresWith({ instruments: stored }).instruments.get('c\0DE') ?? []
      const covered = coverEnergy(energy, own, YEAR)
      for (const [at, all] of energy.entries())
        assert.ok(sumEnergy(covered.filter((one) => one.month === at).map((one) => one.energy)) <= all)
      for (const { covers, from, to, id } of own) {
        const parts = covered.filter((one) => one.instrument.id === id)
        assert.ok(parts.every((one) => monthName(one.month) >= from && monthName(one.month) <= to))
        if ('energy' in covers) assert.ok(sumEnergy(parts.map((one) => one.energy)) <= covers.energy)
      }
    }),
  )
})

test('the total is the sum of the lines, and the parts of a line are its electricity', () => {
  const body = { ...TOLD, factor_kg_co2e_per_kwh: 0.689, share: 0.05 }
  const figures = {
    residualMixes: [{ id: 'DE-2024', version: 1, body }],
    losses: [{ id: 'DE-2024', version: 1, body }],
  }
  fc.assert(
    fc.property(energyOfYear(), energyOfYear(), instruments(), fc.boolean(), (first, second, stored, hasMix) => {
      const energies = [
        { customerId: 'c', country: 'DE', months: first },
        { customerId: 'd', country: 'DE', months: second },
        { customerId: 'd', country: null, months: first },
      ]
      const all = figuresWith({ ...(hasMix && figures), instruments: stored })
      const lines = inventoryLines(energies, { year: YEAR, referenceData, figures: all, currentMonth: '2026-01' })
      const total = inventoryTotal(lines)
      const sum = (of: (line: InventoryLine) => bigint): bigint => lines.reduce((one, line) => one + of(line), 0n)
      assert.equal(total.energy, sumEnergy(energies.flatMap(({ months }) => months)))
      assert.equal(
        total.location,
        sum(({ location }) => location?.emission ?? 0n),
      )
      assert.equal(
        total.market,
        sum(({ market }) => market.reduce((one, { emission }) => one + (emission ?? 0n), 0n)),
      )
      assert.equal(
        total.losses,
        sum(({ losses }) => losses?.emission ?? 0n),
      )
      assert.equal(total.withoutFactor.location, sumEnergy(first))
      for (const { market, energy } of lines) assert.equal(sumEnergy(market.map((part) => part.energy)), energy)
    }),
  )
})

test('by place, a year of a rental has the emission that use by grid has, but for the rounding of months', () => {
  fc.assert(
    fc.property(yearlyEnergy(), fc.integer({ min: 1, max: 12 }), (energy, months) => {
      const factors = gridFactors('DE', referenceData)
      const rental = { start: '2025-01-01', months: whole(months) }
      const lines = energyByMonth(energy, rental, YEAR).map((one) => emissionOfEnergy(one, factors[0]!.factor))
      const ledger = toMilligrams(useEmissionByGrid(energy, rental.start, rental.months, factors).emission)
      const difference = lines.reduce((a, b) => a + b, 0n) - ledger
      assert.ok(difference >= -13n && difference <= 13n, `${difference} mg`)
    }),
  )
})

const january = (figures: Partial<Record<keyof InventoryFigures, readonly StoredBody[]>>, currentMonth = '2025-02') => {
  const months = [1_000_000n, ...Array<bigint>(11).fill(0n)]
  const basis = { year: YEAR, referenceData, figures: figuresWith(figures), currentMonth }
  return inventoryLines([{ customerId: 'c', country: 'DE', months }], basis)[0]!
}

test('a month is settled once it is over and its own factor is there', () => {
  const own = { months: [{ id: 'DE-2025-01', version: 1, body: { ...TOLD, factor_kg_co2e_per_kwh: 0.4 } }] }
  const settled = january(own)
  assert.deepEqual(
    [settled.isSettled, settled.location!.factor.quality, settled.location!.emission, settled.location!.factor.series],
    [true, 'month', 400_000n, null],
  )
  assert.equal(january(own, '2025-01').isSettled, false, 'the month is not over')
  const forecast = january({})
  assert.deepEqual([forecast.isSettled, forecast.location!.factor.quality], [false, 'year_near'])
  assert.equal(forecast.location!.factor.series, 'ember-generation')
})

test('losses are not added to a series that includes them', () => {
  const losses = [{ id: 'DE-2025', version: 1, body: { ...TOLD, share: 0.05 } }]
  assert.ok(january({ losses }).losses)
  const series = new Map([...referenceData.gridSeries].map(([id, one]) => [id, { ...one, losses: true }] as const))
  const months = [1_000_000n, ...Array<bigint>(11).fill(0n)]
  const including = { year: YEAR, referenceData: { ...referenceData, gridSeries: series }, currentMonth: '2026-01' }
  const figures = figuresWith({ losses })
  const [line] = inventoryLines([{ customerId: 'c', country: 'DE', months }], { ...including, figures })
  assert.equal(line!.losses, null)
})
