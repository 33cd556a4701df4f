// The imports there were, the newest first.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, readPage } from '../api/client.ts'
import { useCursorPages } from '../api/cursor-pages.ts'
import { DataTable, type Column } from '../components/data-table.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/language.tsx'
import de from './messages.de.json'
import en from './messages.en.json'
import type { ImportState } from './settings.ts'

const PAGE_ROWS = 10

export function EarlierImports() {
  const say = useMessages({ en, de })
  const { full, time } = useFormat()
  const { cursor, pagingTo } = useCursorPages()
  const imports = useQuery({
    queryKey: ['imports', cursor],
    queryFn: ({ signal }) =>
      readPage(api.GET('/api/imports', { params: { query: { limit: PAGE_ROWS, ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
    // Another session, or the last step here, may have changed it.
    staleTime: 0,
  })
  const columns: readonly Column<ImportState>[] = [
    {
      key: 'file',
      header: say('file'),
      isName: true,
      cell: ({ import_id: id, file_name: name }) => (
        <Link href={`/import/${id}`}>{name ?? say('unnamed', { id: String(id) })}</Link>
      ),
    },
    { key: 'state', header: say('state'), cell: (one) => <StateTag {...one} /> },
    { key: 'rows', header: say('rows'), isNumber: true, cell: ({ rows_read: rows }) => full(rows) },
    {
      key: 'stored',
      header: say('ordersStored'),
      isNumber: true,
      cell: ({ orders_stored: orders, is_dry_run: isDryRun }) => (isDryRun ? '–' : full(orders)),
    },
    { key: 'failed', header: say('ordersFailed'), isNumber: true, cell: ({ orders_failed: orders }) => full(orders) },
    { key: 'time', header: say('time'), cell: ({ created_at: at }) => <span className="import-time">{time(at)}</span> },
  ]
  return (
    <section className="stack" aria-label={say('earlier')}>
      <h2>{say('earlier')}</h2>
      <Loaded query={imports}>
        {({ data, next }) =>
          data.length === 0 && cursor === undefined ? (
            <Empty title={say('noImports')}>{say('noImportsHelp')}</Empty>
          ) : (
            <DataTable
              caption={say('earlier')}
              columns={columns}
              rows={data}
              keyOf={({ import_id: id }) => String(id)}
              paging={pagingTo(next)}
            />
          )
        }
      </Loaded>
    </section>
  )
}

export function StateTag({ state, is_dry_run: isDryRun }: Pick<ImportState, 'state' | 'is_dry_run'>) {
  const say = useMessages({ en, de })
  return (
    <span className="import-tags">
      <span className="tag" data-state={state}>
        {say(state)}
      </span>
      {isDryRun && <span className="tag">{say('dryRun')}</span>}
    </span>
  )
}
