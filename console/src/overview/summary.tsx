// The largest contributors, and how much of the total is of low confidence, in a line each.
import { Link } from 'wouter'
import { Figure } from '../components/figure.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useExplainFigure } from '../emissions/explain-figure.ts'
import { useLabelNames } from '../emissions/label-names.ts'
import { modelNamesIn } from '../emissions/model-names.ts'
import { reportPage, sumBy, type Report } from '../emissions/report-query.ts'
import { topGroups } from '../emissions/top-groups.ts'
import { plain } from '../emissions/kilograms.ts'
import de from './messages.de.json'
import en from './messages.en.json'

export interface SummaryProps {
  readonly months: Report
  readonly customers: Report | null | undefined
  readonly models: Report | null | undefined
  /** By category and type of estimate. */
  readonly categories: Report | null | undefined
}

export function Summary({ months, customers, models, categories }: SummaryProps) {
  const t = useMessages({ en, de })
  return (
    <section className="card" aria-labelledby="in-short">
      <h2 id="in-short">{t('contributors')}</h2>
      <ul className="bare overview-short">
        {customers && <Line dimension="customer" report={customers} at={0} />}
        {models && <Line dimension="model" report={models} at={0} />}
        <Line dimension="part" report={months} at={1} />
        {categories && <Indicative report={categories} />}
      </ul>
    </section>
  )
}

interface LineProps {
  readonly dimension: 'customer' | 'model' | 'part'
  readonly report: Report
  /** Where its labels stand. */
  readonly at: number
}

function Line({ dimension, report, at }: LineProps) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const first = topGroups(sumBy(report.groups, at), 1).ranked[0]
  const nameOf = useLabelNames([], modelNamesIn(report, at))
  if (!first || report.total_emission <= 0) return null
  const name = nameOf(dimension, first.label)
  const percent = plain((first.emission / report.total_emission) * 100)
  const query = { ...report.query, group_by: [dimension] }
  const explain = () =>
    explainFigure(
      report,
      {
        title: t('shareOf', { name }),
        value: percent,
        unit: '%',
        formula: `${first.emission} ÷ ${report.total_emission} × 100 = ${percent}`,
      },
      { group_by: [dimension] },
    )
  return (
    <li>
      <span className="muted">{t(`${dimension}First`)}</span>
      <strong>{name}</strong>
      <span>
        <Figure value={percent} unit="%" showsUnit why={explain} />{' '}
        <Link href={reportPage(query)}>{t('allOfThem')}</Link>
      </span>
    </li>
  )
}

function Indicative({ report }: { readonly report: Report }) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const indicative = sumBy(report.groups, 1).get('indicative') ?? 0
  const percent = report.total_emission > 0 ? plain((indicative / report.total_emission) * 100) : null
  const explain = () =>
    explainFigure(
      report,
      {
        title: t('indicativeShare'),
        value: percent ?? 0,
        unit: '%',
        formula: `${indicative} ÷ ${report.total_emission} × 100 = ${percent}`,
        notes: [t('typeNote')],
      },
      { group_by: ['estimate_type'] },
    )
  return (
    <li>
      <span className="muted">{t('dataQuality')}</span>
      <strong>{t('indicativeShare')}</strong>
      <span>
        <Figure value={percent} unit="%" showsUnit why={explain} /> <Link href="/reports/quality">{t('fixFirst')}</Link>
      </span>
    </li>
  )
}
