// The inventory of electricity as JSON.
import { ENERGY_UNIT, toKilowattHours, type MilliwattHours } from '../../engine/electricity/energy.ts'
import {
  seriesOf,
  type InventoryLine,
  type InventoryTotal,
  type MarketPart,
} from '../../engine/electricity/inventory.ts'
import { EMISSION_UNIT, GHG_LABELS, sumMilligrams } from '../../engine/numbers/emission.ts'
import { toDecimal, type Rational } from '../../engine/numbers/rational.ts'
import type { Inventory, InventoryQuery } from '../../electricity/make-inventory.ts'
import { exactNumber } from '../../strict-json/json-number.ts'
import { INVENTORY_NOTES } from '../messages.ts'
import { kilogramsView } from './emission.ts'

const kilowattHours = (energy: MilliwattHours): number => exactNumber(toKilowattHours(energy))
const number = (value: Rational): number => exactNumber(toDecimal(value))

const label = (scope: string, category: string) => ({ ghg_scope: scope, ghg_category: category })
const ELECTRICITY = label(GHG_LABELS.product_use.scope, GHG_LABELS.product_use.category)
const LOSSES = label('3', 'Category 3: Fuel- and energy-related activities')

export function electricityView(
  { lines, total, rentals }: Inventory,
  { year, customerId, referenceData }: Omit<InventoryQuery, 'accountId'>,
) {
  const note = INVENTORY_NOTES.inventory_beside_ledger()
  return {
    emission_unit: EMISSION_UNIT,
    energy_unit: ENERGY_UNIT,
    year,
    customer_id: customerId,
    dataset_release: referenceData.release,
    grid_series: seriesOf(null, referenceData)?.id ?? null,
    number_of_rentals: rentals.all,
    number_of_rentals_without_kwh: rentals.withoutEnergy,
    total: totalView(total),
    months: lines.map(lineView),
    notes: [{ message: note.message, code: note.code }],
  }
}

const totalView = ({ energy, withoutFactor, location, market, losses }: InventoryTotal) => ({
  kwh: kilowattHours(energy),
  location_based_emission: kilogramsView(location),
  location_based_kwh_without_factor: kilowattHours(withoutFactor.location),
  market_based_emission: kilogramsView(market),
  market_based_kwh_without_factor: kilowattHours(withoutFactor.market),
  losses_emission: kilogramsView(losses),
})

const lineView = (line: InventoryLine) => ({
  month: line.month,
  country: line.country,
  kwh: kilowattHours(line.energy),
  state: line.isSettled ? 'settled' : 'forecast',
  location_based: line.location && locationView(line.location),
  market_based: {
    ...ELECTRICITY,
    emission: kilogramsView(sumMilligrams(line.market.map(({ emission }) => emission ?? 0n))),
    no_residual: line.market.some(({ by }) => by === 'location_average'),
    parts: line.market.map((part) => partView(part, line)),
  },
  losses: line.losses && lossesView(line.losses),
})

const locationView = ({ factor, emission }: NonNullable<InventoryLine['location']>) => ({
  ...ELECTRICITY,
  emission: kilogramsView(emission),
  factor_kg_co2e_per_kwh: number(factor.factor),
  quality: factor.quality,
  year: factor.year,
  series: factor.series,
  source: factor.source,
})

function partView(part: MarketPart, { location }: InventoryLine) {
  const kwh = kilowattHours(part.energy)
  switch (part.by) {
    case 'instrument': {
      const { kind, id, factor, source } = part.instrument
      const emission = kilogramsView(part.emission)
      return { by: kind, instrument_id: id, kwh, factor_kg_co2e_per_kwh: number(factor), emission, source }
    }
    case 'residual_mix': {
      const { value, year, source } = part.residual
      const emission = kilogramsView(part.emission)
      return { by: part.by, kwh, factor_kg_co2e_per_kwh: number(value), emission, year, source }
    }
    case 'location_average':
      return {
        by: part.by,
        kwh,
        factor_kg_co2e_per_kwh: location && number(location.factor.factor),
        emission: part.emission === null ? null : kilogramsView(part.emission),
        source: location && location.factor.source,
      }
  }
}

const lossesView = ({ share, emission }: NonNullable<InventoryLine['losses']>) => ({
  ...LOSSES,
  emission: kilogramsView(emission),
  share: number(share.value),
  year: share.year,
  source: share.source,
})
