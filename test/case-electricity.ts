// The formulas of the inventory of electricity that a worked example may name.
import { energyByMonth, sumEnergy, toKilowattHours, toMilliwattHours } from '../src/engine/electricity/energy.ts'
import { readInventoryFigures, type InstrumentBody } from '../src/engine/electricity/inventory-figures.ts'
import { inventoryLines, inventoryTotal, type MarketPart } from '../src/engine/electricity/inventory.ts'
import { toKilograms } from '../src/engine/numbers/emission.ts'
import { parseDecimal as exact } from '../src/engine/numbers/rational.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'

type Decimal = string

const monthsOf = (year: number, values: readonly bigint[]) =>
  values.flatMap((value, at) => (value === 0n ? [] : [[`${year}-${String(at + 1).padStart(2, '0')}`, value] as const]))

const byMonth = (given: {
  readonly yearly_energy_kwh: Decimal
  readonly start: string
  readonly tenure_months: Decimal
  readonly years: readonly number[]
}) => {
  const rental = { start: given.start, months: exact(given.tenure_months) }
  const years = given.years.map((year) => [year, energyByMonth(exact(given.yearly_energy_kwh), rental, year)] as const)
  const months = years.flatMap(([year, energy]) => monthsOf(year, energy))
  return {
    kwh: Object.fromEntries(months.map(([month, energy]) => [month, toKilowattHours(energy)])),
    kwh_of_years: years.map(([, energy]) => toKilowattHours(sumEnergy(energy))),
  }
}

interface GivenInstrument {
  readonly id: string
  readonly kind: InstrumentBody['kind']
  readonly from: string
  readonly to: string
  readonly kwh?: Decimal
  readonly share?: Decimal
  readonly factor: Decimal
}

const TOLD = { source_title: 'A worked example', source_publisher: 'Cradle' }

const instrumentOf = ({ id, kwh, share, factor, ...stated }: GivenInstrument) => {
  const covers = kwh === undefined ? { share: Number(share) } : { kwh: Number(kwh) }
  const body = {
    ...TOLD,
    ...stated,
    ...covers,
    customer_id: 'c',
    country: 'DE',
    factor_kg_co2e_per_kwh: Number(factor),
  }
  return { id, version: 1, body }
}

const nameOf = (part: MarketPart): string => (part.by === 'instrument' ? part.instrument.kind : part.by)

const inventory = (
  given: {
    readonly year: number
    /** Of the first months of the year. */
    readonly kwh: readonly Decimal[]
    readonly factor: Decimal
    readonly residual_mix?: Decimal
    readonly losses?: Decimal
    readonly instruments: readonly GivenInstrument[]
  },
  book: ReferenceData,
) => {
  const { year, residual_mix: mix, losses } = given
  const ofYear = (member: string, value: Decimal | undefined) =>
    value === undefined ? [] : [{ id: `DE-${year}`, version: 1, body: { ...TOLD, [member]: Number(value) } }]
  const figures = readInventoryFigures({
    months: [],
    residualMixes: ofYear('factor_kg_co2e_per_kwh', mix),
    losses: ofYear('share', losses),
    instruments: given.instruments.map(instrumentOf),
  })
  const factor = { year, latestYear: year, factor: exact(given.factor), source: book.itEquipment.source }
  const referenceData = { ...book, grid: new Map([['DE', [factor]]]) }
  const months = Array.from({ length: 12 }, (_, at) => toMilliwattHours(exact(given.kwh[at] ?? '0')))
  const basis = { year, referenceData, figures, currentMonth: `${year}-01` }
  const lines = inventoryLines([{ customerId: 'c', country: 'DE', months }], basis)
  const total = inventoryTotal(lines)
  return {
    location_based: lines.map(({ location }) => toKilograms(location!.emission)),
    market_based: lines.map(({ market }) =>
      Object.fromEntries(
        market.map((part) => [nameOf(part), `${toKilowattHours(part.energy)} kWh, ${toKilograms(part.emission!)} kg`]),
      ),
    ),
    losses: lines.map((line) => line.losses && toKilograms(line.losses.emission)),
    total: {
      kwh: toKilowattHours(total.energy),
      location_based: toKilograms(total.location),
      market_based: toKilograms(total.market),
      losses: toKilograms(total.losses),
    },
  }
}

export const ELECTRICITY_FORMULAS: readonly (readonly [string, (given: never, book: ReferenceData) => unknown])[] = [
  ['electricity-by-month', byMonth],
  ['electricity-inventory', inventory],
]
