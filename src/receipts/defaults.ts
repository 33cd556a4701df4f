// What a receipt says of the order's words: which model they were taken for, and what stands where they are silent.
import { isExactMatch } from '../engine/reference/product-match.ts'
import type { Order } from '../engine/order.ts'
import type { RecomputedOrder } from '../engine/recompute-order.ts'
import { toDecimal, toExactText } from '../engine/numbers/rational.ts'
import type { ResolvedItem, ResolvedProduct, ResolvedTransportation } from '../engine/resolve-order.ts'
import type { ReceiptInputs } from './read-inputs.ts'

/** For each product: what was asked, what that is taken for, by what it was found, and what else it may mean. */
export function printMatches({ facts, candidates }: ReceiptInputs) {
  const { order, bases, found } = facts
  const products = order.items.flatMap((item, at) => (item.type === 'product' ? [{ product: item, at }] : []))
  return products.map(({ product, at }, position) => ({
    item: at,
    serial_number: product.serialNumber,
    asked: {
      product_id: product.productId,
      model_id: product.modelId ?? undefined,
      product_name: product.productName ?? undefined,
      brand: product.brand ?? undefined,
      device_type: product.deviceType ?? undefined,
    },
    resolved_to: bases[position],
    found_by: found[position],
    candidates: isExactMatch(found[position]!) ? [{ model_id: bases[position] }] : candidates[position],
  }))
}

/** The items as they were computed: every value that the order left open filled in. */
export const printNormalisedOrder = ({ sent, items }: RecomputedOrder) => ({
  products: sent.flatMap((item, at) => (item.type === 'product' ? [printProduct(item, at, items)] : [])),
  transportations: sent.flatMap((item, at) => (item.type === 'transportation' ? [printTransportation(item, at)] : [])),
})

const useOf = (item: ResolvedProduct, items: RecomputedOrder['items']): string => {
  const own = items.find((one) => one.item.type === 'product' && one.item.product === item.product)
  return own?.lines.find(({ part }) => part === 'product_use')?.working.method ?? 'none'
}

const printProduct = (item: ResolvedProduct, at: number, items: RecomputedOrder['items']) => ({
  item: at,
  serial_number: item.product.serialNumber,
  country: item.country,
  charged_by: item.basis,
  charged_as: item.footprint.level,
  lifetime_months: toExactText(item.footprint.lifetimeMonths),
  lifetime_from: item.footprint.lifetimeFrom,
  use_by: useOf(item, items),
})

const printTransportation = ({ transportation, factor, distanceKm }: ResolvedTransportation, at: number) => ({
  item: at,
  transportation_id: factor.id,
  transportation_mode: factor.mode,
  distance_basis: transportation.distanceBasis ?? factor.distanceBasis,
  distance_km: toExactText(distanceKm),
  distance_km_basis: factor.distanceBasis,
})

interface Default {
  readonly item: number
  readonly code: string
  readonly says: string
}

/** Where the order is silent or its words lead nowhere: what was taken instead. */
export const printDefaults = ({ sent }: RecomputedOrder, order: Order): readonly Default[] =>
  sent.flatMap((item, at) => defaultsOf(item, order).map(([code, says]) => ({ item: at, code, says })))

function defaultsOf(item: ResolvedItem, order: Order): readonly (readonly [code: string, says: string])[] {
  if (item.type === 'product') return [...countryDefaults(item, order), ...figureDefaults(item)]
  if (item.type === 'packaging') return []
  const { transportation, factor, distanceKm } = item
  const { distanceBasis, distanceKm: stated } = transportation
  if (distanceBasis === null) {
    return [['distance_basis', `No distance_basis is stated: the distance is taken as ${factor.distanceBasis}.`]]
  }
  if (distanceBasis === factor.distanceBasis) return []
  const [from, to] = [stated, distanceKm].map((distance) => toDecimal(distance))
  return [['distance', `${from} km ${distanceBasis} are taken as ${to} km ${factor.distanceBasis}.`]]
}

function countryDefaults({ product, country }: ResolvedProduct, order: Order) {
  if (product.country !== null) return []
  if (country === null) return [['no_country', 'No country is stated: no grid factor can be taken.'] as const]
  return [['country', `No country is stated for the product: that of the order is taken, ${order.country}.`] as const]
}

function figureDefaults({ footprint, basis, ownBasis }: ResolvedProduct) {
  const { level, lifetimeFrom, useFrom, energyFrom, yearlyEnergyKwh, model, typeDefault } = footprint
  const type = `the default of the type "${typeDefault.type}"`
  return [
    ...(level === 'model' ? [] : [['model', `No model is known: ${footprint.name}.`] as const]),
    ...(basis === ownBasis
      ? []
      : [['fixed_by_first_order', `The device is charged by ${basis}, which its first order fixed.`] as const]),
    ...(model && lifetimeFrom === 'type' ? [['lifetime_months', `The lifetime is ${type}.`] as const] : []),
    ...(model && useFrom === 'type' ? [['use_share', `The share of use is ${type}.`] as const] : []),
    ...(model && yearlyEnergyKwh && energyFrom === 'type'
      ? [['yearly_energy_kwh', `The yearly electricity is ${type}.`] as const]
      : []),
  ]
}
