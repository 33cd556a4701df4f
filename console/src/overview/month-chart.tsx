// The months, stacked by part: with the year before as a line, and what is contracted for months to come.
import { BarChart } from '../charts/bar-chart.tsx'
import type { Bar } from '../charts/bars.ts'
import { AHEAD } from '../charts/theme.ts'
import { hrefOfBars } from '../emissions/bar-link.ts'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { usePartSeries } from '../emissions/parts.ts'
import { sumBy, type Report } from '../emissions/report-query.ts'
import { barsOf, useWhyOfBar } from '../emissions/report-bars.ts'
import type { View } from './filters.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { monthsOf } from './month-span.ts'
import { monthBefore, today } from './time.ts'

export interface MonthChartProps {
  readonly view: View
  /** Each by month and part; null where there is none. */
  readonly months: Report
  readonly before: Report | null
  readonly ahead: Report | null
}

export function MonthChart({ view: { time }, months: report, before, ahead }: MonthChartProps) {
  const t = useMessages({ en, de })
  const { month } = useFormat()
  const series = usePartSeries()
  const coming = ahead ?? { ...report, groups: [] }
  const whyOf = useWhyOfBar(report, 'month', 'part', series)
  const whyAhead = useWhyOfBar(coming, 'month', 'part', series)
  const whyBefore = useWhyOfBar(before ?? report, 'month', 'part', series)
  const named = (label: string | null) => month(label!)
  const months = monthsOf(report, time)
  const [bars, barsAhead] = [barsOf(report, months, series, named), aheadBars(coming, named)]
  const partsAhead = new Map(
    barsOf(
      coming,
      barsAhead.map(({ key }) => key),
      series,
      named,
    ).map((bar) => [bar.key, bar]),
  )
  const sumsBefore = before && sumBy(before.groups, 0)
  const running = time.to !== null && time.kind !== 'year' ? today().slice(0, 7) : null
  const valueBefore = (key: string) => sumsBefore?.get(monthBefore(key)) ?? null
  const partsBefore = (key: string) => barsOf(before!, [monthBefore(key)], series, named)[0]!
  const values = [...bars.map(({ key }) => valueBefore(key)), ...barsAhead.map(() => null)]
  const [href, hrefAhead] = [hrefOfBars(report, 'month', 'part'), hrefOfBars(coming, 'month', 'part')]
  return (
    <BarChart
      title={t('byMonth')}
      summary={t('byMonthSummary', { count: months.length, ahead: barsAhead.length })}
      unit={KG}
      direction="up"
      series={barsAhead.length === 0 ? series : [...series, { key: AHEAD, label: t('contracted'), look: AHEAD }]}
      bars={[...bars.map((bar) => ({ ...bar, isRunning: bar.key === running })), ...barsAhead]}
      whyOf={(bar, piece) => (bar.isAhead ? whyAhead(partsAhead.get(bar.key)!, null) : whyOf(bar, piece))}
      hrefOf={(first, last) => (first.isAhead ? hrefAhead : href)(first, last)}
      {...(values.some((value) => value !== null) && {
        line: { label: t('lineBefore'), values, whyOf: ({ key }) => whyBefore(partsBefore(key), null) },
      })}
      {...(running !== null && { running: t('running', { month: month(running) }) })}
    />
  )
}

/** One piece a month: what it is made of is told where it is explained. */
const aheadBars = (report: Report, nameOf: (label: string | null) => string): readonly Bar[] =>
  [...sumBy(report.groups, 0)]
    .filter(([, sum]) => sum > 0)
    .toSorted(([a], [b]) => (a! < b! ? -1 : 1))
    .map(([label, sum]) => ({ key: label!, label: nameOf(label), values: { [AHEAD]: sum }, isAhead: true }))
