// An order in two pictures: its items by part, and the way from its lines to its total, each with its interval.
import { BarChart } from '../charts/bar-chart.tsx'
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/looks.ts'
import { Waterfall, type Step } from '../charts/waterfall.tsx'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import type { SayOfOrders } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { KG, LOOK_OF, PARTS, heaviest, linesOf, nameOf, sumOfKilograms, type Item, type Order } from './order-parts.ts'

const BARS_MAX = 15
const STEPS_MAX = 20

export function OrderCharts({ order }: { readonly order: Order }) {
  const say = useMessages({ en, de })
  const { short } = useFormat()
  const series = PARTS.map((part): Series => ({ key: part, label: say(part), look: LOOK_OF[part] }))
  const { uncertainty, total_emission: total } = order
  const summary = say('chartSummary', { order: order.order_id, total: short(total), unit: KG })
  return (
    <>
      <BarChart
        title={say('byItem')}
        summary={`${summary} ${say('byItemSummary', { count: order.items.length })}`}
        unit={KG}
        series={series}
        bars={barsOf(order.items, say)}
        note={<p className="muted">{say('whiskers')}</p>}
      />
      <Waterfall
        title={say('toTotal')}
        summary={`${summary} ${say('toTotalSummary', { count: linesOf(order.items).length })}`}
        unit={KG}
        series={series}
        steps={stepsOf(order.items, say)}
        total={{ label: say('total'), value: total, ...(uncertainty && intervalOf(uncertainty)) }}
        note={<p className="muted">{say('toTotalNote')}</p>}
      />
    </>
  )
}

const intervalOf = ({ low, high }: { readonly low: number; readonly high: number }) => ({ low, high })

function barsOf(items: readonly Item[], say: SayOfOrders): readonly Bar[] {
  const [shown, others] = heaviest(items, BARS_MAX, (item) => item.total_emission)
  const bars = shown.map((item, at): Bar => ({
    key: String(at),
    label: nameOf(item),
    values: valuesOf([item]),
    ...(item.uncertainty && intervalOf(item.uncertainty)),
  }))
  if (others.length === 0) return bars
  return [...bars, { key: 'others', label: say('others', { count: others.length }), values: valuesOf(others) }]
}

const valuesOf = (items: readonly Item[]): Record<string, number> =>
  Object.fromEntries(
    PARTS.map((part) => [part, sumOfKilograms(items.map((item) => item.emission_breakdown[part]?.emission ?? 0))]),
  )

/** Line by line; where there are many, those that weigh little by part. */
function stepsOf(items: readonly Item[], say: SayOfOrders): readonly Step[] {
  const [shown, others] = heaviest(linesOf(items), STEPS_MAX, ({ line }) => line.emission)
  const steps = shown.map(({ key, item, part, line }): Step => ({
    key,
    label: item.serial_number === undefined ? line.description : `${say(part)} · ${nameOf(item)}`,
    value: line.emission,
    look: LOOK_OF[part],
    ...(line.uncertainty && intervalOf(line.uncertainty)),
  }))
  const rest = PARTS.flatMap((part): readonly Step[] => {
    const own = others.filter((one) => one.part === part)
    if (own.length === 0) return []
    const label = `${say(part)} · ${say('others', { count: own.length })}`
    return [{ key: part, label, value: sumOfKilograms(own.map(({ line }) => line.emission)), look: LOOK_OF[part] }]
  })
  return [...steps, ...rest]
}
