// Warnings about an order: what is probably wrong in it, judged by the order and its matched products alone.
import type { Problem } from '../engine/order.ts'
import type { Footprint } from '../engine/reference/footprint.ts'
import type { Rational } from '../engine/numbers/rational.ts'
import type { ResolvedItem } from '../engine/resolve-order.ts'
import type { WireItem, WireOrder } from './order-schema.ts'
import { WARNING_MESSAGES } from './messages.ts'

const TENURE_MONTHS_MAX = 84
const DISTANCE_KM_MAX = 25_000
/** A weight is plausible from a quarter to this many times that of the model or of its type. */
const WEIGHT_RATIO_MAX = 4
/** The heaviest plausible device of an unknown type, kg. */
const WEIGHT_KG_MAX = 60
/** The levels of footprints for which nothing but the weight is known. */
const BY_WEIGHT_ALONE: ReadonlySet<Footprint['level']> = new Set(['weight', 'weight-fit'] as const)
/** Sums of decimals are not exact in floating point. */
const SUM_TOLERANCE = 1e-9

/**
 * All warnings about an accepted order. The effort is linear in the number of items.
 * @param body the order as it was sent, with the members that it may have
 * @param wire the same order in canonical form
 * @param items its items in the same order, matched to footprints
 */
export function warningsOf(body: WireOrder, wire: WireOrder, items: readonly ResolvedItem[]): readonly Problem[] {
  const warnings = [
    ...trimmed('/customer_id', body.customer_id, wire.customer_id),
    ...trimmed('/order_id', body.order_id, wire.order_id),
  ]
  let [devicesKg, transportedKg, legs] = [0, 0, 0]
  for (const [position, item] of (wire.items ?? []).entries()) {
    const path = `/items/${position}/config`
    if (item.type === 'product') {
      const sent = body.items![position]! as typeof item
      warnings.push(...trimmed(`${path}/product_id`, sent.config.product_id, item.config.product_id))
      warnings.push(...productWarnings(item, items[position]!, path))
      devicesKg += item.config.weight_kg
    } else if (item.type === 'transportation') {
      warnings.push(...distanceWarnings(item.config.distance_km, path))
      transportedKg += item.config.weight_kg
      legs += 1
    }
  }
  if (legs > 0 && transportedKg < devicesKg * (1 - SUM_TOLERANCE))
    warnings.push({
      path: '/items',
      ...WARNING_MESSAGES.transport_lighter_than_devices({
        transported_kg: rounded(transportedKg),
        devices_kg: rounded(devicesKg),
      }),
    })
  return warnings
}

/** An id of which white space was trimmed, or which was normalised. */
export const trimmed = (path: string, sent: string, used: string): readonly Problem[] =>
  sent === used ? [] : [{ path, ...WARNING_MESSAGES.white_space_trimmed({ used }) }]

function productWarnings(
  { config }: Extract<WireItem, { type: 'product' }>,
  item: ResolvedItem,
  path: string,
): readonly Problem[] {
  const warnings: Problem[] = []
  warnings.push(...tenureWarnings(config.tenure_months, `${path}/tenure_months`))
  if (item.type !== 'product') return warnings
  warnings.push(...weightWarnings(config.weight_kg, item.footprint, `${path}/weight_kg`))
  warnings.push(...weightAloneWarnings(item.footprint, `${path}/product_id`))
  return warnings
}

/** The warning that nothing but the weight of a product is known. */
export const weightAloneWarnings = ({ level }: Footprint, path: string): readonly Problem[] =>
  BY_WEIGHT_ALONE.has(level) ? [{ path, ...WARNING_MESSAGES.stand_in_by_weight_alone() }] : []

export const tenureWarnings = (months: number, path: string): readonly Problem[] =>
  months <= TENURE_MONTHS_MAX
    ? []
    : [{ path, ...WARNING_MESSAGES.implausible_tenure({ months, max: TENURE_MONTHS_MAX }) }]

/**
 * @param weightKg weight of a device, kg
 * @param footprint null if nothing else is known of the device
 */
export function weightWarnings(weightKg: number, footprint: Footprint | null, path: string): readonly Problem[] {
  const [min, max] = plausibleWeightKg(footprint)
  if (weightKg >= min && weightKg <= max) return []
  const range = { weight_kg: weightKg, min_kg: rounded(min), max_kg: rounded(max) }
  return [{ path, ...WARNING_MESSAGES.implausible_weight(range) }]
}

function plausibleWeightKg(footprint: Footprint | null): readonly [min: number, max: number] {
  const usual = footprint?.model?.weightKg ?? footprint?.typeDefault.weightKg
  if (!usual) return [0, WEIGHT_KG_MAX]
  const kg = toNumber(usual)
  return [kg / WEIGHT_RATIO_MAX, kg * WEIGHT_RATIO_MAX]
}

function distanceWarnings(distanceKm: number, path: string): readonly Problem[] {
  if (distanceKm <= DISTANCE_KM_MAX) return []
  const unusual = { distance_km: distanceKm, max: DISTANCE_KM_MAX }
  return [{ path: `${path}/distance_km`, ...WARNING_MESSAGES.implausible_distance(unusual) }]
}

const toNumber = ({ numerator, denominator }: Rational): number => Number(numerator) / Number(denominator)

/** To a gram. */
const rounded = (kg: number): number => Math.round(kg * 1000) / 1000
