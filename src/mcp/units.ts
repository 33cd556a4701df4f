// Names the unit of every emission in its field: an agent reads a value alone, far from the `emission_unit` above it.
import type { Json } from './tool.ts'

/** Members of responses that are in kilograms of CO2e without saying so in their names. */
const IN_KILOGRAMS: ReadonlySet<string> = new Set([
  'emission',
  'total_emission',
  'total_emission_excluding_indicative',
  'product_embodied_emission',
  'product_use',
  'transportation',
  'packaging',
  'embodied_emission',
  'embodied_total',
  'allocated',
  'unallocated',
  'remaining',
  'remaining_before',
  'remaining_after',
  'low',
  'high',
  'opening_emission',
  'closing_emission',
  'posted_later_emission',
  'corrections_emission',
  'emission_of_the_year',
])
const UNIT = '_kg_co2e'

/** Members without a unit that statements have as strings. */
const PLAIN: ReadonlySet<string> = new Set(['level', 'gsd', 'share_percent', 'data_quality_rating'])

/** Factors, by the unit that stands beside them. */
const FACTOR_UNITS: Readonly<Record<string, string>> = {
  'kgCO2e/t.km': '_kg_co2e_per_tonne_km',
  'kgCO2e/kg': '_kg_co2e_per_kg',
}
const FACTORS: ReadonlySet<string> = new Set(['emission_factor', 'emission_factor_ttw'])

/** Members that say the same as others: the unit, and the forms of messages for translation. */
const isRepetition = (name: string): boolean =>
  name === 'emission_unit' || name === 'emission_factor_unit' || /_messages?$/.test(name)

const DECIMAL = /^-?\d+(\.\d+)?$/
const isAmount = (value: unknown): boolean =>
  value === null || typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value))

/** Statements have decimals as strings. A number holds every milligram up to nine million tonnes. */
const numberOf = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value)

/** A response with the unit in the name of every emission and factor. The client's own `metadata` stays as it is. */
export function withUnits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnits)
  if (typeof value !== 'object' || value === null) return value
  const factorUnit = FACTOR_UNITS[String((value as Json)['emission_factor_unit'])]
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]): readonly [string, unknown][] => {
    if (isRepetition(name)) return []
    if (name === 'metadata') return [[name, member]]
    if (IN_KILOGRAMS.has(name) && isAmount(member)) return [[name + UNIT, numberOf(member)]]
    if (PLAIN.has(name) && isAmount(member)) return [[name, numberOf(member)]]
    if (factorUnit !== undefined && FACTORS.has(name)) return [[name + factorUnit, member]]
    return [[name, withUnits(member)]]
  })
  return Object.fromEntries(members)
}
