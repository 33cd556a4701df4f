// An order in two pictures: its items by part, and the way from its lines to its total, each with its interval.
import { BarChart } from '../charts/bar-chart.tsx'
import type { Bar } from '../charts/bars.ts'
import type { Series } from '../charts/theme.ts'
import { Waterfall, type Step } from '../charts/waterfall.tsx'
import { describeLine } from '../components/explanation.ts'
import { KG, sumOfKilograms } from '../emissions/kilograms.ts'
import { LOOK_OF, PARTS, usePartSeries } from '../emissions/parts.ts'
import { useFormat, type Format } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { explainLine, explainLines, explainTotal, type OrderMessages } from './explain-order.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { largestFirst, linesOf, nameOf, type Item, type Line, type Order } from './order-parts.ts'

const BARS_MAX = 15
const STEPS_MAX = 20

export function OrderCharts({ order }: { readonly order: Order }) {
  const t = useMessages({ en, de })
  const format = useFormat()
  const { short } = format
  const series = usePartSeries()
  const { items, uncertainty, total_emission: total } = order
  const summary = t('chartSummary', { order: order.order_id, total: short(total), unit: KG })
  const bars = barsOf(items, t, format)
  const whyOf = ({ key, label }: Bar, piece: Series | null) => {
    const lines = linesOf(bars.find((bar) => bar.key === key)!.items)
    const own = piece ? lines.filter(({ part }) => part === piece.key) : lines
    return () => explainLines(piece ? `${label}: ${piece.label}` : label, own, t, format)
  }
  const why = () => explainTotal(order, t, format)
  return (
    <>
      <BarChart
        title={t('byItem')}
        summary={`${summary} ${t('byItemSummary', { count: items.length })}`}
        unit={KG}
        series={series}
        bars={bars}
        whyOf={whyOf}
        note={<p className="muted">{t('whiskers')}</p>}
      />
      <Waterfall
        title={t('toTotal')}
        summary={`${summary} ${t('toTotalSummary', { count: linesOf(items).length })}`}
        unit={KG}
        series={series}
        steps={stepsOf(items, t, format)}
        total={{ label: t('total'), value: total, why, ...(uncertainty && intervalOf(uncertainty)) }}
        note={<p className="muted">{t('toTotalNote')}</p>}
      />
    </>
  )
}

const intervalOf = ({ low, high }: { readonly low: number; readonly high: number }) => ({ low, high })

interface ItemsBar extends Bar {
  readonly items: readonly Item[]
}

function barsOf(all: readonly Item[], t: OrderMessages, format: Format): readonly ItemsBar[] {
  const [shown, others] = largestFirst(all, BARS_MAX, (item) => item.total_emission)
  const bars = shown.map((item, at): ItemsBar => ({
    key: String(at),
    label: nameOf(item, format),
    items: [item],
    values: valuesOf([item]),
    ...(item.uncertainty && intervalOf(item.uncertainty)),
  }))
  if (others.length === 0) return bars
  const label = t('others', { count: others.length })
  return [...bars, { key: 'others', label, items: others, values: valuesOf(others) }]
}

/** Null where no line is of a part, which is not 0. */
const valuesOf = (items: readonly Item[]): Bar['values'] =>
  Object.fromEntries(
    PARTS.map((part) => {
      const lines = items.flatMap(({ emission_breakdown: lines }) => lines[part] ?? [])
      return [part, lines.length === 0 ? null : kilogramsOf(lines)]
    }),
  )

const kilogramsOf = (lines: readonly Line[]): number => sumOfKilograms(lines.map(({ emission }) => emission))

/** Line by line; where there are many, those that weigh little by part. */
function stepsOf(items: readonly Item[], t: OrderMessages, format: Format): readonly Step[] {
  const [shown, others] = largestFirst(linesOf(items), STEPS_MAX, ({ line }) => line.emission)
  const steps = shown.map(({ key, item, part, line }): Step => ({
    key,
    label: item.serial_number === undefined ? format.told(describeLine(line)) : `${t(part)} · ${nameOf(item, format)}`,
    value: line.emission,
    look: LOOK_OF[part],
    why: () => explainLine(line),
    ...(line.uncertainty && intervalOf(line.uncertainty)),
  }))
  const rest = PARTS.flatMap((part): readonly Step[] => {
    const own = others.filter((one) => one.part === part)
    if (own.length === 0) return []
    const label = `${t(part)} · ${t('others', { count: own.length })}`
    const why = () => explainLines(label, own, t, format)
    return [{ key: part, label, value: kilogramsOf(own.map(({ line }) => line)), look: LOOK_OF[part], why }]
  })
  return [...steps, ...rest]
}
