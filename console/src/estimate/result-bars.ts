// What was answered, way by way and by the parts of each: the bars, and why each number is what it is.
import type { Schemas } from '../api/client.ts'
import type { Bar } from '../charts/bars.ts'
import { describeLine, explanationOfLine, type Explanation } from '../components/explanation.ts'
import { KG, sumAsText, sumOfKilograms } from '../emissions/kilograms.ts'
import { PARTS, type Part } from '../emissions/parts.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import type en from './messages.en.json'

export type Estimate = Schemas['EstimateResponse']
type Line = Schemas['EmissionBreakdown']

/** The order, or an alternative to it. */
export interface Way {
  readonly name: string
  readonly total: number
  readonly interval: Schemas['Uncertainty'] | undefined
  readonly lines: Readonly<Record<Part, readonly Line[]>>
  readonly difference: Schemas['Alternative']['difference'] | null
}

export function waysOf(estimate: Estimate, nameOfOrder: string): readonly Way[] {
  return [
    { ...wayOf(estimate), name: nameOfOrder, difference: null },
    ...(estimate.alternatives ?? []).map((one) => ({ ...wayOf(one), name: one.name, difference: one.difference })),
  ]
}

function wayOf({
  total_emission: total,
  uncertainty: interval,
  items,
}: Pick<Estimate, 'total_emission' | 'uncertainty' | 'items'>) {
  const of = (part: Part): readonly Line[] => items.flatMap(({ emission_breakdown: lines }) => lines[part] ?? [])
  const lines = Object.fromEntries(PARTS.map((part) => [part, of(part)])) as Record<Part, readonly Line[]>
  return { total, interval, lines }
}

export const emissionOf = (lines: readonly Line[]): number | null =>
  lines.length === 0 ? null : sumOfKilograms(lines.map(({ emission }) => emission))

export const barOf = ({ name, lines, interval }: Way): Bar => ({
  key: name,
  label: name,
  values: Object.fromEntries(PARTS.map((part) => [part, emissionOf(lines[part])])),
  ...(interval && { low: interval.low, high: interval.high }),
})

/** Those whose interval overlaps that of the order: whether they emit less cannot be told by their totals. */
export const indistinguishable = ([order, ...others]: readonly Way[]): readonly Way[] =>
  others.filter(({ interval }) => overlap(order?.interval, interval))

const overlap = (one: Way['interval'], other: Way['interval']): boolean =>
  one !== undefined && other !== undefined && one.low <= other.high && other.low <= one.high

type EstimateMessages = MessageFormatter<keyof typeof en>

/** A part that is one line is explained as that line is; what adds several up, by what it adds up. */
export function explainPart(way: Way, part: Part, t: EstimateMessages): Explanation {
  const lines = way.lines[part]
  const [first] = lines
  return lines.length === 1 && first ? explanationOfLine(first) : explainSum(`${way.name}: ${t(part)}`, lines, t)
}

export const explainTotal = (way: Way, t: EstimateMessages): Explanation => ({
  ...explainSum(
    `${way.name}: ${t('total')}`,
    PARTS.flatMap((part) => way.lines[part]),
    t,
  ),
  value: way.total,
  ...(way.interval && { uncertainty: way.interval }),
  methodology: 'METHODOLOGY.md#uncertainty',
})

const explainSum = (title: string, lines: readonly Line[], t: EstimateMessages): Explanation => ({
  title,
  value: emissionOf(lines) ?? 0,
  unit: KG,
  formula: sumAsText(
    lines.map(({ emission }) => emission),
    emissionOf(lines) ?? 0,
  ),
  inputs: lines.map((line) => ({
    symbol: '',
    name: describeLine(line),
    value: line.emission,
    unit: KG,
    from: '',
  })),
  notes: [t('eachLine')],
})

export const explainDifference = (order: Way, { name, total, difference }: Way, t: EstimateMessages): Explanation => ({
  title: t('differenceOf', { name }),
  value: difference?.emission ?? 0,
  unit: KG,
  formula: `${total} − ${order.total} = ${difference?.emission ?? 0}`,
  inputs: [
    { symbol: '', name, value: total, unit: KG, from: '' },
    { symbol: '', name: order.name, value: order.total, unit: KG, from: '' },
  ],
  notes: [t('belowZero')],
})
