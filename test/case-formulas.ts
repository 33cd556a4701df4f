// The formulas that a worked example may name, each computed with the engine's own functions.
import { allocate, toIntegerWeights } from '../src/engine/allocation.ts'
import { monthsBetween } from '../src/engine/numbers/calendar.ts'
import type { DistanceBasis, ReferenceData, TransportMode } from '../src/engine/reference/reference-data.ts'
import { footprintById } from '../src/engine/reference/footprint.ts'
import { toKilograms, toMilligrams } from '../src/engine/numbers/emission.ts'
import { blendedFactor, packagingEndOfLife, packagingProduction } from '../src/engine/packaging.ts'
import {
  ONE,
  ZERO,
  add,
  divide,
  multiply,
  parseDecimal as exact,
  toDecimal,
  whole,
  type Rational,
} from '../src/engine/numbers/rational.ts'
import { distanceOnFactorBasis, tonneKm, transportEmission } from '../src/engine/transport.ts'
import { energyFromUse, useEmissionByGrid, useEmissionByShare } from '../src/engine/use-phase.ts'
import { ELECTRICITY_FORMULAS } from './case-electricity.ts'
import { FALLBACK_FORMULAS } from './case-fallbacks.ts'
import {
  deviceLife,
  embodiedByYear,
  rentals,
  rentalsOfOneMonth,
  secondLives,
  singleMonths,
  yearsDigits,
} from './case-ledgers.ts'

type Decimal = string

/** Six decimals, as an emission is published. */
const published = (kilograms: Rational): Decimal => toKilograms(toMilligrams(kilograms))
const sumOf = (values: readonly Decimal[]): Rational => values.map(exact).reduce(add, ZERO)
const HOURS_PER_YEAR = exact('8760')

type Stage = 'total' | 'production' | 'transportation' | 'use' | 'end_of_life'
type Sheet = Readonly<Record<Stage, Decimal>> & { readonly lifetime_months: number }

const footprint = (given: Sheet, book: ReferenceData) => {
  const model = {
    ...book.models.values().next().value!,
    total: exact(given.total),
    production: exact(given.production),
    transportation: exact(given.transportation),
    productUse: exact(given.use),
    endOfLife: exact(given.end_of_life),
    lifetimeMonths: given.lifetime_months,
  }
  const { embodied, useOverLifetime } = footprintById('sheet', ONE, { ...book, models: new Map([['sheet', model]]) })
  return { embodied: toDecimal(embodied), use_over_lifetime: toDecimal(useOverLifetime!) }
}

interface ByShare {
  readonly use_over_lifetime: Decimal
  readonly lifetime_months: Decimal
}

const byShare = (given: ByShare & { readonly tenure_months: Decimal }) => ({
  emission: published(
    useEmissionByShare(exact(given.use_over_lifetime), exact(given.tenure_months), exact(given.lifetime_months)),
  ),
})

const asElectricity = (given: ByShare & { readonly factor: Decimal }) => {
  const yearly = useEmissionByShare(exact(given.use_over_lifetime), whole(12), exact(given.lifetime_months))
  return { yearly_emission: published(yearly), yearly_energy_kwh: toDecimal(divide(yearly, exact(given.factor)), 6) }
}

const yearlyEnergy = (given: { readonly modes: readonly { readonly watts: Decimal; readonly share: Decimal }[] }) => {
  const watts = given.modes.map((mode) => multiply(exact(mode.watts), exact(mode.share))).reduce(add, ZERO)
  return { yearly_energy_kwh: toDecimal(divide(multiply(watts, HOURS_PER_YEAR), whole(1000))) }
}

const byGrid = (
  given: {
    readonly yearly_energy_kwh: Decimal
    readonly start: string
    readonly tenure_months: Decimal
    readonly factors: readonly { readonly year: number; readonly factor: Decimal }[]
  },
  book: ReferenceData,
) => {
  const { source } = book.itEquipment
  const factors = given.factors.map(({ year, factor }) => ({ year, latestYear: year, factor: exact(factor), source }))
  const use = useEmissionByGrid(exact(given.yearly_energy_kwh), given.start, exact(given.tenure_months), factors)
  return { emission: published(use.emission), factors_are_recent: use.factorsAreRecent }
}

/** The electricity that a sheet's use stands for, and the use of the device with it. */
const electricityFromUse = (
  given: Omit<Parameters<typeof byGrid>[0], 'yearly_energy_kwh'> & ByShare & { readonly region_factor: Decimal },
  book: ReferenceData,
) => {
  const energy = energyFromUse(exact(given.use_over_lifetime), exact(given.lifetime_months), exact(given.region_factor))
  const factors = given.factors.map(({ year, factor }) => ({
    year,
    latestYear: year,
    factor: exact(factor),
    source: book.itEquipment.source,
  }))
  const use = useEmissionByGrid(energy, given.start, exact(given.tenure_months), factors)
  return { yearly_energy_kwh: toDecimal(energy, 6), emission: published(use.emission) }
}

const months = (given: { readonly from: string; readonly to: string }) => ({
  months: toDecimal(monthsBetween(given.from, given.to), 9),
})

interface Leg {
  readonly mass_kg: Decimal
  readonly distance_km: Decimal
  readonly factor: Decimal
  readonly mode?: TransportMode
  readonly stated?: DistanceBasis
  readonly factor_basis?: DistanceBasis
  readonly multiplier?: Decimal
  readonly added_km?: Decimal
}

