// The lines of an order one by one, and its items by name, as charts and tables show them.
import type { Schemas } from '../api/client.ts'
import { describeLine } from '../components/explanation.ts'
import { PARTS, type Part } from '../emissions/parts.ts'
import type { Format } from '../i18n/format.ts'
import type { ServiceText } from '../i18n/service-text.tsx'
import type { ServiceMessage } from '../service-texts/messages.ts'

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

/** What an item is, in few words: the product with its serial number, or the description of its line. */
export function nameOf(item: Item, { told }: Format): string {
  const { serial_number: serial } = item
  const [first] = linesOf([item])
  if (serial === undefined) return first ? told(describeLine(first.line)) : ''
  const product = first && productOf(describeLine(first.line))
  return product ? `${serial} · ${told(product)}` : serial
}

/** The model or the fallback that the description of a product's line names. */
function productOf({ params = {} }: ServiceMessage): ServiceText | undefined {
  const { name, fallback } = params
  if (typeof name === 'string') return name
  const product = isMessage(fallback) ? fallback.params?.['product'] : undefined
  return isMessage(product) ? product : undefined
}

const isMessage = (value: unknown): value is ServiceMessage =>
  typeof value === 'object' && value !== null && 'message' in value

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
