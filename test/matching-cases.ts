// The evaluation sets of test/matching: their entries, and each as a product's words.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceType } from '../src/engine/reference/reference-data.ts'
import type { ProductText } from '../src/engine/matching/matcher.ts'

export interface MatchCase {
  readonly id: string
  readonly round?: number
  readonly text:
    | string
    | Readonly<Partial<Record<'product_name' | 'brand' | 'product_id', string>> & { device_type?: DeviceType }>
  readonly kind: string
  readonly acceptable: readonly string[]
}

/** How each came about stands in test/matching/README.md. */
export const SETS = ['tune', 'outside', 'final', 'blind', 'unseen-a', 'unseen-b', 'unseen-c'] as const

export const readCases = (set: (typeof SETS)[number]): readonly MatchCase[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'matching', `${set}.json`), 'utf8')) as readonly MatchCase[]

export function productText({ text }: MatchCase): ProductText {
  const { product_name, brand, device_type, product_id } = typeof text === 'string' ? { product_name: text } : text
  return {
    productName: product_name ?? null,
    brand: brand ?? null,
    deviceType: device_type ?? null,
    productId: product_id ?? null,
  }
}
