// Why the figures of an order are what they are: each is a sum of others, down to the lines that the API explains.
import { describeLine, explanationOfLine, type Explanation } from '../components/explanation.ts'
import { KG, sumAsText, sumOfKilograms } from '../emissions/kilograms.ts'
import { PARTS, type Part } from '../emissions/parts.ts'
import type { Format } from '../i18n/format.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import type { Share } from './device-shares.ts'
import type en from './messages.en.json'
import {
  largestFirst,
  linesOf,
  nameOf,
  type Entry,
  type Item,
  type Line,
  type Order,
  type OrderLine,
} from './order-parts.ts'

export type OrderMessages = MessageFormatter<keyof typeof en>

/** More would be a table, and that stands on the page. */
const INPUTS_MAX = 12

interface Summand {
  readonly name: string
  readonly value: number
}

/** A sum with its summands, those that weigh little taken together. */
function explainSum(
  t: OrderMessages,
  title: string,
  value: number,
  summands: readonly Summand[],
  from: string,
): Explanation {
  const [shown, others] = largestFirst(summands, INPUTS_MAX, (one) => one.value)
  const all = [
    ...shown,
    ...(others.length > 0
      ? [{ name: t('others', { count: others.length }), value: sumOfKilograms(others.map((one) => one.value)) }]
      : []),
  ]
  return {
    title,
    value,
    unit: KG,
    ...(all.length > 1 && {
      formula: sumAsText(
        all.map((one) => one.value),
        value,
      ),
    }),
    inputs: all.map((one, at) => ({ symbol: `${at + 1}`, name: one.name, value: one.value, unit: KG, from })),
  }
}

export const explainLine = (line: Line): Explanation => ({ ...explanationOfLine(line), unit: KG })

export function explainTotal(order: Order, t: OrderMessages, format: Format): Explanation {
  const summands = order.items.map((item) => ({ name: nameOf(item, format), value: item.total_emission }))
  const title = t('totalOf', { order: order.order_id })
  return {
    ...explainSum(t, title, order.total_emission, summands, t('fromItems')),
    ...(order.uncertainty && { uncertainty: order.uncertainty }),
    notes: [t('intervalOfSum')],
    methodology: 'METHODOLOGY.md#order',
  }
}

export function explainCertain(order: Order, certain: number, t: OrderMessages, format: Format): Explanation {
  const summands = linesOf(order.items)
    .filter(({ line }) => line.type !== 'indicative')
    .map(({ line, item }) => ({ name: nameOfLine(item, line, format), value: line.emission }))
  return {
    ...explainSum(t, t('withoutIndicativeOf', { order: order.order_id }), certain, summands, t('fromLines')),
    notes: [t('indicativeLeftOut')],
    methodology: 'METHODOLOGY.md#type-of-a-line',
  }
}

const nameOfLine = ({ serial_number: serial }: Item, line: Line, { told }: Format): string =>
  serial === undefined ? told(describeLine(line)) : `${serial}: ${told(describeLine(line))}`

/** Lines that are taken together; one alone is explained as it is itself. */
export function explainLines(
  title: string,
  lines: readonly OrderLine[],
  t: OrderMessages,
  format: Format,
): Explanation {
  const [first, ...others] = lines
  if (first && others.length === 0) return explainLine(first.line)
  const summands = lines.map(({ item, line }) => ({ name: nameOfLine(item, line, format), value: line.emission }))
  const value = sumOfKilograms(summands.map((one) => one.value))
  return explainSum(t, title, value, summands, t('fromLines'))
}

export function explainShare(share: Share, part: Part | null, t: OrderMessages): Explanation {
  const value = part === null ? share.total : share.parts[part]
  const name = part === null ? t('total') : t(part)
  const summands = share.entries.map((entry) => ({
    name: t('entryOf', { no: entry.entry_no, reason: t(entry.reason) }),
    value: part === null ? entry.total_emission : entry.emission[part],
  }))
  const title = t('shareOf', { part: name, device: share.serial ?? t('orderItself') })
  const isShared = part === 'transportation' || part === 'packaging'
  return {
    ...explainSum(t, title, value, summands, t('fromEntries')),
    notes: [t(isShared ? 'sharedByWeight' : 'postedIsSum')],
    methodology: isShared ? 'METHODOLOGY.md#allocation' : 'METHODOLOGY.md#ledger',
  }
}

export function explainEntry(entry: Entry, part: Part | null, t: OrderMessages, format: Format): Explanation {
  const { tenure_start_date: from, tenure_end_date: to, tenure_months: months, corrects, cause } = entry
  const title = t('entryOf', { no: entry.entry_no, reason: t(entry.reason) })
  const posted = t('postedAt', { time: format.time(entry.posted_at) })
  const notes = [
    posted,
    ...(from !== undefined && to !== undefined && months !== undefined
      ? [t('termsNote', { from: format.day(from), to: format.day(to), count: months, months: format.full(months) })]
      : []),
    ...(corrects === undefined ? [] : [t('correctsNote', { no: corrects })]),
    ...(cause?.event_id === undefined ? [] : [t('eventNote', { id: cause.event_id })]),
    ...(cause?.order_id === undefined ? [] : [t('otherOrderNote', { order: cause.order_id })]),
    t('neverChanged'),
  ]
  const methodology = entry.kind === 'correction' ? 'METHODOLOGY.md#corrections' : 'METHODOLOGY.md#ledger'
  if (part !== null)
    return { title: `${title} · ${t(part)}`, value: entry.emission[part], unit: KG, notes, methodology }
  const summands = PARTS.map((one) => ({ name: t(one), value: entry.emission[one] }))
  return { ...explainSum(t, title, entry.total_emission, summands, t('fromParts')), notes, methodology }
}
