// The fictional customers of the demo fleet and their delivery routes, with distances from a depot in Leipzig.
import type { ReferenceData, TransportMode } from '../engine/reference/reference-data.ts'
import type { WireItem } from '../contract/order-schema.ts'
import type { Random } from './draw.ts'

export interface Customer {
  readonly id: string
  readonly country: string
  readonly site: string
  /** Number of orders out of ten. */
  readonly orders: number
  /** The legs of the delivery, each in kilometres. */
  readonly legs: readonly { readonly mode: TransportMode; readonly km: number }[]
  /** Kilometres of the flight that replaces all legs but the last of an urgent delivery. */
  readonly urgentKm: number
}

const CUSTOMERS: readonly Customer[] = [
  {
    id: 'Nordlicht Verlag GmbH',
    country: 'DE',
    site: 'Hamburg',
    orders: 3,
    legs: [{ mode: 'road', km: 392 }],
    urgentKm: 300,
  },
  {
    id: 'Brandt & Söhne Architekten',
    country: 'DE',
    site: 'München',
    orders: 2,
    legs: [{ mode: 'road', km: 431 }],
    urgentKm: 360,
  },
  {
    id: 'Atelier Moreau SAS',
    country: 'FR',
    site: 'Lyon',
    orders: 2,
    legs: [
      { mode: 'rail', km: 980 },
      { mode: 'road', km: 34 },
    ],
    urgentKm: 800,
  },
  {
    id: 'Kowalczyk Film Sp. z o.o.',
    country: 'PL',
    site: 'Łódź',
    orders: 2,
    legs: [{ mode: 'road', km: 545 }],
    urgentKm: 490,
  },
  {
    id: 'Solberg Robotics AB',
    country: 'SE',
    site: 'Göteborg',
    orders: 1,
    legs: [
      { mode: 'road', km: 428 },
      { mode: 'sea', km: 460 },
      { mode: 'road', km: 22 },
    ],
    urgentKm: 760,
  },
]

/** Each customer occurs as often as its share of the orders. */
export const RANDOM_CUSTOMERS: readonly Customer[] = CUSTOMERS.flatMap((customer) =>
  Array.from({ length: customer.orders }, () => customer),
)

/** An entry that is listed twice is drawn twice as often. */
const CARRIERS: Readonly<Record<TransportMode, readonly string[]>> = {
  road: ['road-van-electric', 'road-van-electric', 'road-van-diesel', 'road-truck-average'],
  rail: ['rail-freight'],
  sea: ['sea-container-average'],
  air: ['air-short-haul'],
}
const URGENT_SHARE = 0.06
const MULTIPLE_SHARE = 0.3
const BOX_KG = 0.45
const KILOGRAMS = 1000

/** The legs of one delivery, and the packaging. */
export function deliveryItems(
  referenceData: ReferenceData,
  customer: Customer,
  goodsKg: number,
  draw: Random,
): readonly WireItem[] {
  const packagings = [...referenceData.packagings.keys()].slice(0, 4)
  const boxKg = inGrams(BOX_KG + goodsKg / 12)
  const filling = draw.chance(MULTIPLE_SHARE) ? [packaging([...referenceData.packagings.keys()].at(-1)!, 0.08)] : []
  const isUrgent = draw.chance(URGENT_SHARE)
  const legs = isUrgent ? [{ mode: 'air' as const, km: customer.urgentKm }, customer.legs.at(-1)!] : customer.legs
  const way = legs.map(({ mode, km }): WireItem => {
    const id = draw.oneOf(CARRIERS[mode])
    const config = { transportation_id: id, transportation_mode: mode, distance_km: km }
    return { type: 'transportation', config: { ...config, weight_kg: inGrams(goodsKg + boxKg) } }
  })
  return [...way, packaging(draw.oneOf(packagings), boxKg), ...filling]
}

const packaging = (id: string, kilograms: number): WireItem => ({
  type: 'packaging',
  config: { packaging_id: id, weight_kg: kilograms },
})

const inGrams = (kilograms: number): number => Math.round(kilograms * KILOGRAMS) / KILOGRAMS
