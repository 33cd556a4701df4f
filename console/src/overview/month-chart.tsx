// What was emitted month by month, stacked by part.
import { BarChart } from '../charts/bar-chart.tsx'
import { hrefOfBars } from '../emissions/bar-link.ts'
import { KG } from '../emissions/kilograms.ts'
import { useFormat } from '../i18n/format.ts'
import { useMessages } from '../i18n/language.tsx'
import { usePartSeries } from '../emissions/parts.ts'
import type { Report } from '../emissions/report-query.ts'
import { barsOf, useWhyOfBar } from '../emissions/report-bars.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { monthsFrom } from './time.ts'

export function MonthChart({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const { month } = useFormat()
  const series = usePartSeries()
  const whyOf = useWhyOfBar(report, 'month', 'part', series)
  const present = report.groups.map(({ labels }) => labels[0]!).toSorted()
  const months = monthsFrom(present[0]!, present.at(-1)!)
  return (
    <BarChart
      title={t('byMonth')}
      summary={t('byMonthSummary', { count: months.length })}
      unit={KG}
      direction="up"
      series={series}
      bars={barsOf(report, months, series, (label) => month(label!))}
      whyOf={whyOf}
      hrefOf={hrefOfBars(report, 'month', 'part')}
    />
  )
}
