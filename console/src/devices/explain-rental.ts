// Why a rental was charged what it was: the order's own lines tell, with their formulas, as they stood.
import type { Schemas } from '../api/client.ts'
import { describeLine, explanationOfLine, type Explanation } from '../components/explanation.ts'
import { KG, sumAsText } from '../emissions/kilograms.ts'
import type { Part } from '../emissions/parts.ts'
import type { OrderKey } from '../orders/order-path.ts'
import { readOrder } from '../orders/use-order.ts'
import type { Ledger } from './history.ts'
import type { DeviceMessages, DeviceData } from './events.ts'

type Line = Schemas['EmissionBreakdown']

/** A line that the order has of this device; undefined where it has none. */
export async function readLine(data: DeviceData, key: OrderKey, part: Part): Promise<Line | undefined> {
  const { items } = await readOrder(key, data.knownAt)
  return items.find(({ serial_number: serial }) => serial === data.serial)?.emission_breakdown[part]
}

type LedgerOrder = Ledger['orders'][number]

/** What is shared among the order's devices by weight is told by the order's lines that were shared. */
export async function explainPart(
  data: DeviceData,
  order: LedgerOrder,
  part: Part,
  t: DeviceMessages,
): Promise<Explanation> {
  const share = order.emission[part]
  const value = share?.emission ?? 0
  const title = t(part)
  if (part === 'product_embodied_emission' || part === 'product_use') {
    const line = await readLine(data, order, part)
    if (line) return { ...explanationOfLine(line), unit: KG }
    return { title, value, unit: KG, notes: [t('noLine')], methodology: 'METHODOLOGY.md#ledger' }
  }
  const { items } = await readOrder(order, data.knownAt)
  const lines = items.flatMap(({ emission_breakdown: lines }) => lines[part] ?? [])
  return {
    title,
    value,
    unit: KG,
    inputs: lines.map((line, at) => ({
      symbol: `${at + 1}`,
      name: describeLine(line),
      value: line.emission,
      unit: KG,
      from: t('fromOrderLine'),
    })),
    notes: [t('sharedByWeight')],
    methodology: 'METHODOLOGY.md#allocation',
  }
}

export function explainOrderTotal(order: LedgerOrder, t: DeviceMessages): Explanation {
  const parts = Object.entries(order.emission) as [Part, Line][]
  return {
    title: t('whyOrder', { customer: order.customer_id, order: order.order_id }),
    value: order.total_emission,
    unit: KG,
    formula: sumAsText(
      parts.map(([, line]) => line.emission),
      order.total_emission,
    ),
    inputs: parts.map(([part, line], at) => ({
      symbol: `${at + 1}`,
      name: t(part),
      value: line.emission,
      unit: KG,
      from: '',
    })),
    methodology: 'METHODOLOGY.md#order',
  }
}
