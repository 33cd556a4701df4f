// The overview: how much the fleet emitted, whether that is better or worse, and why.
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Empty, Loading, ProblemNotice } from '../components/loading-and-error.tsx'
import { useReport, type Report, type ReportQuery } from '../emissions/report-query.ts'
import { Page } from '../layout/page.tsx'
import { useMessages } from '../i18n/language.tsx'
import { Answer } from './answer.tsx'
import { Charts } from './charts.tsx'
import { Controls } from './controls.tsx'
import { useView, type View } from './filters.ts'
import de from './messages.de.json'
import en from './messages.en.json'
import { MonthChart } from './month-chart.tsx'
import { Summary } from './summary.tsx'
import { Tiles } from './tiles.tsx'
import './overview.css'

const EmptyAccount = lazy(async () => ({ default: (await import('./empty-account.tsx')).EmptyAccount }))

export function Overview() {
  const t = useMessages({ en, de })
  const view = useView()
  // Over all time: which years there are, and whether there is anything at all. All is asked for at once.
  const { data: everything } = useReport({ group_by: ['year', 'country'], date_basis: 'tenure' })
  const groups = everything?.groups
  return (
    <Page title={t('overview')}>
      {groups?.length === 0 ? (
        <Suspense fallback={<Loading />}>
          <EmptyAccount />
        </Suspense>
      ) : (
        <div className="overview">
          <Controls groups={groups ?? []} />
          <Figures view={view} isKnown={groups !== undefined} />
        </div>
      )}
    </Page>
  )
}

/** What was asked for: null where nothing is, undefined while it is not there. */
type Asked = Report | null | undefined

function useAsked(query: ReportQuery | null, groupBy: ReportQuery['group_by']) {
  const asked = useReport({ ...query, group_by: groupBy! }, query !== null)
  // What was read by other filters is none of these: it may not stand beside them for a moment.
  const data: Asked = query === null ? null : asked.isPlaceholderData ? undefined : asked.data
  return { data, asked }
}

/** @param isKnown whether it is known that the account is not empty */
function Figures({ view, isKnown }: { readonly view: View; readonly isKnown: boolean }) {
  const t = useMessages({ en, de })
  const months = useAsked(view.query, ['month', 'part'])
  const before = useAsked(view.queryBefore, ['month', 'part'])
  const counts = useAsked(view.query, ['month'])
  const estimates = useAsked(view.query, ['month', 'estimate_type'])
  const estimatesBefore = useAsked(view.queryBefore, ['estimate_type'])
  const ahead = useAsked(view.queryAhead, ['month', 'part'])
  const categories = useAsked(view.query, ['category', 'estimate_type'])
  const customers = useAsked(view.query, ['customer', 'part'])
  const models = useAsked(view.query, ['model', 'part'])
  const fold = [months, before, counts, estimates, estimatesBefore, ahead]
  const failed = fold.find(({ asked }) => asked.error)
  if (failed) return <Failed asked={failed.asked} />
  if (months.data?.groups.length === 0 && isKnown)
    return (
      <Empty title={t('nothing')}>
        <p>{t('nothingHelp')}</p>
      </Empty>
    )
  if (!months.data || before.data === undefined || ahead.data === undefined || estimatesBefore.data === undefined)
    return <Waiting />
  if (!counts.data || !estimates.data || months.data.groups.length === 0) return <Waiting />
  const shown = { view, months: months.data, before: before.data }
  return (
    <div className="stack">
      <div className="overview-fold">
        <Answer {...shown} />
        <Tiles {...shown} counts={counts.data} estimates={estimates.data} estimatesBefore={estimatesBefore.data} />
      </div>
      <MonthChart {...shown} ahead={ahead.data} />
      <Summary months={months.data} customers={customers.data} models={models.data} categories={categories.data} />
      <Charts categories={categories.asked} customers={customers.asked} models={models.asked} />
    </div>
  )
}

const Failed = ({ asked: { error, refetch } }: { readonly asked: UseQueryResult<Report> }) => (
  <ProblemNotice problem={error!} onRetry={() => void refetch()} />
)

/** As high as what will stand here, so that nothing moves. */
const Waiting = () => (
  <div className="overview-waiting" aria-busy>
    <Loading />
  </div>
)
