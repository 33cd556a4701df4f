// Estimates as JSON text: the order's response, and each alternative with its lines and the difference.
import type { OrderFootprint } from '../../engine/estimate.ts'
import { toKilograms, type Milligrams } from '../../engine/numbers/emission.ts'
import { decimalOf, rational, roundHalfAway } from '../../engine/numbers/rational.ts'
import { UNIT, itemViews, orderView, totalsView, type OrderToShow } from './order.ts'
import type { Include } from '../parameters.ts'

export interface EstimatedAlternative {
  readonly name: string
  readonly footprint: OrderFootprint
}

/** @param alternatives null if none were requested: the response is then that of an order */
export function renderEstimate(
  answered: OrderToShow,
  alternatives: readonly EstimatedAlternative[] | null,
  include: Include,
): string {
  const text = orderView(answered, include)
  if (!alternatives) return text
  const total = answered.items.flatMap(({ lines }) => lines).reduce((sum, { emission }) => sum + emission, 0n)
  const rendered = alternatives.map((one) => renderAlternative(one, total, answered, include))
  return `${text.slice(0, -1)},"alternatives":[${rendered.join(',')}]}`
}

function renderAlternative(
  { name, footprint }: EstimatedAlternative,
  total: Milligrams,
  { accountId, referenceData }: OrderToShow,
  include: Include,
): string {
  const difference = footprint.total - total
  return (
    `{"name":${JSON.stringify(name)},"emission_unit":${UNIT},"total_emission":${toKilograms(footprint.total)}` +
    `${totalsView(footprint.items, include)},` +
    `"difference":{"emission":${toKilograms(difference)},"percent":${percentOf(difference, total)}},` +
    `"items":[${itemViews(accountId, footprint.items, referenceData, include)}]}`
  )
}

const PERCENT_DECIMALS = 2

/** To two decimals, half away from zero. */
const percentOf = (difference: Milligrams, total: Milligrams): string =>
  total === 0n
    ? 'null'
    : decimalOf(roundHalfAway(rational(difference * 100n * 10n ** BigInt(PERCENT_DECIMALS), total)), PERCENT_DECIMALS)
