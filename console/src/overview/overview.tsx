// The overview: what the fleet emitted, which customers and devices weigh most, and why.
import { lazy, Suspense } from 'react'
import { Empty, Loaded, Loading } from '../components/loading-and-error.tsx'
import { useReport, type ReportQuery } from '../emissions/report-query.ts'
import { useRuleSentences } from '../emissions/boundary-text.ts'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Charts } from './charts.tsx'
import { Summary } from './summary.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Tiles } from './tiles.tsx'
import { useView, type View } from './filters.ts'
import { OverviewFilters } from './filter-bar.tsx'
import './overview.css'

const EmptyAccount = lazy(async () => ({ default: (await import('./empty-account.tsx')).EmptyAccount }))

export function Overview() {
  const t = useMessages({ en, de })
  const view = useView()
  // Over all time: which years there are, and whether there is anything at all. All is asked for at once.
  const { data: everything } = useReport({ group_by: ['year', 'country'], date_basis: 'tenure' })
  const groups = everything?.groups
  return (
    <Page title={t('overview')} lead={t('lead')}>
      {groups?.length === 0 ? (
        <Suspense fallback={<Loading />}>
          <EmptyAccount />
        </Suspense>
      ) : (
        <div className="stack">
          <div>
            <OverviewFilters groups={groups ?? []} />
            <Rule query={view.query} />
          </div>
          <Figures view={view} isKnown={groups !== undefined} />
        </div>
      )}
    </Page>
  )
}

/** What the figures are counted by stands above them: without it they could be taken for others. */
function Rule({ query: { date_basis: basis, reporting_entity: entity } }: { readonly query: ReportQuery }) {
  return <p className="muted">{useRuleSentences()(basis!, entity!).join(' ')}</p>
}

/** @param isKnown whether it is known that the account is not empty */
function Figures({ view, isKnown }: { readonly view: View; readonly isKnown: boolean }) {
  const t = useMessages({ en, de })
  const byMonth = useReport({ ...view.query, group_by: ['month', 'part'] })
  const byCategory = useReport({ ...view.query, group_by: ['category', 'estimate_type'] })
  const byCustomer = useReport({ ...view.query, group_by: ['customer', 'part'] })
  const byModel = useReport({ ...view.query, group_by: ['model', 'part'] })
  return (
    <Loaded query={byMonth}>
      {(months) => {
        if (months.groups.length === 0)
          return isKnown ? (
            <Empty title={t('nothing')}>
              <p>{t('nothingHelp')}</p>
            </Empty>
          ) : (
            <Loading />
          )
        return (
          <>
            <Tiles view={view} months={months} categories={byCategory} />
            <Summary months={months} customers={byCustomer.data} models={byModel.data} />
            <Charts months={months} categories={byCategory} customers={byCustomer} models={byModel} />
          </>
        )
      }}
    </Loaded>
  )
}
