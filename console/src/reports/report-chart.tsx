// A report as a chart: bars by what is grouped by first, pieces by what is grouped by second.
import { BarChart } from '../charts/bar-chart.tsx'
import { LOOKS, type Series } from '../charts/theme.ts'
import { useMessages } from '../i18n/language.tsx'
import { useDimensionName } from './dimension-name.ts'
import { topGroups } from '../emissions/top-groups.ts'
import { KG } from '../emissions/kilograms.ts'
import { hrefOfBars } from '../emissions/bar-link.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useEstimateSeries, usePartSeries } from '../emissions/parts.ts'
import { useOthersName, OTHERS_KEY, barsOf, othersBar, useWhyOfBar } from '../emissions/report-bars.ts'
import { sumBy, type Report } from '../emissions/report-query.ts'

const TIMES: readonly string[] = ['month', 'quarter', 'year']
const BARS_MAX = 15

export function ReportChart({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const othersName = useOthersName()
  const dimensionName = useDimensionName()
  const [first = '', second = ''] = report.group_by
  const isTime = TIMES.includes(first)
  const sums = sumBy(report.groups, 0)
  const { ranked, others } = isTime
    ? { ranked: [...sums.keys()].toSorted().map((label) => ({ label })), others: { count: 0 } }
    : topGroups(sums, BARS_MAX)
  const labels = ranked.map(({ label }) => label)
  const nameOf = useLabelNames(first === 'model' ? labels.filter((label) => label !== null) : [])
  const series = useSeries(report, second)
  const whyOf = useWhyOfBar(report, first, second, series)
  const rest = others.count === 0 ? [] : [othersBar(report, labels, series, othersName(others.count))]
  const names = report.group_by.map(dimensionName).join(', ')
  return (
    <BarChart
      title={t('chartOf', { names })}
      summary={t('chartSummary', { count: labels.length, names })}
      unit={KG}
      direction={isTime ? 'up' : 'across'}
      series={series}
      bars={[...barsOf(report, labels, series, (label) => nameOf(first, label)), ...rest]}
      whyOf={whyOf}
      hrefOf={hrefOfBars(report, first, second)}
    />
  )
}

/** Parts look as they do everywhere; of other things the heaviest have looks of their own, as many as there are. */
function useSeries({ groups }: Report, by: string): readonly Series[] {
  const t = useMessages({ en, de })
  const othersName = useOthersName()
  const [parts, types] = [usePartSeries(), useEstimateSeries()]
  const sums = sumBy(groups, 1)
  const { ranked, others } = topGroups(sums, sums.size > LOOKS.length ? LOOKS.length - 1 : LOOKS.length)
  const nameOf = useLabelNames(by === 'model' ? ranked.flatMap(({ label }) => label ?? []) : [])
  if (by === 'part') return parts
  if (by === 'estimate_type') return types
  if (by === '') return [{ key: '', label: t('emission'), look: 'total' }]
  const named = ranked.map(({ label }, at) => ({ key: label ?? '', label: nameOf(by, label), look: LOOKS[at]! }))
  if (others.count === 0) return named
  return [...named, { key: OTHERS_KEY, label: othersName(others.count), look: LOOKS.at(-1)! }]
}
