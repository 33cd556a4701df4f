// A device's life on a time line, and what each rental was charged, part by part.
import { BarChart } from '../charts/bar-chart.tsx'
import type { Series } from '../charts/looks.ts'
import { TimeLine, type TimePoint, type TimeSpan } from '../charts/time-line.tsx'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { KG, LOOK_OF, PARTS, idleTimesOf, isRented, type Chapter, type Story } from './story.ts'
import type { SayOfDevices, Told } from './told.ts'

const BARS_MAX = 12

export function StoryCharts({ story, orders, day: today }: Told) {
  const say = useMessages({ en, de })
  const { short, day } = useFormat()
  const parts: readonly Series[] = PARTS.map((key) => ({ key, label: say(key), look: LOOK_OF[key] }))
  const bars = orders.slice(-BARS_MAX).map((order) => ({
    key: `${order.customer_id} ${order.order_id}`,
    label: `${order.customer_id} · ${order.order_id}`,
    values: Object.fromEntries(PARTS.map((part) => [part, order.emission[part]?.emission ?? 0])),
  }))
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
        note={<p className="muted">{say('timeLineNote')}</p>}
      />
      {bars.length > 0 && (
        <BarChart
          title={say('perRental')}
          summary={say('perRentalSummary', { count: bars.length })}
          unit={KG}
          series={parts}
          bars={bars}
          {...(orders.length > bars.length && {
            note: <p className="muted">{say('lastOf', { shown: bars.length, count: orders.length })}</p>,
          })}
        />
      )}
    </>
  )
}

const labelOf = (chapter: Chapter, say: SayOfDevices): string =>
  isRented(chapter) ? chapter.customer_id : say(chapter.type)

/** Nobody tells when a device was bought: the line begins with the first rental. */
function pointsOf(story: Story, say: SayOfDevices): readonly TimePoint[] {
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

function spansOf(story: Story, today: string, say: SayOfDevices): readonly TimeSpan[] {
  const rentals = story.chapters.filter(isRented).filter(({ from, to }) => to > from)
  return [
    ...rentals.map(({ from, to, customer_id: label }) => ({ from, to, label, look: 'make' as const, lane: 'life' })),
    ...idleTimesOf(story, today).map((idle) => ({ ...idle, label: say('idle'), look: 'rest' as const, lane: 'life' })),
  ]
}
