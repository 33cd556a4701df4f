// A product as an order may have it, for tests that are about one or two of its members.
import type { Product } from '../src/engine/order.ts'
import { parseDecimal } from '../src/engine/numbers/rational.ts'

export const anyProduct = (changes: Partial<Product> = {}): Product => ({
  type: 'product',
  productId: 'P-1',
  serialNumber: 'S1',
  tenureMonths: 3,
  weightKg: parseDecimal('1.24'),
  deviceType: null,
  modelId: null,
  productName: null,
  brand: null,
  country: null,
  ...changes,
})
