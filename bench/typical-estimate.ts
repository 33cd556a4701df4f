// The peer's arithmetic: plain numbers, factors in constants; the answer has the contract's shape and about its size.
import { randomUUID } from 'node:crypto'

export interface UsualOrder {
  readonly customer_id: string
  readonly order_id: string
  readonly order_date: string
  readonly tenure_start_date: string
  readonly items?: readonly UsualItem[]
}

interface UsualItem {
  readonly type: 'product' | 'transportation' | 'packaging'
  readonly config: {
    readonly product_id?: string
    readonly serial_number?: string
    readonly tenure_months?: number
    readonly distance_km?: number
    readonly weight_kg: number
  }
}

export interface UsualEstimate extends Omit<UsualOrder, 'items'> {
  readonly created_at: string
  readonly status: 'created'
  readonly emission_unit: 'kgCO2e'
  readonly total_emission: number
  readonly items: readonly UsualEstimatedItem[]
}

interface UsualEstimatedItem {
  readonly type: string
  readonly device_id?: string
  readonly serial_number?: string | undefined
  readonly total_emission: number
  readonly emission_breakdown: Readonly<Record<string, Line>>
}

type Line = ReturnType<typeof createLine>

const FOOTPRINT_KG = 135
const USE_SHARE = 0.19
const LIFETIME_MONTHS = 48
const TRANSPORT_KG_PER_TONNE_KM = 0.121
const PACKAGING_KG_PER_KG = 0.83
const PURCHASED = 'Category 1: Purchased goods and services'
const UPSTREAM = 'Category 4: Upstream transportation and distribution'

export function estimateUsually({ items = [], ...order }: UsualOrder): UsualEstimate {
  const estimated = items.map(estimateItem)
  return {
    ...order,
    created_at: new Date().toISOString(),
    status: 'created',
    emission_unit: 'kgCO2e',
    total_emission: estimated.reduce((total, item) => total + item.total_emission, 0),
    items: estimated,
  }
}

function estimateItem({ type, config }: UsualItem): UsualEstimatedItem {
  if (type === 'product') return estimateProduct(config)
  if (type === 'transportation') {
    const emission = (config.weight_kg / 1000) * (config.distance_km ?? 0) * TRANSPORT_KG_PER_TONNE_KM
    return estimatedItem(type, {
      transportation: createLine('Upstream transportation of the device', emission, UPSTREAM, '3', 'estimated'),
    })
  }
  const emission = config.weight_kg * PACKAGING_KG_PER_KG
  const packaging = createLine('Packaging of the device', emission, PURCHASED, '3', 'estimated')
  return estimatedItem(type, { packaging })
}

function estimateProduct(config: UsualItem['config']): UsualEstimatedItem {
  const charged = FOOTPRINT_KG * Math.min((config.tenure_months ?? 0) / LIFETIME_MONTHS, 1)
  const name = config.product_id ?? ''
  const breakdown = {
    product_embodied_emission: createLine(
      `Embodied emission of ${name}`,
      charged * (1 - USE_SHARE),
      PURCHASED,
      '3',
      'estimated',
    ),
    product_use: createLine(`Emission from use of ${name}`, charged * USE_SHARE, 'Electricity', '2', 'indicative'),
  }
  return { ...estimatedItem('product', breakdown), device_id: randomUUID(), serial_number: config.serial_number }
}

function estimatedItem(type: string, breakdown: Readonly<Record<string, Line>>): UsualEstimatedItem {
  const total = Object.values(breakdown).reduce((sum, line) => sum + line.emission, 0)
  return { type, total_emission: total, emission_breakdown: breakdown }
}

function createLine(description: string, emission: number, category: string, scope: string, type: string) {
  return { description, emission, emission_unit: 'kgCO2e', ghg_category: category, ghg_scope: scope, type }
}
