// What a receipt says of the order's words: which model they were taken for, and what stands where they are silent.
import { aliasKey, type FactorBook } from '../engine/factor-book.ts'
import { WEIGHT_BASIS } from '../engine/footprint.ts'
import type { OrderFacts } from '../engine/order-facts.ts'
import type { Order, Product } from '../engine/order.ts'
import type { RecomputedOrder } from '../engine/recompute-order.ts'
import { findFallback } from '../engine/ladder.ts'
import { matchOf } from '../engine/match-product.ts'
import { toDecimal, toExactText } from '../engine/ratio.ts'
import { findModelId, type ResolvedItem, type ResolvedProduct, type ResolvedTransportation } from '../engine/resolve.ts'
import { printCandidates } from './name-matches.ts'

/** For each product: what was asked, what that is taken for, by what it was found, and what else bears the name. */
export function printMatches({ order, bases }: OrderFacts, book: FactorBook) {
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
    found_by: foundBy(product, bases[position]!, book),
    candidates: candidatesFor(product, book),
  }))
}

/** What of the order led to the basis; `recorded` where today's rules would lead elsewhere. */
function foundBy(product: Product, basis: string, book: FactorBook): string {
  const { modelId, productId, deviceType } = product
  const text = modelId ?? productId
  const model = findModelId(text, book)
  if (model !== null) {
    const member = modelId === null ? 'product_id' : 'model_id'
    return model !== basis ? 'recorded' : aliasKey(text) === model ? member : `alias_in_${member}`
  }
  const named = matchOf(product, book).model
  if (named !== null) return named === basis ? 'name' : 'recorded'
  const fallback = findFallback(basis, book)?.fallback
  const type = basis === WEIGHT_BASIS ? 'any' : (fallback?.type ?? basis.replace(/^type:/, ''))
  if (fallback?.level === 'family') return deviceType === null || deviceType === type ? 'family' : 'recorded'
  if (type !== (deviceType ?? 'any')) return 'recorded'
  if (deviceType === null) return 'weight'
  return fallback?.brand ? 'brand' : 'device_type'
}

function candidatesFor(product: Product, book: FactorBook) {
  const key = aliasKey(product.modelId ?? product.productId)
  const bearers = book.models.has(key) ? [key] : (book.aliases.get(key) ?? [])
  const match = bearers.length === 1 ? null : matchOf(product, book)
  if (match && (match.model !== null || bearers.length === 0)) return printCandidates(match)
  return bearers.map((id) => ({ model_id: id }))
}

/** The items as they were computed: every value that the order left open filled in. */
export const printAfterDefaults = ({ sent, items }: RecomputedOrder) => ({
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
