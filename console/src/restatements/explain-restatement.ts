// Why a figure of a restatement is what it is: sums of causes, orders before and after.
import type { Explanation } from '../components/explanation.ts'
import { KG, plain, sumAsText } from '../emissions/kilograms.ts'
import type { MessageFormatter } from '../i18n/language.tsx'
import { pathOfOrder } from '../orders/order-path.ts'
import type en from './messages.en.json'
import { causesIn, type Bridge, type Cause, type OrderChange, type Preview } from './use-restatements.ts'

type Messages = MessageFormatter<keyof typeof en>

const METHODOLOGY = 'METHODOLOGY.md#restatements'

interface Amounts {
  readonly difference: number
  readonly bridge: Bridge
}

/** A difference as the sum of its causes. */
function explainSum(title: string, { difference: value, bridge }: Amounts, t: Messages): Explanation {
  const causes = causesIn(bridge)
  return {
    title,
    value,
    unit: KG,
    ...(causes.length > 0 && {
      formula: sumAsText(
        causes.map((cause) => bridge[cause]!),
        value,
      ),
    }),
    inputs: causes.map((cause, at) => ({
      symbol: String(at + 1),
      name: t(cause),
      value: bridge[cause]!,
      unit: KG,
      from: '',
    })),
    notes: [t('bridgeNote')],
    methodology: METHODOLOGY,
  }
}

export const explainDifference = (preview: Preview, t: Messages): Explanation => explainSum(t('difference'), preview, t)

export const explainYear = (year: number, amounts: Amounts, t: Messages): Explanation =>
  explainSum(t('differenceOfYear', { year: String(year) }), amounts, t)

export function explainOrderChange(change: OrderChange, t: Messages): Explanation {
  const links = [{ path: pathOfOrder(change), label: t('toOrder') }]
  return { ...explainSum(t('differenceOf', { id: change.order_id }), change, t), links }
}

export const explainBefore = ({ before: value, number_of_orders: count }: Preview, t: Messages): Explanation => ({
  title: t('before'),
  value,
  unit: KG,
  notes: [t('beforeNote', { count })],
  methodology: METHODOLOGY,
})

export const afterOf = ({ before, difference }: { readonly before: number; readonly difference: number }): number =>
  plain(before + difference)

export function explainAfter({ before, difference }: Preview, t: Messages): Explanation {
  const value = afterOf({ before, difference })
  return {
    title: t('after'),
    value,
    unit: KG,
    formula: sumAsText([before, difference], value),
    inputs: [
      { symbol: '1', name: t('before'), value: before, unit: KG, from: '' },
      { symbol: '2', name: t('difference'), value: difference, unit: KG, from: '' },
    ],
    methodology: METHODOLOGY,
  }
}

/** @param of what moves, as a title: a year, an order, or all of it */
export const explainCause = (of: string, cause: Cause, value: number, t: Messages): Explanation => ({
  title: `${of}: ${t(cause)}`,
  value,
  unit: KG,
  notes: [t(`${cause}Why`), t('bridgeNote')],
  methodology: METHODOLOGY,
})
