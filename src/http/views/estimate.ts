// Estimates as JSON: the order's response, and each alternative with its lines and the difference.
import type { OrderFootprint } from '../../engine/estimate.ts'
import { EMISSION_UNIT, type Milligrams } from '../../engine/numbers/emission.ts'
import { decimalOf, rational, roundHalfAway } from '../../engine/numbers/rational.ts'
import { appendSerialised, exactNumber, withSerialised } from '../../strict-json/json-number.ts'
import { kilogramsView } from './emission.ts'
import { itemsView, orderView, totalsView, type OrderToShow } from './order.ts'
import type { Include } from '../parameters.ts'

export interface EstimatedAlternative {
  readonly name: string
  readonly footprint: OrderFootprint
}

/** @param alternatives null if none were requested: the response is then that of an order */
export function estimateView(
  answered: OrderToShow,
  alternatives: readonly EstimatedAlternative[] | null,
  include: Include,
): string {
  const text = orderView(answered, include)
  if (!alternatives) return text
  const total = answered.items.flatMap(({ lines }) => lines).reduce((sum, { emission }) => sum + emission, 0n)
  const rendered = alternatives.map((one) => alternativeView(one, total, answered, include))
  return appendSerialised(text, { alternatives: `[${rendered.join(',')}]` })
}

function alternativeView(
  { name, footprint }: EstimatedAlternative,
  total: Milligrams,
  { accountId, referenceData }: OrderToShow,
  include: Include,
): string {
  const difference = footprint.total - total
  const view = {
    name,
    emission_unit: EMISSION_UNIT,
    total_emission: kilogramsView(footprint.total),
    ...totalsView(footprint.items, include),
    difference: { emission: kilogramsView(difference), percent: percentOf(difference, total) },
  }
  return withSerialised(view, { items: itemsView(accountId, footprint.items, referenceData, include) })
}

const PERCENT_DECIMALS = 2

/** To two decimals, half away from zero. */
function percentOf(difference: Milligrams, total: Milligrams): number | null {
  if (total === 0n) return null
  const scaled = rational(difference * 100n * 10n ** BigInt(PERCENT_DECIMALS), total)
  return exactNumber(decimalOf(roundHalfAway(scaled), PERCENT_DECIMALS))
}