function distanceOf(leg: Leg, book: ReferenceData): Rational {
  const distance = exact(leg.distance_km)
  if (!leg.mode || !leg.factor_basis) return distance
  const { source } = book.itEquipment
  const adjustment = { multiplier: exact(leg.multiplier!), addedKm: exact(leg.added_km!), source }
  return distanceOnFactorBasis(distance, leg.stated ?? null, leg.factor_basis, adjustment)
}

const oneLeg = (leg: Leg, book: ReferenceData) => {
  const distance = distanceOf(leg, book)
  return {
    ...(leg.mode && { distance_km: toDecimal(distance) }),
    tonne_km: toDecimal(tonneKm(exact(leg.mass_kg), distance)),
    emission: published(transportEmission(exact(leg.mass_kg), distance, { factor: exact(leg.factor) })),
  }
}

const chain = ({ legs }: { readonly legs: readonly Leg[] }, book: ReferenceData) => {
  const each = legs.map((leg) => oneLeg(leg, book))
  const tonneKms = sumOf(each.map(({ tonne_km }) => tonne_km))
  const emission = sumOf(each.map((leg) => leg.emission))
  return {
    tonne_km: toDecimal(tonneKms),
    emission: toDecimal(emission),
    per_tonne_km: toDecimal(divide(emission, tonneKms), 9),
  }
}

const wellToWheel = (given: { readonly gases: readonly Decimal[]; readonly fuel_supply: Decimal }) => {
  const tankToWheel = sumOf(given.gases)
  const factor = add(tankToWheel, exact(given.fuel_supply))
  return {
    tank_to_wheel: toDecimal(tankToWheel),
    well_to_wheel: toDecimal(factor),
    emission_of_one_tonne_km: published(transportEmission(whole(1000), ONE, { factor })),
  }
}

const blend = (given: {
  readonly mass_kg: Decimal
  readonly recycled_share: Decimal
  readonly virgin: Decimal
  readonly recycled: Decimal
}) => {
  const factor = blendedFactor(exact(given.virgin), exact(given.recycled), exact(given.recycled_share))
  return { factor: toDecimal(factor), emission: published(packagingProduction(exact(given.mass_kg), factor)) }
}

const endOfLife = (given: {
  readonly mass_kg: Decimal
  readonly production: Decimal
  readonly treatments: readonly { readonly share: Decimal; readonly factor: Decimal }[]
}) => {
  const treatments = given.treatments.map(({ share, factor }) => ({ share: exact(share), factor: exact(factor) }))
  const emission = packagingEndOfLife(exact(given.mass_kg), treatments)
  return { end_of_life: published(emission), with_production: published(add(emission, exact(given.production))) }
}

const allocation = (given: { readonly emission: Decimal; readonly weights_kg: readonly (Decimal | null)[] }) => {
  const weights = toIntegerWeights(given.weights_kg.map((weight) => (weight === null ? null : exact(weight))))
  return { shares: allocate(toMilligrams(exact(given.emission)), weights).map(toKilograms) }
}

/** Goods dropped on a round trip weigh by their notional tonne-kilometres: each by its own way from the depot. */
const roundTrip = (given: {
  readonly emission: Decimal
  readonly drops: readonly { readonly mass_kg: Decimal; readonly distance_km: Decimal }[]
}) => {
  const notional = given.drops.map((drop) => tonneKm(exact(drop.mass_kg), exact(drop.distance_km)))
  const shares = allocate(toMilligrams(exact(given.emission)), toIntegerWeights(notional))
  return { notional_tonne_km: notional.map((value) => toDecimal(value)), shares: shares.map(toKilograms) }
}

const exactness = (given: { readonly multiply: readonly Decimal[]; readonly divide_by: Decimal }) => ({
  exact: toDecimal(divide(given.multiply.map(exact).reduce(multiply), exact(given.divide_by))),
  in_doubles: String(given.multiply.map(Number).reduce((a, b) => a * b) / Number(given.divide_by)),
})

type Formula = (given: never, book: ReferenceData) => unknown

/** A case names its formula; what the formula is given and gives stands in its case. */
export const FORMULAS: ReadonlyMap<string, Formula> = new Map<string, Formula>([
  ['rentals', rentals],
  ['rentals-of-one-month', rentalsOfOneMonth],
  ['embodied-by-year', embodiedByYear],
  ['sum-of-years', yearsDigits],
  ['second-lives', secondLives],
  ['device-life', deviceLife],
  ['device-life-in-months', singleMonths],
  ['footprint', footprint],
  ['use-by-share', byShare],
  ['use-as-electricity', asElectricity],
  ['yearly-energy', yearlyEnergy],
  ['use-by-grid', byGrid],
  ['electricity-from-use', electricityFromUse],
  ['months', months],
  [
    'tonne-kilometres',
    (given: Leg) => ({ tonne_km: toDecimal(tonneKm(exact(given.mass_kg), exact(given.distance_km))) }),
  ],
  ['transport', oneLeg],
  ['transport-chain', chain],
  ['well-to-wheel', wellToWheel],
  [
    'packaging',
    (given: Leg) => ({ emission: published(packagingProduction(exact(given.mass_kg), exact(given.factor))) }),
  ],
  ['packaging-blend', blend],
  ['packaging-end-of-life', endOfLife],
  ['allocation', allocation],
  ['allocation-of-round-trip', roundTrip],
  ['rounding', ({ value }: { readonly value: Decimal }) => ({ rounded: published(exact(value)) })],
  ['exactness', exactness],
  ...ELECTRICITY_FORMULAS,
  ...FALLBACK_FORMULAS,
])
