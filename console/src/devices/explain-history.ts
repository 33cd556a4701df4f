// Why the totals and the months of a device's life are what they are.
import type { Explanation } from '../components/explanation.ts'
import { KG, sumAsText } from '../emissions/kilograms.ts'
import { idleTimesOf, isRented, monthsBetween, type HistoryEvent, type Entry, type DeviceHistory } from './history.ts'
import type { DeviceMessages, DeviceData } from './events.ts'

const MONTHS = 'METHODOLOGY.md#months'

export const explainTotal = ({ orders, total }: DeviceData, t: DeviceMessages): Explanation => ({
  title: t('total_emission'),
  value: total,
  unit: KG,
  ...(orders.length > 1 && {
    formula: sumAsText(
      orders.map((order) => order.total_emission),
      total,
    ),
  }),
  inputs: orders.map((order, at) => ({
    symbol: `${at + 1}`,
    name: `${order.customer_id} · ${order.order_id}`,
    value: order.total_emission,
    unit: KG,
    from: '',
  })),
  notes: [t('totalNote', { count: orders.length })],
  methodology: 'METHODOLOGY.md#ledger',
})

export const explainRentedMonths = ({ history }: DeviceData, value: number, t: DeviceMessages): Explanation => ({
  title: t('rentedMonths'),
  value,
  unit: t('monthsUnit'),
  inputs: history.events.filter(isRented).map(({ from, to, months = 0, customer_id: customer }, at) => ({
    symbol: `${at + 1}`,
    name: customer,
    value: months,
    unit: t('monthsUnit'),
    from: `${from} – ${to}`,
  })),
  methodology: MONTHS,
})

export function explainIdle({ history, day }: DeviceData, value: number, t: DeviceMessages): Explanation {
  const idle = idleTimesOf(history, day)
  return {
    title: t('idleMonths'),
    value,
    unit: t('monthsUnit'),
    inputs: idle.map(({ from, to }, at) => ({
      symbol: `${at + 1}`,
      name: t('idle'),
      value: monthsBetween(from, to),
      unit: t('monthsUnit'),
      from: `${from} – ${to}`,
    })),
    notes: [t('idleNote')],
    methodology: MONTHS,
  }
}

export function explainRemainingMonths(
  { history: { initial, events, balance } }: DeviceData,
  t: DeviceMessages,
): Explanation {
  const added = events.reduce((sum, { months_added: months = 0 }) => sum + months, 0)
  const allocated = events.reduce((sum, { allocated_months: months = 0 }) => sum + months, 0)
  const unit = t('monthsUnit')
  return {
    title: t('remainingMonths'),
    value: Number(balance.remaining_months.toFixed(2)),
    unit,
    formula: 'L + ΔL − T',
    inputs: [
      { symbol: 'L', name: t('lifetime'), value: initial.lifetime_months, unit, from: t('fromSheetOrType') },
      { symbol: 'ΔL', name: t('monthsAdded'), value: added, unit, from: '' },
      { symbol: 'T', name: t('allocatedMonths'), value: Number(allocated.toFixed(2)), unit, from: '' },
    ],
    notes: [t('remainingMonthsNote')],
    methodology: 'METHODOLOGY.md#ledger',
  }
}

/** @param event one of those of the history */
export function explainRemainingAfter(
  { events, initial }: DeviceHistory,
  event: HistoryEvent,
  t: DeviceMessages,
): Explanation {
  const before = events[events.indexOf(event) - 1]?.remaining ?? initial.embodied_emission
  const { remaining, embodied_emission: allocated = 0, emission_added: added = 0 } = event
  const isEnd = event.type === 'retired' || event.type === 'lost'
  return {
    title: t('remainingAfter'),
    value: remaining,
    unit: KG,
    formula: isEnd ? '0' : `${before}${added === 0 ? '' : ` + ${added}`} − ${allocated} = ${remaining}`,
    notes: isEnd ? [t('writtenOffNote')] : [],
    methodology: 'METHODOLOGY.md#ledger',
  }
}

export function explainEntry(entry: Entry, value: number, name: string, t: DeviceMessages): Explanation {
  const { entry_no: no, corrects, cause, customer_id: customer, order_id: order } = entry
  return {
    title: t('whyEntry', { no, name }),
    value,
    unit: KG,
    notes: [
      t(entry.reason),
      ...(order === undefined ? [] : [`${customer ?? ''} · ${order}`]),
      ...(corrects === undefined ? [] : [t('correctsNote', { no: corrects })]),
      ...(cause?.event_id === undefined ? [] : [t('causedByEvent', { id: cause.event_id })]),
      ...(cause?.order_id === undefined ? [] : [t('causedByOrder', { id: cause.order_id })]),
    ],
    methodology: 'METHODOLOGY.md#corrections',
  }
}
