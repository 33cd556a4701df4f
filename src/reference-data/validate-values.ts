// Rules between the figures of one row: consistency of footprints, freight factors and yearly consumption.
import { TRANSPORT_MODES } from '../engine/reference/reference-data.ts'
import {
  ZERO,
  add,
  compare,
  divide,
  multiply,
  parseDecimal,
  subtract,
  whole,
  type Rational,
} from '../engine/numbers/rational.ts'
import { distanceBases } from '../engine/transport.ts'
import type { Rule } from './violations.ts'
import type { Row } from './csv-table.ts'

export type RowError = readonly [rule: Rule, message: string]
type Cells = Row['cells']

const STAGES = ['production_kg_co2e', 'transportation_kg_co2e', 'use_kg_co2e', 'end_of_life_kg_co2e'] as const
// Manufacturers print four shares as whole percentages: if each is rounded up by half a percent, the sum is off by 2 %.
const ROUNDING_SLACK = { numerator: 102n, denominator: 100n }
// Yearly consumption is published with two decimals, so it may differ from the exact product by half of the second one.
const ENERGY_SLACK_KWH = { numerator: 5n, denominator: 1000n }
const FEWEST_SHEETS = 5

/** Null if the cell is empty, or malformed and therefore reported by the rules for cells. */
function figure(cells: Cells, name: string): Rational | null {
  const text = cells[name]
  return text && /^\d{1,12}(?:\.\d{1,12})?$/.test(text) ? parseDecimal(text) : null
}

export const validateModel = (cells: Cells): RowError[] => [...checkFootprint(cells), ...checkModelWords(cells)]

function checkFootprint(cells: Cells): RowError[] {
  const total = figure(cells, 'total_kg_co2e')
  const [production, transportation, use, endOfLife] = STAGES.map((name) => figure(cells, name))
  if (!total) return checkWithoutTotal(production, [transportation, use, endOfLife])
  const known = [production, transportation, use, endOfLife].filter((stage) => stage !== null && stage !== undefined)
  return [
    ...faultIf(
      !!production && compare(production, total) > 0,
      'production-exceeds-total',
      `production ${cells['production_kg_co2e']} is more than the total ${cells['total_kg_co2e']}`,
    ),
    ...faultIf(
      !!use && compare(use, total) >= 0,
      'use-exceeds-total',
      `use ${cells['use_kg_co2e']} leaves nothing of the total ${cells['total_kg_co2e']} for making the device`,
    ),
    ...faultIf(
      compare(known.reduce(add, ZERO), multiply(total, ROUNDING_SLACK)) > 0,
      'stages-exceed-total',
      `the stages add up to more than the total ${cells['total_kg_co2e']} and 2 % of rounding`,
    ),
  ]
}

function checkWithoutTotal(
  production: Rational | null | undefined,
  others: (Rational | null | undefined)[],
): RowError[] {
  if (others.some((stage) => stage)) return [['missing-total', 'only a sheet with production alone may lack a total']]
  return faultIf(!production, 'no-footprint', 'neither a total nor a production figure')
}

