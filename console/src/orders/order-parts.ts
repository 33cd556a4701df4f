// The lines of an order one by one, and its items by name, as charts and tables show them.
import type { Schemas } from '../api/client.ts'
import { PARTS, type Part } from '../emissions/parts.ts'
import type { Format } from '../i18n/format.ts'

export type Order = Schemas['OrderState']
export type Item = Schemas['ResponseItem']
export type Line = Schemas['EmissionBreakdown']
export type Entry = Schemas['Entry']

export interface OrderLine {
  readonly key: string
  readonly item: Item
  readonly part: Part
  readonly line: Line
}

export const linesOf = (items: readonly Item[]): readonly OrderLine[] =>
  items.flatMap((item, at) =>
    PARTS.flatMap((part) => {
      const line = item.emission_breakdown[part]
      return line ? [{ key: `${at} ${part}`, item, part, line }] : []
    }),
  )

/** The sentence of a product's line begins so; what follows names the product. */
const OF_PRODUCT = /^(Embodied emission of|Emission from use of) (a typical )?/
const STANDS_IN = / \(stands in for .*\)$/

/** What an item is, in few words: the product with its serial number, or what is told of its line. */
export function nameOf(item: Item, { told }: Format): string {
  const { serial_number: serial } = item
  const sentence = linesOf([item])[0]?.line.description ?? ''
  if (serial === undefined) return told(sentence)
  const product = sentence.replace(OF_PRODUCT, '').replace(STANDS_IN, '')
  const name = STANDS_IN.test(sentence) ? told(product, 'product') : product
  return name === '' ? serial : `${serial} · ${name}`
}

/**
 * The heaviest, in the sequence that they had, and the others: a chart of a thousand bars tells nothing.
 * @param weightOf what they are compared by
 */
export function largestFirst<One>(
  all: readonly One[],
  count: number,
  weightOf: (one: One) => number,
): readonly [shown: readonly One[], others: readonly One[]] {
  if (all.length <= count + 1) return [all, []]
  const chosen = new Set([...all].sort((a, b) => Math.abs(weightOf(b)) - Math.abs(weightOf(a))).slice(0, count))
  return [all.filter((one) => chosen.has(one)), all.filter((one) => !chosen.has(one))]
}
