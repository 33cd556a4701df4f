// The years of a customer, each with its statement as files.
import { usePeriods } from '../api/periods.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Figure } from '../components/figure.tsx'
import { Empty, Loaded, Loading } from '../components/loading-and-error.tsx'
import { useMessages } from '../i18n/language.tsx'
import { useExplainFigure } from '../emissions/explain-figure.ts'
import { KG } from '../emissions/kilograms.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { useReport, type Group, type Report } from '../emissions/report-query.ts'
import type { CONSOLIDATION_APPROACHES } from '../emissions/inventory-boundary.ts'

export interface StatementTableProps {
  readonly customer: string
  readonly approach: (typeof CONSOLIDATION_APPROACHES)[number]
}

/**
 * What a statement contains is what the customer's book has of the year, by months held. While another customer is
 * read, nothing of the one before stands under the new name.
 */
export function StatementTable({ customer, approach }: StatementTableProps) {
  const t = useMessages({ en, de })
  const report = useReport({
    customer: [customer],
    consolidation_approach: approach,
    group_by: ['year'],
    date_basis: 'tenure',
    reporting_entity: 'lessee',
  })
  if (report.isPlaceholderData) return <Loading />
  return (
    <Loaded query={report}>
      {(data) =>
        data.groups.length === 0 ? (
          <Empty title={t('noCustomer')}>
            <p>{t('noCustomerHelp')}</p>
          </Empty>
        ) : (
          <Years customer={customer} approach={approach} report={data} />
        )
      }
    </Loaded>
  )
}

function Years({ customer, approach, report }: StatementTableProps & { readonly report: Report }) {
  const t = useMessages({ en, de })
  const explainFigure = useExplainFigure()
  const thisYear = String(new Date().getUTCFullYear())
  const closedUntil = usePeriods().data?.books_closed_until
  const years = report.groups.filter(({ labels: [year] }) => year! <= thisYear).toReversed()
  const columns: readonly Column<Group>[] = [
    {
      key: 'year',
      header: t('year'),
      isName: true,
      cell: ({ labels: [year] }) => (
        <>
          {year}{' '}
          {closedUntil !== undefined && (closedUntil ?? '') < `${Number(year) + 1}-01-01` && (
            <span className="tag">{t('preliminary')}</span>
          )}
        </>
      ),
    },
    {
      key: 'emission',
      header: `${t('emission')} (${KG})`,
      isNumber: true,
      cell: ({ labels: [year], emission: value, uncertainty }) => {
        const figure = { title: `${customer}, ${year}`, value, uncertainty }
        const explain = () => explainFigure(report, figure, { year: [year!], group_by: ['month', 'part'] })
        return <Figure value={value} unit={KG} why={explain} />
      },
    },
    {
      key: 'files',
      header: t('files'),
      cell: ({ labels: [year] }) => <Files customer={customer} year={year!} approach={approach} />,
    },
  ]
  return (
    <section className="section" aria-labelledby="statements-of">
      <h2 id="statements-of">{t('statementsOf', { customer })}</h2>
      <DataTable
        caption={t('statementsOf', { customer })}
        columns={columns}
        rows={years}
        keyOf={({ labels }) => labels[0]!}
      />
    </section>
  )
}

function Files({ customer, year, approach }: StatementTableProps & { readonly year: string }) {
  const t = useMessages({ en, de })
  const path = `/api/statements/${encodeURIComponent(customer)}/${year}?consolidation_approach=${approach}`
  const files = [
    { search: 'format=json', label: `JSON, ${t('signed')}`, name: `cradle-statement-${year}.json` },
    { search: 'format=xlsx', label: 'XLSX', name: `cradle-statement-${year}.xlsx` },
    { search: 'format=pdf&lang=en', label: t('pdfEn'), name: `cradle-statement-${year}-en.pdf` },
    { search: 'format=pdf&lang=de', label: t('pdfDe'), name: `cradle-statement-${year}-de.pdf` },
  ]
  return (
    <span className="row">
      {files.map(({ search, label, name }) => (
        <a key={search} className="button button-small" href={`${path}&${search}`} download={name}>
          <span className="hidden-visually">{t('yearFile', { customer, year })}</span>
          {label}
        </a>
      ))}
    </span>
  )
}
