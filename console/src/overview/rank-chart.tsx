// Customers or models, those first that weigh most, each stacked by part; after ten all others are one.
import { BarChart } from '../charts/bar-chart.tsx'
import { useMessages } from '../i18n/language.tsx'
import { hrefOfBars } from '../emissions/bar-link.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import { modelNamesIn } from '../emissions/model-names.ts'
import { usePartSeries } from '../emissions/parts.ts'
import { useOthersName, barsOf, othersBar, useWhyOfBar } from '../emissions/report-bars.ts'
import { sumBy, type Report } from '../emissions/report-query.ts'
import { topGroups } from '../emissions/top-groups.ts'
import { KG } from '../emissions/kilograms.ts'
import de from './messages.de.json'
import en from './messages.en.json'

const RANKED_MAX = 10

export interface RankChartProps {
  readonly dimension: 'customer' | 'model'
  readonly report: Report
}

export function RankChart({ dimension, report }: RankChartProps) {
  const t = useMessages({ en, de })
  const othersName = useOthersName()
  const series = usePartSeries()
  const { ranked, others } = topGroups(sumBy(report.groups, 0), RANKED_MAX)
  const labels = ranked.map(({ label }) => label)
  const nameOf = useLabelNames([], modelNamesIn(report, 0))
  const whyOf = useWhyOfBar(report, dimension, 'part', series)
  const rest = others.count === 0 ? [] : [othersBar(report, labels, series, othersName(others.count))]
  return (
    <BarChart
      title={t(`${dimension}Rank`)}
      summary={t(`${dimension}Summary`, { count: labels.length })}
      unit={KG}
      series={series}
      bars={[...barsOf(report, labels, series, (label) => nameOf(dimension, label)), ...rest]}
      whyOf={whyOf}
      hrefOf={hrefOfBars(report, dimension, 'part')}
    />
  )
}
