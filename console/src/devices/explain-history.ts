// Why the totals and the months of a device's life are what they are.
import type { Explanation } from '../components/explanation.ts'
import { KG, sumAsText } from '../emissions/kilograms.ts'
import { idleTimesOf, isRented, monthsBetween, type HistoryEvent, type Entry, type DeviceHistory } from './history.ts'
import type { SayOfDevices, EventText } from './events.ts'

const MONTHS = 'METHODOLOGY.md#months'

export const explainTotal = ({ orders, total }: EventText, say: SayOfDevices): Explanation => ({
  title: say('total_emission'),
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
  notes: [say('totalNote', { count: orders.length })],
  methodology: 'METHODOLOGY.md#ledger',
})

export const explainRentedMonths = ({ history }: EventText, value: number, say: SayOfDevices): Explanation => ({
  title: say('rentedMonths'),
  value,
  unit: say('monthsUnit'),
  inputs: history.events.filter(isRented).map(({ from, to, months = 0, customer_id: customer }, at) => ({
    symbol: `${at + 1}`,
    name: customer,
    value: months,
    unit: say('monthsUnit'),
    from: `${from} – ${to}`,
  })),
  methodology: MONTHS,
})

export function explainIdle({ history, day }: EventText, value: number, say: SayOfDevices): Explanation {
  const idle = idleTimesOf(history, day)
  return {
    title: say('idleMonths'),
    value,
    unit: say('monthsUnit'),
    inputs: idle.map(({ from, to }, at) => ({
      symbol: `${at + 1}`,
      name: say('idle'),
      value: monthsBetween(from, to),
      unit: say('monthsUnit'),
      from: `${from} – ${to}`,
    })),
    notes: [say('idleNote')],
    methodology: MONTHS,
  }
}

export function explainMonthsLeft(
  { history: { initial, events, balance } }: EventText,
  say: SayOfDevices,
): Explanation {
  const added = events.reduce((sum, { months_added: months = 0 }) => sum + months, 0)
  const charged = events.reduce((sum, { allocated_months: months = 0 }) => sum + months, 0)
  const unit = say('monthsUnit')
  return {
    title: say('monthsLeft'),
    value: Number(balance.remaining_months.toFixed(2)),
    unit,
    formula: 'L + A − T',
    inputs: [
      { symbol: 'L', name: say('lifetime'), value: initial.lifetime_months, unit, from: say('fromSheetOrType') },
      { symbol: 'A', name: say('monthsAdded'), value: added, unit, from: '' },
      { symbol: 'T', name: say('chargedMonths'), value: Number(charged.toFixed(2)), unit, from: '' },
    ],
    notes: [say('monthsLeftNote')],
    methodology: 'METHODOLOGY.md#ledger',
  }
}

/** @param event one of those of the history */
export function explainLeftAfter(
  { events, initial }: DeviceHistory,
  event: HistoryEvent,
  say: SayOfDevices,
): Explanation {
  const before = events[events.indexOf(event) - 1]?.remaining ?? initial.embodied_emission
  const { remaining, embodied_emission: charged = 0, emission_added: added = 0 } = event
  const isEnd = event.type === 'retired' || event.type === 'lost'
  return {
    title: say('leftAfter'),
    value: remaining,
    unit: KG,
    formula: isEnd ? '0' : `${before}${added === 0 ? '' : ` + ${added}`} − ${charged} = ${remaining}`,
    notes: isEnd ? [say('keptNote')] : [],
    methodology: 'METHODOLOGY.md#ledger',
  }
}

export function explainEntry(entry: Entry, value: number, name: string, say: SayOfDevices): Explanation {
  const { entry_no: no, corrects, cause, customer_id: customer, order_id: order } = entry
  return {
    title: say('whyEntry', { no, name }),
    value,
    unit: KG,
    notes: [
      say(entry.reason),
      ...(order === undefined ? [] : [`${customer ?? ''} · ${order}`]),
      ...(corrects === undefined ? [] : [say('correctsNote', { no: corrects })]),
      ...(cause?.event_id === undefined ? [] : [say('causedByEvent', { id: cause.event_id })]),
      ...(cause?.order_id === undefined ? [] : [say('causedByOrder', { id: cause.order_id })]),
    ],
    methodology: 'METHODOLOGY.md#corrections',
  }
}
