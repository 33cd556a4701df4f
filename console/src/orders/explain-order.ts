// Why the figures of an order are what they are: each is a sum of others, down to the lines that the API explains.
import { explanationOfLine, type Explanation } from '../components/explanation.ts'
import { KG, sumAsText, sumOfKilograms } from '../emissions/kilograms.ts'
import { PARTS, type Part } from '../emissions/parts.ts'
import type { Format } from '../i18n/format.ts'
import type { Say } from '../i18n/language.tsx'
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

export type SayOfOrders = Say<keyof typeof en>

/** More would be a table, and that stands on the page. */
const INPUTS_MAX = 12

interface Summand {
  readonly name: string
  readonly value: number
}

/** A sum with its summands, those that weigh little taken together. */
function explainSum(
  say: SayOfOrders,
  title: string,
  value: number,
  summands: readonly Summand[],
  from: string,
): Explanation {
  const [shown, others] = largestFirst(summands, INPUTS_MAX, (one) => one.value)
  const all = [
    ...shown,
    ...(others.length > 0
      ? [{ name: say('others', { count: others.length }), value: sumOfKilograms(others.map((one) => one.value)) }]
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

export function explainTotal(order: Order, say: SayOfOrders, format: Format): Explanation {
  const summands = order.items.map((item) => ({ name: nameOf(item, format), value: item.total_emission }))
  const title = say('totalOf', { order: order.order_id })
  return {
    ...explainSum(say, title, order.total_emission, summands, say('fromItems')),
    ...(order.uncertainty && { uncertainty: order.uncertainty }),
    notes: [say('intervalOfSum')],
    methodology: 'METHODOLOGY.md#order',
  }
}

export function explainCertain(order: Order, certain: number, say: SayOfOrders, format: Format): Explanation {
  const summands = linesOf(order.items)
    .filter(({ line }) => line.type !== 'indicative')
    .map(({ line, item }) => ({ name: nameOfLine(item, line, format), value: line.emission }))
  return {
    ...explainSum(say, say('certainOf', { order: order.order_id }), certain, summands, say('fromLines')),
    notes: [say('indicativeLeftOut')],
    methodology: 'METHODOLOGY.md#type-of-a-line',
  }
}

const nameOfLine = ({ serial_number: serial }: Item, { description }: Line, { told }: Format): string =>
  serial === undefined ? told(description) : `${serial}: ${told(description)}`

/** Lines that are taken together; one alone is explained as it is itself. */
export function explainLines(
  title: string,
  lines: readonly OrderLine[],
  say: SayOfOrders,
  format: Format,
): Explanation {
  const [first, ...others] = lines
  if (first && others.length === 0) return explainLine(first.line)
  const summands = lines.map(({ item, line }) => ({ name: nameOfLine(item, line, format), value: line.emission }))
  const value = sumOfKilograms(summands.map((one) => one.value))
  return explainSum(say, title, value, summands, say('fromLines'))
}

export function explainShare(share: Share, part: Part | null, say: SayOfOrders): Explanation {
  const value = part === null ? share.total : share.parts[part]
  const name = part === null ? say('total') : say(part)
  const summands = share.entries.map((entry) => ({
    name: say('entryOf', { no: entry.entry_no, reason: say(entry.reason) }),
    value: part === null ? entry.total_emission : entry.emission[part],
  }))
  const title = say('shareOf', { part: name, device: share.serial ?? say('orderItself') })
  const isShared = part === 'transportation' || part === 'packaging'
  return {
    ...explainSum(say, title, value, summands, say('fromEntries')),
    notes: [say(isShared ? 'sharedByWeight' : 'postedIsSum')],
    methodology: isShared ? 'METHODOLOGY.md#allocation' : 'METHODOLOGY.md#ledger',
  }
}

export function explainEntry(entry: Entry, part: Part | null, say: SayOfOrders, format: Format): Explanation {
  const { tenure_start_date: from, tenure_end_date: to, tenure_months: months, corrects, cause } = entry
  const title = say('entryOf', { no: entry.entry_no, reason: say(entry.reason) })
  const posted = say('postedAt', { time: format.time(entry.posted_at) })
  const notes = [
    posted,
    ...(from !== undefined && to !== undefined && months !== undefined
      ? [say('termsNote', { from: format.day(from), to: format.day(to), count: months, months: format.full(months) })]
      : []),
    ...(corrects === undefined ? [] : [say('correctsNote', { no: corrects })]),
    ...(cause?.event_id === undefined ? [] : [say('eventNote', { id: cause.event_id })]),
    ...(cause?.order_id === undefined ? [] : [say('otherOrderNote', { order: cause.order_id })]),
    say('neverChanged'),
  ]
  const methodology = entry.kind === 'correction' ? 'METHODOLOGY.md#corrections' : 'METHODOLOGY.md#ledger'
  if (part !== null)
    return { title: `${title} · ${say(part)}`, value: entry.emission[part], unit: KG, notes, methodology }
  const summands = PARTS.map((one) => ({ name: say(one), value: entry.emission[one] }))
  return { ...explainSum(say, title, entry.total_emission, summands, say('fromParts')), notes, methodology }
}
