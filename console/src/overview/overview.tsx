// The overview: what the fleet emitted, which customers and devices weigh most, and why.
import { Empty, Loaded } from '../components/states.tsx'
import { Page } from '../frame/page.tsx'
import { useMessages } from '../language/language.tsx'
import { useReport } from '../reports/report-query.ts'
import { Charts } from './charts.tsx'
import { EmptyAccount } from './empty-account.tsx'
import { InShort } from './in-short.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import { Tiles } from './tiles.tsx'
import { useView } from './view.ts'
import { ViewFilters } from './view-filters.tsx'
import './overview.css'

export function Overview() {
  const say = useMessages({ en, de })
  // Over all time: which years there are, and whether there is anything at all.
  const everything = useReport({ group_by: ['year', 'country'], basis: 'tenure' })
  return (
    <Page title={say('overview')} lead={say('lead')}>
      <Loaded query={everything}>
        {({ groups }) => (groups.length === 0 ? <EmptyAccount /> : <Filled groups={groups} />)}
      </Loaded>
    </Page>
  )
}

function Filled({ groups }: Pick<Parameters<typeof ViewFilters>[0], 'groups'>) {
  const say = useMessages({ en, de })
  const view = useView()
  const byMonth = useReport({ ...view.query, group_by: ['month', 'part'] })
  const byCategory = useReport({ ...view.query, group_by: ['category', 'estimate_type'] })
  const byCustomer = useReport({ ...view.query, group_by: ['customer', 'part'] })
  const byModel = useReport({ ...view.query, group_by: ['model', 'part'] })
  return (
    <div className="stack">
      <ViewFilters groups={groups} />
      <Loaded query={byMonth}>
        {(months) =>
          months.groups.length === 0 ? (
            <Empty title={say('nothing')}>
              <p>{say('nothingHelp')}</p>
            </Empty>
          ) : (
            <>
              <Tiles view={view} months={months} categories={byCategory} />
              <InShort months={months} customers={byCustomer.data} models={byModel.data} />
              <Charts months={months} categories={byCategory} customers={byCustomer} models={byModel} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}
