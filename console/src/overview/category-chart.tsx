// What was emitted by GHG category, and how much of each is indicative. The book decides which part stands where.
import { BarChart } from '../charts/bar-chart.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Tell } from '../i18n/service-text.tsx'
import { hrefOfBars } from '../emissions/bar-link.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import { useEstimateSeries } from '../emissions/parts.ts'
import { barsOf, useWhyOfBar } from '../emissions/report-bars.ts'
import { sumBy, type Report } from '../emissions/report-query.ts'
import { topGroups } from '../emissions/top-groups.ts'
import { KG } from '../emissions/kilograms.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export function CategoryChart({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const nameOf = useLabelNames()
  const series = useEstimateSeries()
  const whyOf = useWhyOfBar(report, 'category', 'estimate_type', series)
  const { ranked } = topGroups(sumBy(report.groups, 0), Infinity)
  const scopeOf = new Map(report.labels.map(({ ghg_scope: scope, ghg_category: category }) => [category, scope]))
  const labels = ranked.map(({ label }) => label)
  const named = (label: string | null) =>
    `${nameOf('scope', scopeOf.get(label ?? '') ?? null)} · ${nameOf('category', label)}`
  return (
    <BarChart
      title={t('byCategory')}
      summary={t('byCategorySummary', { count: labels.length })}
      unit={KG}
      series={series}
      bars={barsOf(report, labels, series, named)}
      whyOf={whyOf}
      hrefOf={hrefOfBars(report, 'category', 'estimate_type')}
      note={
        <details className="overview-reasons">
          <summary>{t('whyThere')}</summary>
          <ul>
            {report.labels.map(({ part, ghg_category: category, reason: message, reason_message: reason }) => (
              <li key={part}>
                <strong>{nameOf('part', part)}</strong>: {nameOf('category', category)}.{' '}
                <Tell text={{ message, ...reason }} />
              </li>
            ))}
          </ul>
        </details>
      }
    />
  )
}
