// A device's life on a time line, and what each rental was charged, part by part.
import { BarChart } from '../charts/bar-chart.tsx'
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import { TimeLine, type TimePoint, type TimeSpan } from '../charts/timeline.tsx'
import { KG } from '../emissions/kilograms.ts'
import { PARTS, usePartSeries, type Part } from '../emissions/parts.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import type { OrderKey } from '../orders/order-path.ts'
import { explainRemainingAfter } from './explain-history.ts'
import { explainOrderTotal, explainPart } from './explain-rental.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { idleTimesOf, isRented, type HistoryEvent, type DeviceHistory } from './history.ts'
import type { DeviceMessages, DeviceData } from './events.ts'

const BARS_MAX = 12

export function HistoryCharts(data: DeviceData) {
  const { history, orders, day: today } = data
  const t = useMessages({ en, de })
  const { short, day } = useFormat()
  const series = usePartSeries()
  const bars = orders.slice(-BARS_MAX).map((order) => ({
    key: keyOf(order),
    label: `${order.customer_id} · ${order.order_id}`,
    values: Object.fromEntries(PARTS.map((part) => [part, order.emission[part]?.emission ?? null])),
  }))
  const whyOf = ({ key }: Bar, piece: Series | null) => {
    const order = orders.find((one) => keyOf(one) === key)!
    return () => (piece ? explainPart(data, order, piece.key as Part, t) : explainOrderTotal(order, t))
  }
  const { embodied_total: embodiedTotal, remaining } = history.balance
  return (
    <>
      <TimeLine
        title={t('timeLine')}
        summary={t('timeLineSummary', { embodiedTotal: short(embodiedTotal), remaining: short(remaining), unit: KG })}
        unit={KG}
        points={pointsOf(history, t)}
        spans={spansOf(history, today, t)}
        series={[
          { key: 'rented', label: t('rentedSpan'), look: 'make' },
          { key: 'idle', label: t('idle'), look: 'rest' },
        ]}
        table={{
          columns: [t('what'), t('from'), t('until'), `${t('remaining')} (${KG})`],
          rows: history.events.map((event) => [
            labelOf(event, t),
            day(event.from ?? event.date ?? today),
            event.to === undefined ? null : day(event.to),
            event.remaining,
          ]),
        }}
        explain={{ unit: KG, whyOf: (row) => () => explainRemainingAfter(history, history.events[row]!, t) }}
        note={<p className="muted">{t('timeLineNote')}</p>}
      />
      {bars.length > 0 && (
        <BarChart
          title={t('perRental')}
          summary={t('perRentalSummary', { count: bars.length })}
          unit={KG}
          series={series}
          bars={bars}
          whyOf={whyOf}
          {...(orders.length > bars.length && {
            note: <p className="muted">{t('lastOf', { shown: bars.length, count: orders.length })}</p>,
          })}
        />
      )}
    </>
  )
}

const keyOf = ({ customer_id: customer, order_id: order }: OrderKey): string => JSON.stringify([customer, order])

const labelOf = (event: HistoryEvent, t: DeviceMessages): string =>
  isRented(event) ? event.customer_id : t(event.type)

/** The purchase date of a device is not recorded, so the line begins with the first rental. */
function pointsOf(history: DeviceHistory, t: DeviceMessages): readonly TimePoint[] {
  const { events, initial } = history
  const first = events[0]
  const start = first?.from ?? first?.date
  if (start === undefined) return []
  return [
    { day: start, value: initial.embodied_emission, label: t('initial') },
    ...events.map((event) => ({
      day: event.from ?? event.date!,
      value: event.remaining,
      label: labelOf(event, t),
      isEvent: !isRented(event),
    })),
  ]
}

function spansOf(history: DeviceHistory, today: string, t: DeviceMessages): readonly TimeSpan[] {
  const rentals = history.events.filter(isRented).filter(({ from, to }) => to > from)
  return [
    ...rentals.map(({ from, to, customer_id: label }) => ({ from, to, label, look: 'make' as const })),
    ...idleTimesOf(history, today).map((idle) => ({ ...idle, label: t('idle'), look: 'rest' as const })),
  ]
}
