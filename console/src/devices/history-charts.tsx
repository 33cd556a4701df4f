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
import { explainLeftAfter } from './explain-history.ts'
import { explainOrderTotal, explainPart } from './explain-rental.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { idleTimesOf, isRented, type HistoryEvent, type DeviceHistory } from './history.ts'
import type { SayOfDevices, EventText } from './events.ts'

const BARS_MAX = 12

export function HistoryCharts(told: EventText) {
  const { history, orders, day: today } = told
  const say = useMessages({ en, de })
  const { short, day } = useFormat()
  const series = usePartSeries()
  const bars = orders.slice(-BARS_MAX).map((order) => ({
    key: keyOf(order),
    label: `${order.customer_id} · ${order.order_id}`,
    values: Object.fromEntries(PARTS.map((part) => [part, order.emission[part]?.emission ?? null])),
  }))
  const whyOf = ({ key }: Bar, piece: Series | null) => {
    const order = orders.find((one) => keyOf(one) === key)!
    return () => (piece ? explainPart(told, order, piece.key as Part, say) : explainOrderTotal(order, say))
  }
  const { embodied_total: putIn, remaining } = history.balance
  return (
    <>
      <TimeLine
        title={say('timeLine')}
        summary={say('timeLineSummary', { putIn: short(putIn), remaining: short(remaining), unit: KG })}
        unit={KG}
        points={pointsOf(history, say)}
        spans={spansOf(history, today, say)}
        series={[
          { key: 'rented', label: say('rentedSpan'), look: 'make' },
          { key: 'idle', label: say('idle'), look: 'rest' },
        ]}
        table={{
          columns: [say('what'), say('from'), say('until'), `${say('remaining')} (${KG})`],
          rows: history.events.map((event) => [
            labelOf(event, say),
            day(event.from ?? event.date ?? today),
            event.to === undefined ? null : day(event.to),
            event.remaining,
          ]),
        }}
        explain={{ unit: KG, whyOf: (row) => () => explainLeftAfter(history, history.events[row]!, say) }}
        note={<p className="muted">{say('timeLineNote')}</p>}
      />
      {bars.length > 0 && (
        <BarChart
          title={say('perRental')}
          summary={say('perRentalSummary', { count: bars.length })}
          unit={KG}
          series={series}
          bars={bars}
          whyOf={whyOf}
          {...(orders.length > bars.length && {
            note: <p className="muted">{say('lastOf', { shown: bars.length, count: orders.length })}</p>,
          })}
        />
      )}
    </>
  )
}

const keyOf = ({ customer_id: customer, order_id: order }: OrderKey): string => JSON.stringify([customer, order])

const labelOf = (event: HistoryEvent, say: SayOfDevices): string =>
  isRented(event) ? event.customer_id : say(event.type)

/** The purchase date of a device is not recorded, so the line begins with the first rental. */
function pointsOf(history: DeviceHistory, say: SayOfDevices): readonly TimePoint[] {
  const { events, initial } = history
  const first = events[0]
  const start = first?.from ?? first?.date
  if (start === undefined) return []
  return [
    { day: start, value: initial.embodied_emission, label: say('initial') },
    ...events.map((event) => ({
      day: event.from ?? event.date!,
      value: event.remaining,
      label: labelOf(event, say),
      isEvent: !isRented(event),
    })),
  ]
}

function spansOf(history: DeviceHistory, today: string, say: SayOfDevices): readonly TimeSpan[] {
  const rentals = history.events.filter(isRented).filter(({ from, to }) => to > from)
  return [
    ...rentals.map(({ from, to, customer_id: label }) => ({ from, to, label, look: 'make' as const })),
    ...idleTimesOf(history, today).map((idle) => ({ ...idle, label: say('idle'), look: 'rest' as const })),
  ]
}
