// A report as one wants it: grouped by two things, filtered, by the rules chosen; as a chart, a table, and files.
import { lazy, Suspense } from 'react'
import { CodeToCopy } from '../components/copyable-code.tsx'
import { Figure } from '../components/figure.tsx'
import { Empty, Loaded, Loading } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { BuildFilters } from './report-filters.tsx'
import { useBuild } from './report-query.ts'
import { Downloads } from './downloads.tsx'
import { useExplainFigure } from '../emissions/explain-figure.ts'
import { KG } from '../emissions/kilograms.ts'
import { useRuleSentences } from '../emissions/boundary-text.ts'
import { GroupTable } from './group-table.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { callOf, fileOf, useReport, type Report } from '../emissions/report-query.ts'

const ReportChart = lazy(async () => ({ default: (await import('./report-chart.tsx')).ReportChart }))

export function Build() {
  const t = useMessages({ en, de })
  const { query } = useBuild()
  const report = useReport(query)
  return (
    <div className="stack">
      <BuildFilters />
      <Loaded query={report}>
        {(data) =>
          data.groups.length === 0 ? (
            <Empty title={t('nothing')}>
              <p>{t('nothingHelp')}</p>
            </Empty>
          ) : (
            <Built report={data} />
          )
        }
      </Loaded>
    </div>
  )
}

function Built({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  return (
    <>
      <Total report={report} />
      <Suspense fallback={<Loading />}>
        <ReportChart report={report} />
      </Suspense>
      <GroupTable report={report} />
      <Downloads title={t('build')} hrefOf={(format) => fileOf(report.query, format)} />
      <details className="card">
        <summary>{t('sameByApi')}</summary>
        <CodeToCopy code={`curl -s "${location.origin}${callOf(report.query)}" -H "X-API-Key: $KEY"`} />
      </details>
    </>
  )
}

function Total({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const { total_emission: value, uncertainty } = report
  const explain = () => explainFigure(report, { title: t('total'), value, uncertainty })
  const sentences = useRuleSentences()(report.date_basis, report.reporting_entity)
  return (
    <p className="reports-total">
      {t('total')}: <Figure value={value} unit={KG} showsUnit why={explain} />
      <span className="muted"> {sentences.join(' ')}</span>
    </p>
  )
}
