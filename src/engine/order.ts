// An order as the engine takes it: what the client asked, in exact units, with names not yet looked up.
import type { DeviceType, DistanceBasis } from './figures/factor-book.ts'
import type { Rational } from './numbers/ratio.ts'

export interface Order {
  readonly customerId: string
  readonly orderId: string
  /** Calendar days, YYYY-MM-DD, without time zone. */
  readonly orderDate: string
  readonly tenureStartDate: string
  /** ISO 3166-1 alpha-2 code of where the devices are used, or null where the client did not say. */
  readonly country: string | null
  readonly items: readonly Item[]
}

export type Item = Product | Transportation | Packaging

export interface Product {
  readonly type: 'product'
  readonly productId: string
  readonly serialNumber: string
  readonly tenureMonths: number
  readonly weightKg: Rational
  readonly deviceType: DeviceType | null
  readonly modelId: string | null
  /** As people call it, and by whom it is made; null where the client did not say. */
  readonly productName: string | null
  readonly brand: string | null
  readonly country: string | null
}

export interface Transportation {
  readonly type: 'transportation'
  readonly transportationId: string
  readonly transportationMode: string
  readonly distanceKm: Rational
  readonly weightKg: Rational
  readonly distanceBasis: DistanceBasis | null
}

export interface Packaging {
  readonly type: 'packaging'
  readonly packagingId: string
  readonly weightKg: Rational
}

/** Something wrong with what the client sent: where (a JSON pointer), what, and what would be right. */
export interface Problem {
  readonly path: string
  readonly message: string
  readonly suggestions?: readonly string[]
}

/** A member's name as a token of a JSON pointer (RFC 6901). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
