// A comparison of rented with new devices as JSON: both sides in full, the difference, and what it rests on.
import {
  afterRebound,
  breakEvenOf,
  grossOf,
  intervalOfDifference,
  leastSpecific,
  netOf,
  specificityOf,
  type Weights,
} from '../../engine/impact.ts'
import { totalEmissionOf, type EmissionsByPart } from '../../engine/ledger-history.ts'
import { EMISSION_UNIT, PARTS, type Milligrams } from '../../engine/numbers/emission.ts'
import { ONE, subtract, toDecimal, type Rational } from '../../engine/numbers/rational.ts'
import { UNCERTAINTY_LEVEL } from '../../engine/uncertainty/uncertainty.ts'
import type { StatementContent } from '../../statements/statement.ts'
import type { ComparedDevices, ImpactOfYear } from '../../statements/impact.ts'
import { exactNumber } from '../../strict-json/json-number.ts'
import { IMPACT_MESSAGES } from '../messages.ts'
import { breakdownView, kilogramsView } from './emission.ts'
import { footprintNameView, referenceView } from './message.ts'

/** What a study says of how much of the difference counts. */
export interface Adjustment {
  readonly by: 'displacement' | 'rebound'
  readonly share: Rational
  readonly source: string
}

/** @param adjustment null if it is not known how many rentals replace a purchase */
export function impactView(
  { customer_id, year, is_preliminary }: Pick<StatementContent, 'customer_id' | 'year' | 'is_preliminary'>,
  impact: ImpactOfYear,
  adjustment: Adjustment | null,
) {
  const { devices, reference, solution, allocationMethods } = impact
  const shown = devices.filter(({ numberOfDevices }) => numberOfDevices > 0)
  return {
    customer_id,
    year,
    is_preliminary,
    impact: {
      emission_unit: EMISSION_UNIT,
      time_frame: { from: `${year}-01-01`, to: `${year}-12-31` },
      allocation_methods: allocationMethods,
      specificity: leastSpecific(shown.map(({ footprint }) => specificityOf(footprint.level))),
      reference: { ...referenceAmounts(reference), devices: shown.map(comparedView) },
      solution: solutionAmounts(solution),
      ...differencesView(impact, adjustment),
    },
  }
}

/** Without a source that says how much counts, the difference is only a potential one. */
function differencesView({ reference, solution, onBases }: ImpactOfYear, adjustment: Adjustment | null) {
  const sides = { reference: totalEmissionOf(reference), solution: totalEmissionOf(solution) }
  const breakEven = breakEvenOf(sides)
  const view = (emission: Milligrams, weights: Weights) => {
    const { low, high } = intervalOfDifference(emission, onBases, weights)
    const interval = { low: kilogramsView(low), high: kilogramsView(high), level: UNCERTAINTY_LEVEL }
    return { emission: kilogramsView(emission), interval }
  }
  const gross = view(grossOf(sides), { reference: ONE, solution: ONE })
  const common = { break_even: breakEven && exactNumber(toDecimal(breakEven, SHARE_DECIMALS)) }
  if (adjustment === null) return { potential: gross, ...common }
  const { by, share, source } = adjustment
  const kept = subtract(ONE, share)
  const net =
    by === 'displacement'
      ? view(netOf(sides, share), { reference: share, solution: ONE })
      : view(afterRebound(sides, share), { reference: kept, solution: kept })
  return { gross, net: { ...net, [by]: exactNumber(toDecimal(share)), source }, ...common }
}

const SHARE_DECIMALS = 6

const referenceAmounts = (parts: EmissionsByPart) => ({
  product_embodied_emission: kilogramsView(parts.product_embodied_emission),
  product_use: kilogramsView(parts.product_use),
  total_emission: kilogramsView(totalEmissionOf(parts)),
})

const solutionAmounts = (parts: EmissionsByPart) => ({
  ...breakdownView(PARTS.map((part) => [part, kilogramsView(parts[part])])),
  total_emission: kilogramsView(totalEmissionOf(parts)),
})

function comparedView({ footprintId, footprint, release, numberOfDevices, reference, solution }: ComparedDevices) {
  const name = footprint.fallbackName ?? footprint.name
  const why =
    footprint.level === 'model' ? IMPACT_MESSAGES.new_of_model({ name }) : IMPACT_MESSAGES.new_of_fallback({ name })
  return {
    footprint_id: footprintId,
    ...footprintNameView(footprint),
    dataset_release: release,
    why: why.message,
    why_message: referenceView(why),
    specificity: specificityOf(footprint.level),
    embodied_emission: exactNumber(toDecimal(footprint.embodied)),
    lifetime_months: exactNumber(toDecimal(footprint.lifetimeMonths)),
    number_of_devices: numberOfDevices,
    reference: referenceAmounts(reference),
    solution: solutionAmounts(solution),
  }
}
