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
  const { story, orders, day: today } = told
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
  const { put_in: putIn, left } = story.balance
  return (
    <>
      <TimeLine
        title={say('timeLine')}
        summary={say('timeLineSummary', { putIn: short(putIn), left: short(left), unit: KG })}
        unit={KG}
        points={pointsOf(story, say)}
        spans={spansOf(story, today, say)}
        series={[
          { key: 'rented', label: say('rentedSpan'), look: 'make' },
          { key: 'idle', label: say('idle'), look: 'rest' },
        ]}
        table={{
          columns: [say('what'), say('from'), say('until'), `${say('left')} (${KG})`],
          rows: story.chapters.map((chapter) => [
            labelOf(chapter, say),
            day(chapter.from ?? chapter.date ?? today),
            chapter.to === undefined ? null : day(chapter.to),
            chapter.left,
          ]),
        }}
        explain={{ unit: KG, whyOf: (row) => () => explainLeftAfter(story, story.chapters[row]!, say) }}
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

const labelOf = (chapter: HistoryEvent, say: SayOfDevices): string =>
  isRented(chapter) ? chapter.customer_id : say(chapter.type)

/** Nobody tells when a device was bought: the line begins with the first rental. */
function pointsOf(story: DeviceHistory, say: SayOfDevices): readonly TimePoint[] {
  const { chapters, bought } = story
  const first = chapters[0]
  const start = first?.from ?? first?.date
  if (start === undefined) return []
  return [
    { day: start, value: bought.embodied_emission, label: say('bought') },
    ...chapters.map((chapter) => ({
      day: chapter.from ?? chapter.date!,
      value: chapter.left,
      label: labelOf(chapter, say),
      isEvent: !isRented(chapter),
    })),
  ]
}

function spansOf(story: DeviceHistory, today: string, say: SayOfDevices): readonly TimeSpan[] {
  const rentals = story.chapters.filter(isRented).filter(({ from, to }) => to > from)
  return [
    ...rentals.map(({ from, to, customer_id: label }) => ({ from, to, label, look: 'make' as const })),
    ...idleTimesOf(story, today).map((idle) => ({ ...idle, label: say('idle'), look: 'rest' as const })),
  ]
}