function checkModelWords(cells: Cells): RowError[] {
  const brand = (cells['brand'] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return [
    ...faultIf(
      !(cells['id'] ?? '').startsWith(`${brand}-`),
      'id-without-brand',
      `"${cells['id']}" does not begin with the brand "${cells['brand']}"`,
    ),
    ...faultIf(
      cells['in_type_default'] === 'no' && !cells['note'],
      'unexplained-exclusion',
      'a model that is kept out of the default of its type needs a note that says why',
    ),
  ]
}

export function validateTransport(cells: Cells): RowError[] {
  const { id, distance_basis: basis } = cells
  const mode = TRANSPORT_MODES.find((known) => known === cells['mode'])
  if (!mode) return []
  const word = mode.replaceAll('_', '-')
  return [
    ...faultIf(!isSum(cells), 'wtw-not-the-sum', 'the well-to-wheel factor is not tank-to-wheel plus well-to-tank'),
    ...faultIf(!(id ?? '').startsWith(`${word}-`), 'id-without-mode', `"${id}" does not begin with the mode "${word}"`),
    ...faultIf(
      !distanceBases(mode).some((known) => known === basis),
      'basis-not-of-mode',
      `a factor of mode ${mode} cannot be meant for ${basis} distances`,
    ),
  ]
}

function isSum(cells: Cells): boolean {
  const [wellToWheel, tankToWheel, wellToTank] = ['factor', 'ttw', 'wtt'].map((part) =>
    figure(cells, `${part}_kg_co2e_per_tonne_km`),
  )
  if (!wellToWheel || !tankToWheel || !wellToTank) return true
  return compare(wellToWheel, add(tankToWheel, wellToTank)) === 0
}

export function validateUsePhase(cells: Cells): RowError[] {
  const [energy, power, hours, days] = ['yearly_energy_kwh', 'active_power_w', 'hours_per_day', 'days_per_year'].map(
    (name) => figure(cells, name),
  )
  if (!energy || !power || !hours || !days) return []
  const product = divide([power, hours, days].reduce(multiply), whole(1000))
  const gap = subtract(energy, product)
  const size = compare(gap, ZERO) < 0 ? subtract(ZERO, gap) : gap
  return faultIf(
    compare(size, ENERGY_SLACK_KWH) > 0,
    'energy-not-the-product',
    `${cells['yearly_energy_kwh']} kWh is not power times hours times days`,
  )
}

export function validateRefurbishment(cells: Cells): RowError[] {
  const [emission, low, high] = ['emission_kg_co2e', 'low_kg_co2e', 'high_kg_co2e'].map((name) => figure(cells, name))
  if (!emission || !low || !high) return []
  return faultIf(
    compare(low, emission) > 0 || compare(emission, high) > 0,
    'outside-its-range',
    `${cells['emission_kg_co2e']} is not within ${cells['low_kg_co2e']} to ${cells['high_kg_co2e']}`,
  )
}

/** If as much is lost as is used, half of what is fed in is lost: the most that an own share may be. */
export function validateGridLosses(cells: Cells): RowError[] {
  const [generation, losses] = ['generation', 'losses'].map((part) => figure(cells, `${part}_kg_co2e_per_kwh`))
  if (!generation || !losses) return []
  return faultIf(
    compare(losses, generation) > 0,
    'losses-exceed-generation',
    `the losses ${cells['losses_kg_co2e_per_kwh']} are more than the generation ${cells['generation_kg_co2e_per_kwh']}`,
  )
}

export function validateTypeDefault(cells: Cells): RowError[] {
  const few = ['use_share_sheets', 'lifetime_sheets'].filter((name) => Number(cells[name]) < FEWEST_SHEETS)
  return [
    ...faultIf(
      cells['type'] !== 'any' && !cells['embodied_kg_co2e'],
      'default-without-embodied',
      `the default of ${cells['type']} needs an embodied figure; only "any" is charged by weight`,
    ),
    ...faultIf(
      few.length > 0 && cells['assumed'] === 'no',
      'unmarked-assumption',
      `${few.join(' and ')} below ${FEWEST_SHEETS}: the row must be marked as assumed`,
    ),
  ]
}

const REGRESSION = ['intercept', 'per_ln_weight', 'weight_min_kg', 'weight_max_kg'] as const
const BY_SCREEN = ['per_ln_screen', 'screen_min_inches', 'screen_max_inches'] as const

/** A fallback is either a mean or a complete regression: by weight alone, or by weight and screen. */
export function validateFallback(cells: Cells): RowError[] {
  const stated = (names: readonly string[]) => names.filter((name) => cells[name]).length
  const [fitted, byScreen] = [stated(REGRESSION), stated(BY_SCREEN)]
  const isMean = !!cells['embodied_kg_co2e'] && fitted + byScreen === 0
  const isRegression =
    !cells['embodied_kg_co2e'] && fitted === REGRESSION.length && [0, BY_SCREEN.length].includes(byScreen)
  return faultIf(
    !isMean && !isRegression,
    'neither-mean-nor-regression',
    'a fallback needs an embodied figure, or all of a regression, and not both',
  )
}

const faultIf = (broken: boolean, rule: Rule, message: string): RowError[] => (broken ? [[rule, message]] : [])
